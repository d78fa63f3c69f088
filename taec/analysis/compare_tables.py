"""A comparison of runs as tables and plain sentences."""

from collections.abc import Iterator, Sequence

from taec.analysis.compare import LEVEL, MEASURES, Compared, Measure, Run
from taec.analysis.paired import AccuracyTest, Difference, Pair
from taec.analysis.statistics import Interval
from taec.analysis.tables import ACCURACY, NOTHING, Grid
from taec.records.rows import Row

UNKNOWN = "?"
MERGED = 2
"""Runs whose differences stand beside their values in one table."""


def metric_grids(runs: Sequence[Run], compared: Sequence[Compared]) -> list[Grid]:
    """The measures side by side, and the paired differences: in one table for two runs, else in one each."""
    values = list(_values(runs))
    changes = list(_changes(compared))
    ahead = [one.title for one in compared]
    shown = [at for at, (_, cells) in enumerate(values) if set(cells) - {NOTHING, UNKNOWN, "0.00"}]
    names = [run.name for run in runs]
    notes = _notes(runs, compared)
    if len(runs) == MERGED:
        both = [(values[at][0], *values[at][1], *changes[at]) for at in shown]
        return [Grid("Measures", ["measure", *names, *ahead], both, notes)]
    return [
        Grid("Measures", ["measure", *names], [(values[at][0], *values[at][1]) for at in shown]),
        Grid("Paired differences", ["measure", *ahead], [(values[at][0], *changes[at]) for at in shown if any(changes[at])], notes),
    ]


def test_grid(compared: Sequence[Compared]) -> Grid:
    """Which verdicts differ, and whether chance alone would do that."""
    several = len(compared) > 1
    columns = ["runs", "n", "difference", "right", "lost", "gained", "wrong", "p", "detectable"]
    rows = []
    for one in compared:
        if (test := one.test) is None:
            continue
        counts = [str(count) for count in (test.both_right, test.lost, test.gained, test.both_wrong)]
        found = f"{100 * one.detectable:.1f}" if one.detectable else NOTHING
        ps = [probability(test.p), *([probability(one.p)] if several else [])]
        rows.append((one.title, str(test.n), change(test.difference, 100, 1), *counts, *ps, found))
    if several:
        columns.insert(-1, "p (Holm)")
    return Grid("Verdicts", columns, rows, list(_test_notes(compared)))


def sentence(one: Compared) -> str:
    """What the verdicts of a comparison say, in one sentence."""
    if (test := one.test) is None:
        return f"{one.other.name} and {one.base.name} have no question with a verdict in both."
    which = "p" if one.p == test.p else "p (Holm)"
    numbers = (
        f"{change(test.difference, 100, 1)} points, {test.gained} gained, {test.lost} lost of {test.n}, {which} = {probability(one.p)}"
    )
    if not test.lost + test.gained:
        return f"{one.other.name} and {one.base.name} have the same verdict on every one of {test.n} questions."
    if one.p < LEVEL and test.difference.is_clear:
        better = "more" if test.difference.value > 0 else "less"
        return f"{one.other.name} is {better} accurate than {one.base.name}: {numbers}."
    if (test.p < LEVEL) != test.difference.is_clear:
        return f"{one.other.name} against {one.base.name} is undecided, its p and its interval disagree: {numbers}."
    return f"{one.other.name} is not distinguishable from {one.base.name}: {numbers}."


def flip_grids(one: Compared) -> list[Grid]:
    """The questions lost and gained, complete, with the reference and both answers."""
    base, other = one.base.short, one.other.short
    columns = ["id", "question", "reference", f"answer of {base}", f"answer of {other}", f"gold page {base}", f"gold page {other}"]
    ways = (one.base.name, one.other.name, one.lost), (one.other.name, one.base.name, one.gained)
    return [
        Grid(f"Right in {right}, wrong in {wrong}: {len(pairs)}", columns, [_flip(pair) for pair in pairs], words=True)
        for right, wrong, pairs in ways
        if pairs
    ]


def answer(row: Row) -> str:
    """A row's answer in one line; why there is none."""
    if row.failure:
        return f"(failed: {row.failure})"
    return " ".join((row.answer or "").split()) or "(empty)"


def shown(row: Row) -> str:
    """Whether a gold page was shown."""
    return NOTHING if row.covered is None else "shown" if row.covered else "not shown"


def change(difference: Difference, scale: float, digits: int) -> str:
    """A signed difference with its interval."""
    value, low, high = (f"{scale * number:+.{digits}f}" for number in (difference.value, difference.low, difference.high))
    return f"{value} [{low}, {high}]"


def probability(p: float) -> str:
    """A p-value to three digits; never zero."""
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"


def _flip(pair: Pair) -> tuple[str, ...]:
    one, two = pair
    return (one.question_id, " ".join(one.question.split()), one.reference, answer(one), answer(two), shown(one), shown(two))


def _values(runs: Sequence[Run]) -> Iterator[tuple[str, list[str]]]:
    """Every line of the table of measures: its name and a cell for each run."""
    yield "questions", [f"{run.summary.n:,}" for run in runs]
    yield ACCURACY, [_share(run.accuracy) for run in runs]
    yield "use* %", [NOTHING if run.summary.use is None else f"{100 * run.summary.use:.1f}" for run in runs]
    for measure in MEASURES:
        yield measure.name, [_written(measure, run) for run in runs]
    yield "peak call MB", [f"{sum(row.peak_call_bytes for row in run.rows) / max(1, len(run.rows)) / 1e6:.3f}" for run in runs]
    yield "largest call MB", [f"{run.summary.peak_call_bytes / 1e6:.3f}" for run in runs]
    yield "failed", [str(run.summary.failed or NOTHING) for run in runs]
    yield "unjudged", [str(run.summary.unjudged or NOTHING) for run in runs]


def _changes(compared: Sequence[Compared]) -> Iterator[list[str]]:
    """The differences that belong to the lines of `_values`, "" where a difference says nothing."""
    empty = [""] * len(compared)
    yield empty
    yield [change(one.test.difference, 100, 1) if one.test else "" for one in compared]
    yield empty
    for measure in MEASURES:
        found = [one.differences.get(measure.name) for one in compared]
        yield [change(each, measure.scale, measure.digits) if each else "" for each in found]
    yield [change(one.peak, 1e-6, 3) if one.peak else "" for one in compared]
    yield from (empty, empty, empty)


def _written(measure: Measure, run: Run) -> str:
    value = measure.of_run(run.summary)
    if value is None:
        return NOTHING if measure.scale == 100 else UNKNOWN
    return f"{measure.scale * value:.{measure.digits}f}"


def _share(interval: Interval | None) -> str:
    return NOTHING if interval is None else f"{100 * interval.value:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _notes(runs: Sequence[Run], compared: Sequence[Compared]) -> list[str]:
    found = [one.test.difference for one in compared if one.test]
    methods = sorted({run.accuracy.method for run in runs if run.accuracy})
    notes = [f"[low, high]: 95 % intervals; accuracy: {' or '.join(methods)}; differences: {_bootstraps(found)}." if found else ""]
    notes.append("From searches on: means a question. peak call: the mean of each question's largest call.")
    notes.append("use*: accuracy where a gold page was shown; each run covers other questions, so no difference is given.")
    notes.append("About one in twenty of such intervals leaves zero out by chance; they are not corrected for their number.")
    return [note for note in notes if note]


def _bootstraps(differences: Sequence[Difference]) -> str:
    return " or ".join(sorted({f"{each.method} over {each.clusters}" for each in differences}))


def _test_notes(compared: Sequence[Compared]) -> Iterator[str]:
    tests = [one.test for one in compared if one.test]
    yield "2 - 1: of run 2 against run 1. lost: right in 1 alone; gained: right in 2 alone; right, wrong: in both. Failures are wrong."
    yield "p: McNemar's exact test, two-sided."
    yield "detectable: the smallest true difference, in points, that such a comparison finds with 80 % power (from its standard error)."
    if len(compared) > 1:
        yield (
            f"{len(compared)} comparisons are made together: go by p (Holm). Every further run compared raises the bar for all; "
            "a run picked as the best of many has to be run again on questions it was not picked by."
        )
    if left := [test.unjudged for test in tests if test.unjudged]:
        counts = ", ".join(map(str, left))
        yield f"Left out for want of a verdict in one of the two: {counts} questions. To judge them: python -m taec judge --failed RUN"
    if any(_is_coarse(test) for test in tests):
        yield "Too few documents to draw: single questions are, and where those of one document flip together the interval is too narrow."


def _is_coarse(test: AccuracyTest) -> bool:
    return test.difference.method == "question bootstrap"
