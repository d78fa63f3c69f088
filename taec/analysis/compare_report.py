"""A comparison as something to read: in the terminal, as Markdown, as one HTML page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from taec.analysis.tables import Grid

TEMPLATE = Path(__file__).parent / "compare.html"
COLUMNS = 160
"""Width of a report in a text file."""


@dataclass(frozen=True, slots=True)
class Flips:
    """Questions that flipped one way: a table of all, and lines about some of them for the terminal, none to leave them out there."""

    grid: Grid
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a comparison has to say, in order. `runs` name what is compared; `warnings` come before any number; `findings` are
    sentences; `diffs` are unified diffs under their titles."""

    title: str
    runs: Grid
    warnings: Sequence[str]
    differences: Sequence[Grid]
    remarks: Sequence[str]
    findings: Sequence[str]
    numbers: Sequence[Grid]
    flips: Sequence[Flips]
    diffs: Sequence[tuple[str, str]]


def terminal(report: Report) -> Iterator[RenderableType]:
    """What the terminal shows, part by part."""
    yield report.runs.rich()
    yield from (Text(f"Note: {warning}", "yellow") for warning in report.warnings)
    for grid in report.differences:
        yield Text()
        yield grid.rich()
    yield from (Text(remark) for remark in report.remarks)
    for grid in report.numbers:
        yield Text()
        yield grid.rich()
    for flips in (each for each in report.flips if each.lines):
        yield Text(f"\n{flips.grid.title}", "bold")
        yield from (Text(line) for line in flips.lines)
    if report.flips and not any(flips.lines for flips in report.flips):
        yield Text("\nWhich questions flipped: --format md, html or json, or two runs at a time.")
    yield Text()
    yield from (Text(finding, "bold") for finding in report.findings)


def plain(report: Report) -> str:
    """What the terminal shows, as text for a file."""
    from io import StringIO

    from rich.console import Console

    console = Console(file=StringIO(), width=COLUMNS, color_system=None)
    with console.capture() as captured:
        for part in terminal(report):
            console.print(part)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()).rstrip()


def markdown(report: Report) -> str:
    """The whole as Markdown, fit for a pull request."""
    parts = [f"# {report.title}\n", report.runs.markdown()]
    parts += [f"> {warning}\n" for warning in report.warnings]
    parts += [f"{finding}\n" for finding in report.findings]
    parts += ["## What differs\n", *(grid.markdown() for grid in report.differences), *(f"{remark}\n" for remark in report.remarks)]
    if report.numbers:
        parts += ["## Numbers\n", *(grid.markdown() for grid in report.numbers)]
    if report.flips:
        parts += ["## Questions that flipped\n", *(flips.grid.markdown() for flips in report.flips)]
    if report.diffs:
        parts += ["## Configurations, line by line\n", *(f"**{title}**\n\n```diff\n{text}\n```\n" for title, text in report.diffs)]
    return "\n".join(parts).rstrip()


def html(report: Report) -> str:
    """The whole as one page that loads nothing; every text is escaped."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(report=report).rstrip()
