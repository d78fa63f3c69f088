"""What is made from rows and laid beside them: the numbers and the figure of a run, and the comparison of a command's runs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from taec.analysis.figures import accuracy_figure
from taec.analysis.statistics import Breakdown, Summary, breakdown, summarise
from taec.analysis.tables import Grid, breakdown_table, csv_table, official_table
from taec.records.lines import disk_trouble, replace_file
from taec.records.rows import Row

SUMMARY = "summary.json"
TABLES = "breakdowns.md"
BREAKDOWNS: Sequence[Breakdown] = ("hop", "source", "answerable", "gold_pages", "split", "document")


def write_report(folder: Path, name: str, rows: Sequence[Row]) -> None:
    """In a run folder: `summary.json` (the numbers of all rows and of each group of them), `breakdowns.md` (the same groups as tables),
    `figure.png` and `figure.svg`."""
    whole = summarise(rows)
    groups = {by: breakdown(rows, by) for by in BREAKDOWNS}
    numbers = {by: {label: asdict(part) for label, part in parts.items()} for by, parts in groups.items()}
    replace_file(folder / SUMMARY, [json.dumps({"all": asdict(whole), "by": numbers}, indent=1, ensure_ascii=False)])
    tables = [table.markdown() for by, parts in groups.items() for table in _tables(parts, by, f"{name} by {by.replace('_', ' ')}")]
    replace_file(folder / TABLES, "\n".join(tables).splitlines())
    with disk_trouble(folder):
        accuracy_figure([(name, whole)], folder / "figure")


def _tables(parts: Mapping[str, Summary], by: str, title: str) -> Iterator[Grid]:
    yield breakdown_table(parts, by, title)
    if official := official_table(list(parts.items()), by.replace("_", " "), f"{title}: official metrics"):
        yield official


def write_comparison(folder: Path, table: Grid, runs: Sequence[tuple[str, Summary]]) -> list[Path]:
    """`table.md`, `table.csv`, `figure.png` and `figure.svg` of several runs in a folder of their own; returns the files."""
    with disk_trouble(folder):
        folder.mkdir(parents=True, exist_ok=True)
        figures = accuracy_figure(runs, folder / "figure")
    tables = [table, official] if (official := official_table(runs)) else [table]
    replace_file(folder / "table.md", "\n".join(each.markdown() for each in tables).splitlines())
    replace_file(folder / "table.csv", csv_table(runs).splitlines())
    return [*figures, folder / "table.md", folder / "table.csv"]
