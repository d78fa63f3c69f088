"""`python -m taec compare RUN RUN...`: what differs between runs, and what came of it; between override lists without running any."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from taec.commands.arguments import Arguments
from taec.comparison.outcome import Outcome, compare_sides
from taec.comparison.report import data, diffs, report
from taec.comparison.sides import Side, is_mlflow, local, numbered
from taec.core.errors import UsageError
from taec.experiment.console import out, say, warn
from taec.records.lines import disk_trouble, replace_file
from taec.records.manifest import MANIFEST

USAGE = 'compare needs two or more: python -m taec compare RUN RUN, or "system=taec" "system=taec ablation=A"'
SUFFIXES = {".md": "md", ".markdown": "md", ".json": "json", ".html": "html", ".htm": "html", ".txt": "text"}


@dataclass
class _Asked:
    """The words of the command line: what is compared, and how it is shown."""

    operands: list[str] = field(default_factory=list)
    tracking: list[str] = field(default_factory=list)
    base: str = "1"
    output: str = ""


def main(asked: Arguments) -> int:
    """Compare and show. 0 whatever differs; an error where something is no run or must not be compared."""
    words = _sorted(asked.words)
    faults = [*asked.faults, *(["-m: an override list may hold several values as it is"] if asked.multirun else [])]
    form = _format(asked, words.output, faults)
    operands = _without_other_folders(words.operands)
    sides, wrong = _sides(operands, words.tracking, asked.folders)
    faults += wrong
    if not wrong and len(sides) < 2:
        faults.append(USAGE)
    if not words.base.isdigit() or not 1 <= int(words.base) <= max(1, len(sides)):
        faults.append(f"base={words.base}: is the number of what the others are compared with, 1 to {len(sides)}")
    if faults:
        raise UsageError(*faults)
    diff = "--diff" in asked.flags
    across = "--across" in asked.flags or (diff and form == "text")
    _show(compare_sides(numbered(sides), int(words.base) - 1, asked.folders, across=across), form, words.output, diff=diff)
    return 0


def _sorted(words: Sequence[str]) -> _Asked:
    found = _Asked()
    for word in words:
        key, _, value = word.partition("=")
        if key in ("base", "output") and value:
            setattr(found, key, value)
        elif key == "tracking" or key.startswith("tracking."):
            found.tracking.append(word)
        else:
            found.operands.append(word)
    return found


def _format(asked: Arguments, output: str, faults: list[str]) -> str:
    """The format asked for, or the one that the output file's name says."""
    if "--format" in asked.flags:
        return asked.flags["--format"][-1]
    suffix = Path(output).suffix
    if output and suffix not in SUFFIXES:
        faults.append(f"output={output}: name it .md, .json, .html or .txt, or say --format")
    return SUFFIXES.get(suffix, "text")


def _without_other_folders(operands: Sequence[str]) -> list[str]:
    """`runs/*` holds folders that are no runs, for example comparisons; they are left out where two or more are runs."""
    others = [word for word in operands if word and Path(word).is_dir() and not (Path(word) / MANIFEST).is_file()]
    if len(operands) - len(others) < 2:
        return list(operands)
    if others:
        warn(f"left out, no run folders: {' '.join(others)}")
    return [word for word in operands if word not in others]


def _sides(operands: Sequence[str], tracking: Sequence[str], folders: Sequence[Path]) -> tuple[list[Side], list[str]]:
    """What the operands name, and what is wrong with those that name nothing."""
    sides: list[Side] = []
    faults: list[str] = []
    for word in operands:
        try:
            sides += _tracked(word, tracking, folders) if is_mlflow(word) else local(word, folders)
        except UsageError as error:
            faults += error.faults
    return sides, list(dict.fromkeys(faults))


def _tracked(word: str, tracking: Sequence[str], folders: Sequence[Path]) -> list[Side]:
    from taec.comparison.tracked import tracked
    from taec.experiment.compose import configurations

    (config,) = configurations(tracking, folders=folders)
    store = config.plain.tracking.store()
    if store is None:
        raise UsageError("tracking=none has no runs; leave it out")
    return tracked(word, store)


def _show(outcome: Outcome, form: str, output: str, *, diff: bool) -> None:
    """Print, or write to a file. As text, a diff is shown alone: it goes into a review or a pager as it is."""
    if form == "text" and not output and not diff:
        from taec.analysis.compare_report import terminal

        for part in terminal(report(outcome, diff=False)):
            out.print(part)
        return
    text = _written(outcome, form, diff=diff)
    if not output:
        # not through Rich, which would put emoji in place of their names
        sys.stdout.write(f"{text}\n")
        return
    path = Path(output)
    with disk_trouble(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, text.splitlines())
    say(f"Written: {path}")


def _written(outcome: Outcome, form: str, *, diff: bool) -> str:
    from taec.analysis.compare_report import html, markdown, plain

    if form == "json":
        return json.dumps(data(outcome, diff=diff), ensure_ascii=False, indent=1)
    if form == "text" and diff:
        return "\n".join(text for _, text in diffs(outcome)) or "Nothing differs."
    return {"md": markdown, "html": html, "text": plain}[form](report(outcome, diff=diff))
