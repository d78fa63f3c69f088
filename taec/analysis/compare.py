"""Several runs on the same questions, each against one of them: every measure, the verdicts, and the questions that flipped."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress

from taec.analysis.paired import AccuracyTest, Difference, Pair, accuracy_test, detectable, holm, judged, mean_difference, pair_up
from taec.analysis.statistics import Interval, Summary, accuracy, answer_tokens, is_right, summarise
from taec.records.rows import Row

LEVEL = 0.05
"""The p below which two accuracies are called different."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Something counted for every question: its name with the unit shown, its value of a row and of a run (a mean over questions), and
    how it is written. None is unknown, or asks nothing of that question."""

    name: str
    of_row: Callable[[Row], float | None]
    of_run: Callable[[Summary], float | None]
    scale: float = 1
    digits: int = 2


MEASURES = (
    Measure("coverage %", lambda row: row.covered, lambda run: run.coverage, 100, 1),
    Measure("all gold pages %", lambda row: row.all_gold_covered, lambda run: run.all_gold_coverage, 100, 1),
    Measure("searches", lambda row: row.searches, lambda run: run.searches),
    Measure("model calls", lambda row: row.model_calls, lambda run: run.model_calls),
    Measure("requirement calls", lambda row: row.requirement_calls, lambda run: run.requirement_calls),
    Measure("images", lambda row: row.images, lambda run: run.images),
    Measure("context MB", lambda row: row.context_bytes, lambda run: run.context_bytes, 1e-6, 3),
    Measure("k tokens", answer_tokens, lambda run: _mean(run.total_tokens, run.n), 1e-3, 2),
    Measure("cost $", lambda row: row.cost, lambda run: _mean(run.cost, run.n), 1, 4),
    Measure("seconds", lambda row: row.seconds, lambda run: run.seconds),
)


@dataclass(frozen=True, slots=True)
class Run:
    """A run's rows on the questions compared, and what they amount to. `name` begins with its number; `accuracy` is over the questions
    with a verdict in every run."""

    name: str
    rows: Sequence[Row]
    summary: Summary
    accuracy: Interval | None

    @property
    def short(self) -> str:
        """The number that its name begins with."""
        return self.name.split()[0]


@dataclass(frozen=True, slots=True)
class Compared:
    """A run against the base. `test` is None where no question has a verdict in both; `p` is corrected by Holm for all comparisons made
    together. `differences` are by measure, where both runs know it. `lost` are the questions that only the base has right, `gained` those
    that only the other has. `detectable` is the smallest true difference in accuracy that this comparison finds with 80 % power.
    """

    base: Run
    other: Run
    test: AccuracyTest | None
    p: float
    differences: dict[str, Difference]
    peak: Difference | None
    lost: Sequence[Pair]
    gained: Sequence[Pair]
    detectable: float

    @property
    def title(self) -> str:
        """What is taken from what: `2 - 1`."""
        return f"{self.other.short} - {self.base.short}"


def common_questions(runs: Sequence[Sequence[Row]]) -> list[list[Row]]:
    """Each run's rows of the questions that all have (same id, same text), in the order of the first."""
    shared = set.intersection(*({(row.question_id, row.question) for row in rows} for rows in runs))
    order = [key for row in runs[0] if (key := (row.question_id, row.question)) in shared]
    return [[known[key] for key in order] for known in ({(row.question_id, row.question): row for row in rows} for rows in runs)]


def make_runs(names: Sequence[str], rows: Sequence[Sequence[Row]]) -> list[Run]:
    """The runs under their names; all have the same questions in the same order."""
    known = [all(is_right(row) is not None for row in each) for each in zip(*rows, strict=True)]
    ruled_on = [list(compress(mine, known)) for mine in rows]
    return [
        Run(name, mine, summarise(mine), accuracy(ruled) if ruled else None)
        for name, mine, ruled in zip(names, rows, ruled_on, strict=True)
    ]


def compare_runs(runs: Sequence[Run], base: int = 0) -> list[Compared]:
    """Every other run against `runs[base]`, in their order."""
    pairs = [(other, pair_up(runs[base].rows, other.rows)) for at, other in enumerate(runs) if at != base]
    tests = [accuracy_test(each) for _, each in pairs]
    corrected = iter(holm([test.p for test in tests if test]))
    found = []
    for (other, each), test in zip(pairs, tests, strict=True):
        lost, gained = flips(each)
        found.append(
            Compared(
                base=runs[base],
                other=other,
                test=test,
                p=next(corrected) if test else 1.0,
                differences=dict(_differences(runs[base], other, each)),
                peak=mean_difference(each, lambda row: row.peak_call_bytes),
                lost=lost,
                gained=gained,
                detectable=detectable(test.difference.error, len(pairs)) if test else 0.0,
            )
        )
    return found


def flips(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """The pairs right in the first alone, and those right in the second alone."""
    known = [(is_right(one), is_right(two), (one, two)) for one, two in judged(pairs)]
    return [pair for one, two, pair in known if one and not two], [pair for one, two, pair in known if two and not one]


def _differences(base: Run, other: Run, pairs: Sequence[Pair]) -> list[tuple[str, Difference]]:
    known = [measure for measure in MEASURES if all(measure.of_run(run.summary) is not None for run in (base, other))]
    return [(measure.name, found) for measure in known if (found := mean_difference(pairs, measure.of_row))]


def _mean(total: float | None, n: int) -> float | None:
    return None if total is None or not n else total / n
