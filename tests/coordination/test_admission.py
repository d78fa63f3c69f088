import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.coordination.admission import Candidate, Gain, caption_tokens, coverage, jaccard, relevance, top_k
from taec.coordination.requirements import RequirementState

words = st.sampled_from(["alpha", "beta", "gamma", "收入", "2020", "3.5", "report"])
pools = st.lists(st.tuples(st.integers(0, 30), st.sampled_from([0.0, 0.25, 0.5, 1.0, 7.5]), st.lists(words, max_size=6)), max_size=25).map(
    lambda rows: [Candidate(f"d_p{page}", rank, score, " ".join(caption)) for rank, (page, score, caption) in enumerate(rows)]
)
states = st.lists(words, unique=True, max_size=4).map(RequirementState.uniform)
gains: st.SearchStrategy[Gain] = st.sampled_from(["marginal", "modular"])
weights = st.floats(0, 2)


def test_tokens_are_characters_words_and_numbers() -> None:
    assert caption_tokens("Total: 1,234.5 元, 营收 F172 GmbH's") == {"total", "1,234.5", "元", "营", "收", "f", "172", "gmbh", "s"}


def test_jaccard() -> None:
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert jaccard(frozenset(), frozenset()) == 0.0


def test_relevance_is_min_max_normalised() -> None:
    assert relevance([2.0, 4.0, 3.0]) == [0.0, 1.0, 0.5]
    assert relevance([3.0, 3.0, 3.0]) == [1.0, 1.0, 1.0]
    assert relevance([]) == []


def test_marginal_and_modular_differ_once_a_slot_is_covered() -> None:
    """Anchor covers alpha. By hand, alpha=.5 beta=.3 eta=0: marginal p1 .2, p2 .25+.15=.40 | modular p1 .25+.2=.45, p2 .40."""
    pool = [
        Candidate("p0", 0, 1.0, "alpha one"),
        Candidate("p1", 1, 2 / 3, "alpha two"),
        Candidate("p2", 2, 0.5, "beta three"),
        Candidate("p3", 3, 0.0, "four"),
    ]
    state = RequirementState.uniform(("alpha", "beta"))
    chosen = {
        gain: [page.page_id for page in coverage(pool, state, 2, alpha=0.5, beta=0.3, eta=0.0, gain=gain)]
        for gain in ("marginal", "modular")
    }
    assert chosen == {"marginal": ["p0", "p2"], "modular": ["p0", "p1"]}


def test_redundancy_is_the_largest_overlap_with_a_selected_page() -> None:
    """A copy of the anchor (Jaccard 1) loses .2 and falls behind a page of less relevance: .3*.9-.2=.07 against .3*.5=.15."""
    pool = [Candidate("p0", 0, 1.0, "x y"), Candidate("p1", 1, 0.9, "Y X"), Candidate("p2", 2, 0.5, "z"), Candidate("p3", 3, 0.0, "w")]
    chosen = coverage(pool, RequirementState.uniform(()), 3, alpha=0.5, beta=0.3, eta=0.2, gain="marginal")
    assert [page.page_id for page in chosen] == ["p0", "p2", "p1"]


def test_resolved_slots_no_longer_attract() -> None:
    pool = [Candidate("p0", 0, 1.0, ""), Candidate("p1", 1, 0.5, "x"), Candidate("p2", 2, 0.5, "alpha"), Candidate("p3", 3, 0.0, "")]
    for slot_weights, second in (((1.0, 0.0), "p2"), ((0.0, 1.0), "p1")):
        state = RequirementState(("alpha", "beta"), slot_weights)
        assert coverage(pool, state, 2, alpha=0.5, beta=0.3, eta=0.2, gain="marginal")[1].page_id == second


def test_ties_go_to_the_better_rank() -> None:
    pool = [Candidate(f"p{rank}", rank, 1.0, "") for rank in range(4)]
    assert [page.rank for page in coverage(pool, RequirementState.uniform(()), 3, alpha=0.5, beta=0.3, eta=0.2, gain="modular")] == [
        0,
        1,
        2,
    ]


@given(pools, states, st.integers(-1, 8), weights, weights, weights, gains)
def test_the_anchor_is_kept_and_no_page_comes_twice(
    pool: list[Candidate], state: RequirementState, k: int, alpha: float, beta: float, eta: float, gain: Gain
) -> None:
    chosen = coverage(pool, state, k, alpha=alpha, beta=beta, eta=eta, gain=gain)
    ids = [page.page_id for page in chosen]
    assert len(ids) == len(set(ids)) == min(max(0, k), len({candidate.page_id for candidate in pool}))
    if ids:
        assert ids[0] == pool[0].page_id
    assert all(0.0 <= page.slot_score <= 1.0 for page in chosen)


@given(pools, states, st.integers(0, 8))
def test_relevance_alone_is_the_retrievers_order_by_score(pool: list[Candidate], state: RequirementState, k: int) -> None:
    pool = sorted(pool, key=lambda candidate: -candidate.score)
    pool = [Candidate(c.page_id, rank, c.score, c.caption) for rank, c in enumerate(pool)]
    assert coverage(pool, state, k, alpha=0.0, beta=1.0, eta=0.0, gain="marginal") == top_k(pool, k, state.slots)


def test_top_k_carries_slot_scores() -> None:
    pool = [Candidate("p0", 0, 1.0, "alpha"), Candidate("p0", 1, 0.9, ""), Candidate("p1", 2, 0.5, "alpha beta")]
    assert [(page.page_id, page.rank, page.slot_score) for page in top_k(pool, 2, ("alpha", "beta"))] == [("p0", 0, 0.5), ("p1", 2, 1.0)]
    assert [page.slot_score for page in top_k(pool, 2)] == pytest.approx([0.0, 0.0])
