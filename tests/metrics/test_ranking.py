import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.metrics.ranking import Case, ranking_scores

CUTS = (1, 3, 5)
PAGES = st.lists(st.integers(0, 9).map(str), unique=True, max_size=8)
SETS = st.frozensets(st.integers(0, 9).map(str), min_size=1, max_size=4)


def by_hand(case: Case, k: int) -> dict[str, float]:
    first, either = list(case.pages[:k]), case.gold | case.stand_ins
    gain = sum(1 / math.log2(rank + 2) for rank, page in enumerate(first) if page in case.gold)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(k, len(case.gold))))
    found = len(case.gold & set(first))
    return {
        f"hit@{k}": float(bool(either & set(first))),
        f"recall@{k}": found / len(case.gold),
        f"all_gold@{k}": float(found == len(case.gold)),
        f"ndcg@{k}": gain / ideal,
    }


@given(st.lists(st.builds(Case, PAGES, SETS, st.frozensets(st.integers(0, 9).map(str), max_size=2)), min_size=1, max_size=4))
def test_the_measures_are_what_their_definitions_say(cases: list[Case]) -> None:
    scores = ranking_scores({str(at): case for at, case in enumerate(cases)}, CUTS)
    for at, case in enumerate(cases):
        ranks = [rank for rank, page in enumerate(case.pages, start=1) if page in case.gold | case.stand_ins]
        expected = {"mrr": 1 / ranks[0] if ranks else 0.0}
        for k in CUTS:
            expected |= by_hand(case, k)
        assert scores[str(at)] == pytest.approx(expected, abs=1e-6)


def test_equal_ranks_do_not_exist_and_order_decides() -> None:
    """trec_eval breaks ties by name; a ranking has none."""
    scores = ranking_scores({"q": Case(["z", "a"], frozenset({"z"}))}, (1,))
    assert scores["q"]["hit@1"] == 1
