"""The statistics of pairs: against scipy where it is there, and laws that hold for any verdicts."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.analysis.paired import accuracy_test, clusters_of, detectable, holm, mcnemar, mean_difference, pair_up, paired_bootstrap
from taec.analysis.statistics import FEWEST_DOCUMENTS

COUNT = st.integers(0, 3000)
P_VALUES = st.lists(st.floats(1e-9, 1), max_size=12)


@given(COUNT, COUNT)
def test_mcnemar_is_symmetric_and_a_probability(lost: int, gained: int) -> None:
    assert 0 < mcnemar(lost, gained) <= 1
    assert mcnemar(lost, gained) == mcnemar(gained, lost)


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_scipys_binomial(lost: int, gained: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    known = stats.binomtest(lost, lost + gained).pvalue if lost + gained else 1.0
    assert mcnemar(lost, gained) == pytest.approx(known, rel=1e-9)


def test_mcnemar_by_hand() -> None:
    assert mcnemar(0, 0) == mcnemar(7, 7) == 1.0
    assert mcnemar(1, 5) == 2 * (1 + 6) / 64
    assert mcnemar(0, 10) == 2 / 1024


@given(P_VALUES)
def test_holm_lies_between_the_raw_value_and_bonferronis(raw: list[float]) -> None:
    adjusted = holm(raw)
    assert all(one <= two <= min(1, one * len(raw)) for one, two in zip(raw, adjusted, strict=True))
    ordered = [two for _, two in sorted(zip(raw, adjusted, strict=True))]
    assert ordered == sorted(ordered)


def test_holm_by_hand() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []


@given(st.integers(0, 10_000), st.floats(0.05, 0.95), st.integers(1, 8))
def test_a_large_samples_interval_holds_its_difference(seed: int, share: float, questions: int) -> None:
    chance = random.Random(seed)
    found = [(chance.random() < share) - (chance.random() < 0.5) for _ in range(400)]
    difference = paired_bootstrap(found, [str(at // questions) for at in range(400)])
    assert difference.low <= difference.value <= difference.high
    assert difference.value == pytest.approx(sum(found) / 400)
    assert (difference.clusters, difference.method) == (-(-400 // questions), "document bootstrap")


def test_the_standard_error_is_that_of_a_mean() -> None:
    chance = random.Random(7)
    found = [chance.gauss(0.3, 2) for _ in range(900)]
    difference = paired_bootstrap(found, [str(at) for at in range(900)])
    assert difference.error == pytest.approx(2 / 30, rel=0.1)
    assert difference.high - difference.low == pytest.approx(2 * 1.96 * 2 / 30, rel=0.12)


def test_questions_that_flip_together_widen_the_interval() -> None:
    flips = [1 if at // 10 % 2 else -1 for at in range(400)]
    together = paired_bootstrap(flips, [str(at // 10) for at in range(400)])
    apart = paired_bootstrap(flips, [str(at) for at in range(400)])
    assert together.high - together.low > 2 * (apart.high - apart.low)


def test_few_documents_are_not_drawn() -> None:
    few = paired_bootstrap([1, 0, 0, -1, 1] * FEWEST_DOCUMENTS, [str(at % (FEWEST_DOCUMENTS - 1)) for at in range(5 * FEWEST_DOCUMENTS)])
    assert (few.method, few.clusters) == ("question bootstrap", 5 * FEWEST_DOCUMENTS)


def test_pairs_are_of_one_question_in_the_firsts_order(row) -> None:
    first = [row(question_id=name) for name in "cab"]
    second = [row(question_id="a"), row(question_id="c"), row(question_id="b", question="Another text?"), row(question_id="d")]
    assert [(one.question_id, two.question_id) for one, two in pair_up(first, second)] == [("c", "c"), ("a", "a")]


def test_failures_are_wrong_and_what_has_no_verdict_is_left_out(row) -> None:
    first = [row(), row(), row(correct=False), row(correct=False), row(correct=None)]
    second = [row(), row(correct=None, failure="call_ceiling"), row(), row(correct=False), row()]
    test = accuracy_test(list(zip(first, second, strict=True)))
    assert test is not None
    assert (test.n, test.both_right, test.lost, test.gained, test.both_wrong, test.unjudged) == (4, 1, 1, 1, 1, 1)
    assert (test.difference.value, test.p) == (0, 1)
    assert accuracy_test([(row(correct=None), row())]) is None


@given(verdicts=st.lists(st.tuples(st.booleans(), st.integers(0, 30), st.integers(0, 10**6)), min_size=1, max_size=60))
def test_a_run_against_itself_differs_in_nothing(verdicts) -> None:
    from support.rows import judged_row

    rows = [judged_row(f"q{at}", right, document=f"{doc}.pdf", context_bytes=size) for at, (right, doc, size) in enumerate(verdicts)]
    pairs = pair_up(rows, rows)
    test = accuracy_test(pairs)
    assert test is not None
    assert (test.p, test.lost, test.gained) == (1.0, 0, 0)
    assert (test.difference.value, test.difference.low, test.difference.high) == (0, 0, 0)
    size = mean_difference(pairs, lambda one: one.context_bytes)
    assert size is not None
    assert (size.value, size.low, size.high, size.is_clear) == (0, 0, 0, False)


def test_a_measure_unknown_on_a_side_leaves_its_pair_out(row) -> None:
    pairs = [(row(cost=1.0), row(cost=3.0)), (row(cost=None), row(cost=9.0))]
    found = mean_difference(pairs, lambda one: one.cost)
    assert found is not None
    assert (found.value, found.n) == (2.0, 1)
    assert mean_difference(pairs[1:], lambda one: one.cost) is None


def test_a_question_without_documents_is_a_cluster_of_its_own(row) -> None:
    one, two, three = row(question_id="a"), row(question_id="b", documents=()), row(question_id="c", documents=())
    assert len(set(clusters_of([(one, one), (one, one), (two, two), (three, three)]))) == 3


def test_what_can_be_detected_grows_with_the_comparisons() -> None:
    assert detectable(0.01) == pytest.approx(0.028016, rel=1e-4)
    assert detectable(0.01, comparisons=6) > detectable(0.01)
