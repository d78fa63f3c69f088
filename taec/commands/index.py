"""`python -m taec index documents=DIR`: render, caption and index documents, and say what was found in them."""

import shlex
from collections.abc import Sequence

from taec.commands.arguments import Arguments, require_none
from taec.core.errors import UsageError
from taec.documents.troubles import LEAVE_OUT
from taec.experiment.compose import configurations
from taec.experiment.config import Config
from taec.experiment.console import out, say
from taec.experiment.indexing import Indexed, tables, write_report
from taec.experiment.parts import Parts
from taec.experiment.progress import display


def main(asked: Arguments) -> int:
    """Index and report. With `--strict` nothing is left out: UsageError lists what would be."""
    require_none(asked)
    configs = configurations(asked.words, multirun=asked.multirun, folders=asked.folders)
    if len(configs) > 1:
        raise UsageError("index makes one collection; leave -m out")
    (config,) = configs
    parts, show = Parts(), display()
    try:
        indexed = Indexed.of(parts, config, show.stage)
        if "--strict" in asked.flags:
            _refuse(indexed)
        index = parts.retriever(config, show.stage).identity if indexed.collection.pages else None
    finally:
        show.close()
    file = write_report(indexed)
    for table in tables(indexed):
        out.print(table)
    say(indexed.words)
    if index is None:
        raise UsageError(f"No page could be indexed; {file} says why.")
    say(f"index: {index.name} over {index.pages:,} pages")
    say(f"collection: {indexed.collection.folder}")
    say(f"report: {file}")
    _say_what_next(config, asked.words)
    return 0


def _refuse(indexed: Indexed) -> None:
    left_out = [f"{trouble.kind}: {trouble}" for trouble in indexed.troubles if trouble.kind in LEAVE_OUT]
    if left_out:
        raise UsageError(*left_out, "--strict leaves nothing out: repair or remove these, or index without it. What is rendered stays.")


def _say_what_next(config: Config, words: Sequence[str]) -> None:
    same = " ".join(map(shlex.quote, words))
    say("next:")
    if not config.plain.roots:
        say(f"  python -m taec retrieval {same}".rstrip())
        say(f"  python -m taec {same}".rstrip())
    else:
        say(f'  python -m taec ask "your question" {same}')
        say(f"  python -m taec serve retriever={config.option('retriever')} {same}")
