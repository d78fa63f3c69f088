"""Giving up a trial: on the same questions only, by the test that it says it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, wilcoxon
from support.rows import judged_row

from taec.study.pruning import Pruned, Watch, worse
from taec.study.settings import PrunerSettings

SETTINGS = PrunerSettings(name="wilcoxon", p=0.05, after=6, every=2)


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), max_size=60))
def test_of_right_and_wrong_it_is_the_exact_sign_test(differences: list[float]) -> None:
    won, lost = differences.count(1.0), differences.count(-1.0)
    expected = binomtest(won, won + lost, alternative="less").pvalue if won + lost else 1.0
    assert worse(differences) == pytest.approx(expected)


def test_of_amounts_it_is_the_signed_rank_test_without_zeros() -> None:
    differences = [-3.0, 0.0, -1.5, 2.0, -4.0, -0.5, 0.0, -7.0]
    assert worse(differences) == pytest.approx(wilcoxon([each for each in differences if each], alternative="less").pvalue)


def test_a_clear_loser_is_given_up_once_enough_is_answered() -> None:
    watch = Watch(SETTINGS, "accuracy", {f"q{n}": 1.0 for n in range(20)})
    for n in range(5):
        watch.add(judged_row(f"q{n}", right=False))
    with pytest.raises(Pruned, match="after 6 questions"):
        watch.add(judged_row("q5", right=False))


def test_a_trial_that_is_as_good_goes_on_to_its_end() -> None:
    watch = Watch(SETTINGS, "accuracy", {f"q{n}": float(n % 2) for n in range(40)})
    for n in range(40):
        watch.add(judged_row(f"q{n}", right=n % 2 == 1))
    assert watch.p == 1.0


def test_other_questions_are_compared_with_nothing() -> None:
    watch = Watch(SETTINGS, "accuracy", {f"q{n}": 1.0 for n in range(5)})
    for n in range(5, 40):
        watch.add(judged_row(f"q{n}", right=False))
    for n in range(4):
        watch.add(judged_row(f"q{n}", right=False))
    assert watch.p == 1.0


def test_a_question_without_a_verdict_is_left_out() -> None:
    watch = Watch(SETTINGS, "accuracy", {f"q{n}": 1.0 for n in range(40)})
    for n in range(39):
        watch.add(judged_row(f"q{n}", right=False, correct=None))
    assert watch.p == 1.0


def test_of_bytes_more_is_worse() -> None:
    best = {f"q{n}": 1000.0 for n in range(20)}
    fewer = Watch(SETTINGS, "context_bytes", best)
    for n in range(20):
        fewer.add(judged_row(f"q{n}", right=False, context_bytes=900))
    more = Watch(SETTINGS, "context_bytes", best)
    for n in range(5):
        more.add(judged_row(f"q{n}", right=True, context_bytes=1001 + n))
    with pytest.raises(Pruned):
        more.add(judged_row("q5", right=True, context_bytes=1006))


def test_the_last_question_is_no_reason_to_give_up() -> None:
    watch = Watch(SETTINGS, "accuracy", {f"q{n}": 1.0 for n in range(6)})
    for n in range(6):
        watch.add(judged_row(f"q{n}", right=False))
