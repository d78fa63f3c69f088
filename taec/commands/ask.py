"""`python -m taec ask "question" [documents=DIR] [overrides]`: one answer, the pages it rests on, and how it came about."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from taec.analysis.answer_texts import calls_line, pages_text, steps_text
from taec.analysis.viewer import Answered, html
from taec.commands.arguments import Arguments
from taec.commands.pictures import drawing, open_in_browser
from taec.commands.run import require_writable
from taec.core.errors import UsageError
from taec.experiment.asking import Asked, ask
from taec.experiment.catalogue import catalogue
from taec.experiment.compose import configurations
from taec.experiment.config import PlainSettings
from taec.experiment.console import out, say, warn
from taec.experiment.locations import shipped
from taec.experiment.parts import Parts
from taec.experiment.progress import display
from taec.records.lines import replace_file

PAGE = "page.html"
PICTURES = 4
"""Page images shown in the terminal, those kept in memory first."""
UNANSWERED = 1

_OVERRIDE = re.compile(r"[+~]{0,2}(?P<head>[A-Za-z_]\w*)(?:[./@][\w./@:-]*)?=|~\w")


def main(asked: Arguments) -> int:
    """Answer and show. 0 where there is an answer, 1 where the system found none."""
    question, overrides, faults = question_among(asked.words)
    faults = [*asked.faults, *faults]
    if asked.multirun:
        faults.append("-m: ask answers with one configuration; a comparison takes a benchmark: python -m taec -m system=...")
    try:
        configs = configurations(overrides, folders=asked.folders)
    except UsageError as error:
        raise UsageError(*faults, *error.faults) from None
    if faults:
        raise UsageError(*faults)
    (config,) = configs
    require_writable([config.plain.output.folder])
    show = display()
    try:
        found = ask(config, question, show.stage, Parts())
    finally:
        show.close()
    for text in found.warnings:
        warn(text)
    page = write_page(found.folder / PAGE, found.answered)
    _tell(found)
    tell_page(page, wanted="--open" in asked.flags)
    return 0 if found.answered.row.answer else UNANSWERED


def question_among(words: Sequence[str]) -> tuple[str, list[str], list[str]]:
    """The question, the overrides, and what is wrong with the words.

    A word is an override where it begins with a key and `=`. A question that does, too (`E=mc2?`), is one where it is the only word that
    could be a question and its key is none of the configuration's.
    """
    questions = [word for word in words if not _OVERRIDE.match(word)]
    overrides = [word for word in words if word not in questions]
    if not questions:
        known = {*catalogue([shipped("conf")]), *PlainSettings.model_fields}
        odd = [word for word in overrides if (match := _OVERRIDE.match(word)) and match["head"] and match["head"] not in known]
        questions, overrides = odd[:1], [word for word in overrides if word not in odd[:1]]
    spoken = [word.strip() for word in questions if word.strip()]
    if not spoken:
        return "", overrides, ['ask needs a question: python -m taec ask "Which engine was it?" documents=DIR']
    if len(spoken) > 1:
        whole = shlex.quote(" ".join(spoken))
        told = f"ask takes one question, and these are {len(spoken)}: {', '.join(map(shlex.quote, spoken[:4]))}"
        return spoken[0], overrides, [f"{told}{', ...' if len(spoken) > 4 else ''}. In quotes it is one: python -m taec ask {whole}"]
    return spoken[0], overrides, []


def write_page(path: Path, answered: Answered) -> Path:
    """Write the HTML page of an answered question."""
    replace_file(path, [html(answered)])
    return path


def tell_page(page: Path, *, wanted: bool) -> None:
    """Where the page lies, opened where that was asked for."""
    opened = wanted and open_in_browser(page)
    say(f"page: {page}" + (" (opened)" if opened else " (there is no browser here to open it in)" if wanted else " (--open opens it)"))


def _tell(found: Asked) -> None:
    answered, row = found.answered, found.answered.row
    say("")
    out.print(row.answer or f"No answer ({row.failure or row.ending}).", style="bold", markup=False)
    if answered.is_rule_based:
        say("(answered by the embedded rule-based reader, not by a vision-language model)")
    say("")
    say(pages_text(answered, lambda page: str(found.collection.image_file(page))))
    if draw := drawing():
        for page in answered.page_ids[:PICTURES]:
            say(answered.name(page))
            out.print(draw(found.collection.image(page)))
    say(steps_text(answered))
    say(calls_line(row))
    for notice, count in row.notices.items():
        say(f"  {notice.replace('_', ' ')}: {count}")
    if row.failure:
        said = [line for event in answered.record.events[-1:] for line in event.splitlines() if line.strip()]
        warn(f"the system did not finish: {(said or [row.failure])[-1]}")
    say(f"kept in {found.folder}")
