"""Two runs on the same questions: how far they are apart, and how far chance alone would bring them.

Questions are compared pair by pair, which takes the difficulty of each question out of the difference. Every function is pure; a
difference is always the second run minus the first.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from taec.analysis.statistics import CONFIDENCE, FEWEST_DOCUMENTS, RESAMPLES, SEED, is_right
from taec.records.rows import Row

if TYPE_CHECKING:
    import numpy as np

POWER = 0.8
"""The chance of finding a difference that is there, by which the smallest detectable one is stated (the usual choice)."""

Pair = tuple[Row, Row]


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of second minus first over `n` pairs, with its interval, in the unit of what was measured (shares are 0..1).

    `error` is the standard error. `clusters` were drawn by the bootstrap; `method` is `document bootstrap`, or `question bootstrap`
    where the documents are too few to be drawn.
    """

    value: float
    low: float
    high: float
    error: float
    n: int
    clusters: int
    method: str

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class AccuracyTest:
    """Two runs' verdicts on the same questions: the four counts, the difference of the accuracies and McNemar's exact `p`.

    `lost` are right in the first alone, `gained` in the second alone. `unjudged` pairs lack a verdict in either run and are left out.
    """

    both_right: int
    lost: int
    gained: int
    both_wrong: int
    unjudged: int
    difference: Difference
    p: float

    @property
    def n(self) -> int:
        """Pairs with both verdicts."""
        return self.both_right + self.lost + self.gained + self.both_wrong


def pair_up(first: Sequence[Row], second: Sequence[Row]) -> list[Pair]:
    """The rows of the questions that both have (same id, same text), in the order of the first."""
    others = {(row.question_id, row.question): row for row in second}
    return [(row, other) for row in first if (other := others.get((row.question_id, row.question)))]


def judged(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs with a verdict on either side; a failure is one."""
    return [(one, two) for one, two in pairs if is_right(one) is not None and is_right(two) is not None]


def accuracy_test(pairs: Sequence[Pair]) -> AccuracyTest | None:
    """What the verdicts of two runs say. None where no question has a verdict in both."""
    known = judged(pairs)
    if not known:
        return None
    verdicts = [(is_right(one) is True, is_right(two) is True) for one, two in known]
    lost, gained = verdicts.count((True, False)), verdicts.count((False, True))
    return AccuracyTest(
        both_right=verdicts.count((True, True)),
        lost=lost,
        gained=gained,
        both_wrong=verdicts.count((False, False)),
        unjudged=len(pairs) - len(known),
        difference=paired_bootstrap([two - one for one, two in verdicts], clusters_of(known)),
        p=mcnemar(lost, gained),
    )


def mean_difference(pairs: Sequence[Pair], measure: Callable[[Row], float | None]) -> Difference | None:
    """The difference of a measure's means over the pairs in which both are known; None where there is none."""
    found = [(pair, one, two) for pair in pairs if (one := measure(pair[0])) is not None and (two := measure(pair[1])) is not None]
    if not found:
        return None
    return paired_bootstrap([two - one for _, one, two in found], clusters_of([pair for pair, _, _ in found]))


def clusters_of(pairs: Sequence[Pair]) -> list[str]:
    """What goes right or wrong together: the questions about one document; one that names none stands alone."""
    return [f"document {one.documents[0]}" if one.documents else f"question {one.question_id}" for one, _ in pairs]


def paired_bootstrap(differences: Sequence[float], clusters: Sequence[str], confidence: float = CONFIDENCE) -> Difference:
    """Percentile interval of a mean difference whose pairs come in clusters: whole clusters are drawn with replacement, with a fixed
    seed. Below `FEWEST_DOCUMENTS` clusters single pairs are drawn instead. `differences` holds at least one."""
    import numpy as np

    values = np.asarray(differences, dtype=float)
    names, index = np.unique(np.asarray(clusters), return_inverse=True)
    by_document = len(names) >= FEWEST_DOCUMENTS
    if not by_document:
        index = np.arange(len(values))
    sizes, sums = np.bincount(index), np.bincount(index, weights=values)
    drawn = _draws(len(sizes))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    method = "document bootstrap" if by_document else "question bootstrap"
    return Difference(float(values.mean()), float(low), float(high), float(means.std()), len(values), len(sizes), method)


def mcnemar(lost: int, gained: int) -> float:
    """The exact two-sided p of McNemar's test (1947): among the questions that flipped, each direction is as likely as the other.

    In (0, 1]: what is too small for a float is the smallest one.
    """
    flipped = lost + gained
    tail = ways = 1
    for at in range(1, min(lost, gained) + 1):
        ways = ways * (flipped - at + 1) // at
        tail += ways
    return max(sys.float_info.min, min(1.0, 2 * tail / (1 << flipped)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction (1979) of p-values that were found together, in their order; valid whatever their dependence."""
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = highest
    return adjusted


def detectable(error: float, comparisons: int = 1, power: float = POWER, confidence: float = CONFIDENCE) -> float:
    """The smallest true difference that a comparison with this standard error finds with the given power (normal approximation).

    With several comparisons the level of the first step of Holm's correction is meant.
    """
    from statistics import NormalDist

    normal = NormalDist()
    return (normal.inv_cdf(1 - (1 - confidence) / comparisons / 2) + normal.inv_cdf(power)) * error


@lru_cache(maxsize=4)
def _draws(count: int) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    """Which clusters each resample holds; the same for every measure of a comparison."""
    import numpy as np

    return np.random.default_rng(SEED).integers(count, size=(RESAMPLES, count))
