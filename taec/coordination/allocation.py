"""Visual detail allocation: how many pixels each re-presented picture gets (specification, section 6; paper, appendix A.5, equation 4)."""

import math
from collections.abc import Sequence

from taec.core.trajectory import Granularity

LENGTH_SHARE = 0.5
"""Weight of the caption's length against slot support in the detail demand of a page (ours: both alike)."""


def pressure_budget(base: int, characters: int, rho: float, onset: int, full: int) -> int:
    """B_t in pixels: `base`, growing to base * (1 + rho) while the text shown grows from `onset` to `full` characters."""
    pressure = (characters - onset) / max(1, full - onset)
    return math.floor(base * (1 + rho * min(1.0, max(0.0, pressure))))


def detail_demand(caption_length: int, p95: int, slot_score: float | None) -> float:
    """d_i of a page, 0..1, from its caption's length over the collection's 95th percentile and its slot support.

    Without slot support (None, allocation without admission) the length counts alone. A region's d_i is 1 and needs no function.
    """
    length = caption_length / max(1, p95)
    blend = length if slot_score is None else LENGTH_SHARE * length + (1 - LENGTH_SHARE) * slot_score
    return min(1.0, max(0.0, blend))


def shares(
    budget: float, relevance: Sequence[float], demand: Sequence[float], support: Sequence[float], kappa: float, tau: float
) -> list[float]:
    """Equation 4 within one group: r_i = `relevance`, d_i = `demand`, c_i = `support`; pixels that sum to `budget`, before clipping.

    kappa = 1 is the proportional rule; relevance that is zero throughout is shared equally.
    """
    proportional = _normalised(relevance)
    logits = [tau * r * d * c for r, d, c in zip(relevance, demand, support, strict=True)]
    top = max(logits, default=0.0)
    focused = _normalised([math.exp(logit - top) for logit in logits])
    return [budget * (kappa * first + (1 - kappa) * second) for first, second in zip(proportional, focused, strict=True)]


def clip_shares(shares: Sequence[float], budget: float, low: int, high: int) -> list[int]:
    """Whole pixels in proportion to `shares`, each within [low, high], together `budget` less what rounding down loses.

    What clipping frees or takes goes to the unclipped in proportion, again and again. Each round settles one side only, the
    side that is further off, so no image is held at a bound that the final scale would not put it at. The budget is never
    exceeded: too small for `low` each, all get an equal part below `low`; too large for `high` each, all get `high`.
    """
    count = len(shares)
    if count * low > budget:
        return [math.floor(budget / count)] * count
    budget = min(math.floor(budget), count * high)
    settled: dict[int, int] = {}
    while len(settled) < count:
        free = [i for i in range(count) if i not in settled]
        left = budget - sum(settled.values())
        wanted = dict(zip(free, (left * part for part in _normalised([shares[i] for i in free])), strict=True))
        excess = sum(min(high, max(low, value)) - value for value in wanted.values())
        bound = {i: low for i in free if wanted[i] < low} if excess > 0 else {i: high for i in free if wanted[i] > high}
        if not bound:
            return [settled[i] if i in settled else math.floor(wanted[i] + 1e-6) for i in range(count)]
        settled |= bound
    return [settled[i] for i in range(count)]


def uniform(budget: int, n: int, low: int, high: int) -> list[int]:
    """Equal pixels for `n` images, as the plain DAG agent gives them."""
    return clip_shares([1.0] * n, budget, low, high)


def proportional(budget: int, relevance: Sequence[float], low: int, high: int) -> list[int]:
    """Pixels in proportion to energy."""
    return clip_shares(relevance, budget, low, high)


def detail(
    budget: int,
    granularities: Sequence[Granularity],
    relevance: Sequence[float],
    demand: Sequence[float],
    support: Sequence[float],
    *,
    kappa: float,
    tau: float,
    region_share: float,
    low: int,
    high: int,
) -> list[int]:
    """Equation 4 within the regions and within the rest, clipped to [low, high]; pixels by image, in the order given.

    Regions get `region_share` of the budget when both are present. That share bends where one side could not use its part
    (all its images at `high`) or could not live on it (`low` each) and the other side can give or take the difference. A
    budget too small for `low` each is divided equally among all.
    """
    count = len(granularities)
    if count * low > budget:
        return [math.floor(budget / count)] * count
    regions = [i for i, kind in enumerate(granularities) if kind == "region"]
    others = [i for i in range(count) if i not in regions]
    for_regions = _split(budget, len(regions), len(others), region_share, low, high)
    pixels = [0] * count
    for group, part in ((regions, for_regions), (others, budget - for_regions)):
        r, d, c = ([values[i] for i in group] for values in (relevance, demand, support))
        for i, given in zip(group, clip_shares(shares(part, r, d, c, kappa, tau), part, low, high), strict=True):
            pixels[i] = given
    return pixels


def _split(budget: int, regions: int, others: int, region_share: float, low: int, high: int) -> int:
    """The regions' part of a budget that suffices for `low` each."""
    least = max(regions * low, min(budget, (regions + others) * high) - others * high)
    most = min(regions * high, budget - others * low)
    return min(most, max(least, math.floor(budget * region_share)))


def _normalised(values: Sequence[float]) -> list[float]:
    """`values` over their sum; equal parts where all are zero."""
    total = sum(values)
    return [value / total if total > 0 else 1 / len(values) for value in values]
