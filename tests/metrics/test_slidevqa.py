"""Expected values were read off upstream's functions for answers, which agree with ours on 58,000 pairs."""

import pytest

from taec.metrics.slidevqa import exact_match, f1, words


@pytest.mark.parametrize(
    ("question", "answer", "reference", "em", "overlap"),
    [
        ("What?", "The Apple, Inc.", "apple inc", 1, 1),
        ("What?", "five", "5", 1, 1),
        ("What?", "Yes, it is so", "yes", 1, 1),
        ("What?", "20 percent", "20%", 1, 1),
        ("What?", "tea & milk", "tea and milk", 1, 1),
        ("Say how many users there are", "10 users", "10", 1, 1),
        ("How many users are there?", "10 users", "10", 0, 2 / 3),  # a capital H is not seen
        ("What?", "red green blue", "green blue", 0, 4 / 5),
        ("What?", "blue green", "green blue", 0, 1),
        ("What?", "yellow", "green blue", 0, 0),
        ("What?", "the", "a", 0, 0),  # nothing is left of either
        ("Tell me which", "this one", "this 1", 1, 1),  # upstream breaks where nothing follows
    ],
)
def test_scores(question: str, answer: str, reference: str, em: float, overlap: float) -> None:
    assert exact_match(question, answer, reference) == em
    assert f1(question, answer, reference) == pytest.approx(overlap)


def test_repeated_words_count_as_often_as_both_have_them() -> None:
    assert f1("What?", "no no no", "no") == 1  # what begins with no is no
    assert f1("What?", "big big dog", "big dog") == pytest.approx(4 / 5)


def test_words() -> None:
    assert words("It is due to an Organisation, twelve hours!", "What?") == ["organization", "12", "hrs"]
