import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.coordination.allocation import clip_shares, detail, detail_demand, pressure_budget, proportional, shares, uniform
from taec.core.trajectory import Granularity

LOW, HIGH = 32_768, 300_000
ENERGIES = [1.854622, 0.872146, 0.723870, 0.600000]

levels = st.floats(0, 5)
budgets = st.integers(0, 2_000_000)
kinds: st.SearchStrategy[Granularity] = st.sampled_from(["page", "region"])


def of_length(n: int) -> st.SearchStrategy[list[float]]:
    return st.lists(levels, min_size=n, max_size=n)


@st.composite
def items(draw: st.DrawFn) -> tuple[list[Granularity], list[float], list[float], list[float]]:
    n = draw(st.integers(0, 7))
    return draw(st.lists(kinds, min_size=n, max_size=n)), draw(of_length(n)), draw(of_length(n)), draw(of_length(n))


def test_golden_shares() -> None:
    assert proportional(600_000, ENERGIES, LOW, HIGH) == [274_715, 129_186, 107_223, 88_874]


@pytest.mark.parametrize(
    ("characters", "pixels"), [(0, 600_000), (500, 600_000), (1_119, 661_900), (2_000, 750_000), (3_500, 900_000), (99_999, 900_000)]
)
def test_pressure_budget(characters: int, pixels: int) -> None:
    assert pressure_budget(600_000, characters, 0.5, 500, 3_500) == pixels


def test_pressure_with_equal_onset_and_full_is_a_step() -> None:
    assert [pressure_budget(100, characters, 0.5, 10, 10) for characters in (10, 11)] == [100, 150]


def test_detail_demand() -> None:
    assert detail_demand(500, 1000, 0.5) == 0.5
    assert detail_demand(5000, 1000, 0.5) == 1.0
    assert detail_demand(500, 1000, None) == 0.5
    assert detail_demand(3000, 1000, None) == 1.0
    assert detail_demand(0, 0, 0.0) == 0.0


def test_equation_four_by_hand() -> None:
    """r = (1, 3), d = (1, .5), c = (1, 1), kappa .5, tau 1: proportional .25 / .75, softmax of (1, 1.5)."""
    first = 1 / (1 + math.exp(0.5))
    expected = [1000 * (0.125 + 0.5 * first), 1000 * (0.375 + 0.5 * (1 - first))]
    assert shares(1000, [1, 3], [1, 0.5], [1, 1], 0.5, 1.0) == pytest.approx(expected)


def test_softmax_does_not_overflow() -> None:
    assert shares(100, [1e6, 1.0], [1, 1], [1, 1], 0.0, 50.0) == pytest.approx([100, 0])


@given(items(), st.floats(1, 1e6), st.floats(0, 1), st.floats(0, 10))
def test_shares_sum_to_the_budget(
    case: tuple[list[Granularity], list[float], list[float], list[float]], budget: float, kappa: float, tau: float
) -> None:
    _, r, d, c = case
    given_ = shares(budget, r, d, c, kappa, tau)
    assert all(share >= 0 for share in given_)
    if r:
        assert sum(given_) == pytest.approx(budget)


@given(items(), st.integers(1, 2_000_000), st.floats(0, 10))
def test_kappa_one_is_the_proportional_rule(
    case: tuple[list[Granularity], list[float], list[float], list[float]], budget: int, tau: float
) -> None:
    _, r, d, c = case
    expected = [value / sum(r) * budget if sum(r) else budget / len(r) for value in r]
    assert shares(budget, r, d, c, 1.0, tau) == pytest.approx(expected)
    pages: list[Granularity] = ["page"] * len(r)
    allocated = detail(budget, pages, r, d, c, kappa=1.0, tau=tau, region_share=0.6, low=LOW, high=HIGH)
    assert allocated == pytest.approx(proportional(budget, r, LOW, HIGH), abs=1)


@given(st.lists(levels, max_size=8), budgets)
def test_clipping_holds_the_bounds_and_the_budget(parts: list[float], budget: int) -> None:
    pixels = clip_shares(parts, budget, LOW, HIGH)
    assert sum(pixels) <= budget
    count = len(parts)
    if count and count * LOW <= budget:
        assert all(LOW <= value <= HIGH for value in pixels)
        assert min(budget, count * HIGH) - sum(pixels) <= count
    else:
        assert len(set(pixels)) <= 1


@given(st.lists(st.floats(0.01, 5), min_size=2, max_size=8), st.integers(300_000, 2_000_000))
def test_unclipped_images_keep_their_proportion(parts: list[float], budget: int) -> None:
    pixels = clip_shares(parts, budget, LOW, HIGH)
    free = [i for i, value in enumerate(pixels) if LOW < value < HIGH]
    for i in free:
        assert pixels[i] / pixels[free[0]] == pytest.approx(parts[i] / parts[free[0]], rel=1e-3)
    order = sorted(range(len(parts)), key=lambda i: parts[i])
    assert [pixels[i] for i in order] == sorted(pixels)


def test_freed_pixels_go_to_the_unclipped() -> None:
    assert clip_shares([8, 1, 1], 600_000, LOW, HIGH) == [300_000, 150_000, 150_000]
    assert clip_shares([0, 1, 1], 600_000, LOW, HIGH) == [32_768, 283_616, 283_616]
    assert clip_shares([100, 10, 1], 100, 20, 60) == [60, 20, 20]
    assert clip_shares([100, 10, 1], 59, 20, 60) == [19, 19, 19]
    assert clip_shares([], 100, 20, 60) == []


def test_uniform() -> None:
    assert uniform(600_000, 5, LOW, HIGH) == [120_000] * 5
    assert uniform(600_000, 1, LOW, HIGH) == [300_000]
    assert uniform(600_000, 3, LOW, HIGH) == [200_000] * 3


@given(items(), budgets, st.floats(0, 1), st.floats(0, 5), st.floats(0, 1))
def test_detail_never_exceeds_the_budget_and_uses_what_it_can(
    case: tuple[list[Granularity], list[float], list[float], list[float]], budget: int, kappa: float, tau: float, region_share: float
) -> None:
    granularities, r, d, c = case
    pixels = detail(budget, granularities, r, d, c, kappa=kappa, tau=tau, region_share=region_share, low=LOW, high=HIGH)
    count = len(granularities)
    assert len(pixels) == count
    assert sum(pixels) <= budget
    assert all(value <= HIGH for value in pixels)
    if count and count * LOW <= budget:
        assert all(value >= LOW for value in pixels)
        assert min(budget, count * HIGH) - sum(pixels) <= count + 1


def test_regions_get_the_larger_share() -> None:
    kind: list[Granularity] = ["page", "region", "region", "page"]

    def split(budget: int, kinds: list[Granularity]) -> list[int]:
        ones = [1.0] * len(kinds)
        return detail(budget, kinds, ones, ones, ones, kappa=0.5, tau=1.0, region_share=0.6, low=LOW, high=HIGH)

    assert split(600_000, kind) == [120_000, 180_000, 180_000, 120_000]
    assert split(600_000, ["page", "region"]) == [300_000, 300_000]
    assert split(600_000, ["region", "page", "page", "page"]) == [300_000, 100_000, 100_000, 100_000]
    assert split(170_000, ["region", "page", "page", "page", "page"]) == [38_928, 32_768, 32_768, 32_768, 32_768]
