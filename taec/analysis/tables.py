"""Tables of summaries, for the terminal, Markdown and CSV."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.table import Table
from rich.text import Text

from taec.analysis.statistics import Interval, Summary

NOTHING = "–"
ACCURACY = "accuracy %"
METRICS = {"em": "SlideVQA EM", "f1": "SlideVQA F1", "mmlongbench": "MMLongBench-Doc score", "anls": "ANLS"}
"""What the table of official metrics calls them."""
EVERYWHERE = "anls"
"""The metric that every answer has, whatever its benchmark: by itself no reason for a table."""
WIDE = 9
"""Columns beyond which a terminal table is set tightly, so that it still fits 100 characters."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as text. The first column names the row; the others are numbers, or with `words` text that may wrap. `notes` say what a
    reader has to know."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    words: bool = False

    def rich(self) -> Table:
        """For the terminal; fits 100 columns with names of up to about 20 characters."""
        table = Table(
            title=Text(self.title, "bold"),
            caption=Text("\n".join(self.notes)),
            box=box.SIMPLE_HEAD,
            title_justify="left",
            caption_justify="left",
            padding=(0, 0 if len(self.columns) > WIDE else 1),
            collapse_padding=True,
            pad_edge=False,
            show_edge=False,
        )
        for at, column in enumerate(self.columns):
            style = "bold" if column == ACCURACY else ""
            numbers = at > 0 and not self.words
            table.add_column(Text(column), justify="right" if numbers else "left", no_wrap=numbers, overflow="fold", style=style)
        for row in self.rows:
            table.add_row(*map(Text, row))
        return table

    def markdown(self) -> str:
        """As a GitHub table under its title, notes below."""
        lines = [[cell.replace("|", "\\|") for cell in row] for row in (self.columns, *self.rows)]
        rule = ["---", *["---" if self.words else "---:"] * (len(self.columns) - 1)]
        body = "\n".join("| " + " | ".join(line) + " |" for line in (lines[0], rule, *lines[1:]))
        notes = "".join(f"\n\n{note}" for note in self.notes)
        return f"**{self.title}**\n\n{body}{notes}\n"


def runs_table(runs: Sequence[tuple[str, Summary]], title: str = "Runs") -> Grid:
    """One line a run: what was reached and what it cost. Failed and unjudged counts show only where there are any."""
    return _grid(title, "system", runs)


def official_table(lines: Sequence[tuple[str, Summary]], head: str = "system", title: str = "Official metrics") -> Grid | None:
    """Means of the official metrics, one line a run or group; None where no benchmark has any of its own."""
    names = list(dict.fromkeys(name for _, summary in lines for name in summary.scores))
    if set(names) <= {EVERYWHERE}:
        return None
    rows = [[label, f"{summary.n:,}", *(_percent(summary.scores.get(name)) for name in names)] for label, summary in lines]
    notes = ["By rules, over all questions, in %; failures score 0. The judge's verdicts are in the table above."]
    if "mmlongbench" in names:
        notes.append("MMLongBench-Doc's own pipeline has a model extract a short answer first; here answers are scored as they were given.")
    return Grid(title, [head, "n", *(f"{METRICS.get(name, name)} %" for name in names)], rows, notes)


def breakdown_table(groups: Mapping[str, Summary], by: str, title: str) -> Grid:
    """One line a group of one run's questions."""
    return _grid(title, by.replace("_", " "), list(groups.items()))


def csv_table(runs: Sequence[tuple[str, Summary]]) -> str:
    """Every number of the summaries, unrounded, one line a run; shares are 0..1 and bytes are bytes."""
    buffer = io.StringIO()
    lines = [{"name": name, **_flat(summary)} for name, summary in runs]
    if lines:
        writer = csv.DictWriter(buffer, list(dict.fromkeys(key for line in lines for key in line)), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    return buffer.getvalue()


def _grid(title: str, head: str, lines: Sequence[tuple[str, Summary]]) -> Grid:
    columns = {
        head: [name for name, _ in lines],
        "n": [f"{summary.n:,}" for _, summary in lines],
        ACCURACY: [_interval(summary.accuracy) for _, summary in lines],
        "cover %": [_percent(summary.coverage) for _, summary in lines],
        "use* %": [_percent(summary.use) for _, summary in lines],
        "searches": [f"{summary.searches:.2f}" for _, summary in lines],
        "calls": [f"{summary.model_calls:.2f}" for _, summary in lines],
        "images": [f"{summary.images:.1f}" for _, summary in lines],
        "MB": [f"{summary.context_bytes / 1e6:.2f}" for _, summary in lines],
    }
    if any(summary.total_tokens is not None or summary.cost is not None for _, summary in lines):
        columns["k tokens"] = [_known(summary.total_tokens, 1 / 1e3, ",.1f") for _, summary in lines]
        columns["$"] = [_known(summary.cost, 1, ",.2f") for _, summary in lines]
    if any(summary.judge_cost for _, summary in lines):
        columns["judge $"] = [_known(summary.judge_cost, 1, ",.2f") for _, summary in lines]
    if any(summary.failed for _, summary in lines):
        columns["failed"] = [str(summary.failed) for _, summary in lines]
    if any(summary.unjudged for _, summary in lines):
        columns["unjudged"] = [str(summary.unjudged) for _, summary in lines]
    return Grid(title, list(columns), list(zip(*columns.values(), strict=True)), _notes([summary for _, summary in lines]))


def _notes(summaries: Sequence[Summary]) -> list[str]:
    methods = sorted({summary.accuracy.method for summary in summaries if summary.accuracy})
    notes = [f"[low, high]: 95 % interval ({' or '.join(methods)})."] if methods else []
    notes.append("searches, calls, images, MB (of base64 images, all calls): means a question.")
    notes.append("* use: accuracy where a gold page was shown; not comparable across systems.")
    if any(summary.total_tokens is not None or summary.cost is not None for summary in summaries):
        notes.append(
            "k tokens, $: all questions together, in and out, requirement calls included; ? is unknown (not reported, or no price)."
        )
    if any(summary.unjudged for summary in summaries):
        notes.append("Unjudged answers have no verdict yet and are left out of accuracy.")
    return notes


def _interval(interval: Interval | None) -> str:
    if interval is None:
        return NOTHING
    return f"{100 * interval.value:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _known(total: float | None, scale: float, form: str) -> str:
    return "?" if total is None else format(total * scale, form)


def _percent(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f}"


def _flat(summary: Summary) -> dict[str, float | int | str | None]:
    numbers = {name: getattr(summary, name) for name in Summary.__slots__ if name not in ("accuracy", "scores")}
    interval = summary.accuracy
    parts = {} if interval is None else {"accuracy": interval.value, "accuracy_low": interval.low, "accuracy_high": interval.high}
    return {
        **dict.fromkeys(("accuracy", "accuracy_low", "accuracy_high")),
        **parts,
        "interval": interval.method if interval else "",
        **numbers,
        **{f"score_{name}": value for name, value in summary.scores.items()},
    }
