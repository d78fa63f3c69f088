"""What is made from the rows of a run and laid beside them."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from taec.analysis.statistics import Breakdown, breakdown, summarise
from taec.records.lines import replace_file
from taec.records.rows import Row

SUMMARY = "summary.json"
BREAKDOWNS: Sequence[Breakdown] = ("hop", "source", "answerable", "gold_pages", "split", "document")


def write_summary(folder: Path, rows: Sequence[Row]) -> None:
    """`summary.json`: the numbers of all rows, and of each group of them."""
    groups = {by: {label: asdict(part) for label, part in breakdown(rows, by).items()} for by in BREAKDOWNS}
    text = json.dumps({"all": asdict(summarise(rows)), "by": groups}, indent=1, ensure_ascii=False)
    replace_file(folder / SUMMARY, [text])
