"""A comparison written out: as a report for people, and as plain data for programs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from pydantic import JsonValue

from taec.analysis.compare import Compared
from taec.analysis.compare_report import Flips, Report
from taec.analysis.compare_tables import answer, flip_grids, metric_grids, sentence, shown, test_grid
from taec.analysis.paired import Pair
from taec.analysis.tables import Grid
from taec.comparison.differences import Absent, Differences, Group, unified, written
from taec.comparison.outcome import Outcome
from taec.comparison.sides import Side

SOME = 5
"""Flipped questions of each direction that the terminal shows."""
WIDE = 110
"""Characters of a text that the terminal shows in a line."""


def report(outcome: Outcome, *, diff: bool) -> Report:
    """The report; with `diff` unified diffs of the configurations are part of it."""
    names = [side.name for side in outcome.sides]
    runs = [(side.name, str(len(side.rows)) if side.manifest else "not run", side.source) for side in outcome.sides]
    found = [("Configuration", outcome.configuration), ("Manifest", outcome.manifest)]
    return Report(
        title=f"Comparison of {' and '.join(names)}" if len(names) == 2 else f"Comparison of {len(names)} runs with {names[outcome.base]}",
        runs=Grid("Compared", ["name", "questions", "where"], runs, words=True),
        warnings=outcome.warnings,
        differences=[_grid(title, names, each, outcome.base) for title, each in found if each.groups],
        remarks=list(_remarks(outcome)),
        findings=[sentence(one) for one in outcome.compared],
        numbers=[*metric_grids(outcome.runs, outcome.compared), test_grid(outcome.compared)] if outcome.compared else [],
        flips=[flips for one in outcome.compared for flips in _flips(one, len(outcome.compared) == 1)],
        diffs=diffs(outcome) if diff else [],
    )


def diffs(outcome: Outcome) -> list[tuple[str, str]]:
    """A unified diff from the base to every other side, under its title; none where nothing differs."""
    base = outcome.sides[outcome.base]
    others = [side for side in outcome.sides if side is not base]
    found = [(f"{base.name} to {side.name}", unified((base.config, side.config), (base.source, side.source))) for side in others]
    return [(title, text) for title, text in found if text]


def data(outcome: Outcome, *, diff: bool) -> dict[str, object]:
    """Everything as plain data: shares are 0..1, bytes are bytes, a key that a side does not have is left out of its values."""
    names = [side.name for side in outcome.sides]
    return {
        "base": names[outcome.base],
        "compared": [_side(side) for side in outcome.sides],
        "warnings": list(outcome.warnings),
        "configuration": _entries(names, outcome.configuration),
        "outside_identity": list(outcome.configuration.outside),
        "manifest": _entries(names, outcome.manifest),
        "summaries": {run.name: asdict(run.summary) for run in outcome.runs},
        "comparisons": [_comparison(one) for one in outcome.compared],
        **({"diffs": dict(diffs(outcome))} if diff else {}),
    }


def _grid(title: str, names: Sequence[str], found: Differences, base: int) -> Grid:
    rows = []
    for group in found.groups:
        head = _head(group)
        for entry in group.entries:
            rows.append((head, entry.key, *(written(value, entry.values[base]) for value in entry.values)))
            head = ""
    return Grid(title, ["group", "key", *names], rows, words=True)


def _head(group: Group) -> str:
    """A group with the option that is chosen in it, where that is the same everywhere."""
    return f"{group.name}={group.options[0]}" if group.options[0] and len(set(group.options)) == 1 else group.name


def _remarks(outcome: Outcome) -> Iterator[str]:
    found = outcome.configuration
    if not found.groups:
        yield "The configurations say the same of what is run."
    for group in found.groups:
        if group.hidden:
            yield f"{group.name}: {group.hidden} more keys differ, in which each keeps to what its own option says (--diff shows them)."
    if found.outside:
        yield f"Also different, without effect on what is run: {', '.join(found.outside)}."


def _flips(one: Compared, alone: bool) -> Iterator[Flips]:
    base, other = one.base.short, one.other.short
    some = SOME if alone else 0
    for grid, pairs in zip(flip_grids(one), filter(None, (one.lost, one.gained)), strict=True):
        lines = [line for pair in pairs[:some] for line in _lines(pair, base, other)]
        more = [f"  and {len(pairs) - some} more: --format md, html or json has all"] if len(pairs) > some > 0 else []
        yield Flips(grid, [*lines, *more])


def _lines(pair: Pair, base: str, other: str) -> Iterator[str]:
    one, two = pair
    yield f"  {one.question_id}: {_short(one.question)}"
    yield f"    reference  {_short(one.reference)}"
    for name, row in ((base, one), (other, two)):
        yield f"    {name:<9}  {_short(answer(row))}" + (f"  (gold page {shown(row)})" if row.covered is not None else "")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDE else f"{line[: WIDE - 1]}…"


def _side(side: Side) -> dict[str, object]:
    identity = {"run_id": side.manifest.run_id, "configuration": side.manifest.configuration} if side.manifest else {}
    return {"name": side.name, "source": side.source, "questions": len(side.rows), **identity}


def _entries(names: Sequence[str], found: Differences) -> list[dict[str, object]]:
    return [
        {
            "group": group.name,
            "options": dict(zip(names, group.options, strict=True)),
            "hidden": group.hidden,
            "keys": {entry.key: dict(_present(names, entry.values)) for entry in group.entries},
        }
        for group in found.groups
    ]


def _present(names: Sequence[str], values: Sequence[JsonValue | Absent]) -> Iterator[tuple[str, JsonValue]]:
    yield from ((name, value) for name, value in zip(names, values, strict=True) if not isinstance(value, Absent))


def _comparison(one: Compared) -> dict[str, object]:
    return {
        "base": one.base.name,
        "other": one.other.name,
        "finding": sentence(one),
        "verdicts": {"n": one.test.n, **asdict(one.test)} if one.test else None,
        "p_holm": one.p if one.test else None,
        "detectable": one.detectable or None,
        "differences": {name: asdict(found) for name, found in one.differences.items()},
        "peak_call_bytes": asdict(one.peak) if one.peak else None,
        "lost": [_flip(pair) for pair in one.lost],
        "gained": [_flip(pair) for pair in one.gained],
    }


def _flip(pair: Pair) -> Mapping[str, object]:
    one, two = pair
    asked = {"question_id": one.question_id, "question": one.question, "reference": one.reference, "documents": list(one.documents)}
    said = {
        side: {"answer": row.answer, "failure": row.failure, "rule": row.rule, "covered": row.covered}
        for side, row in (("base", one), ("other", two))
    }
    return {**asked, **said}
