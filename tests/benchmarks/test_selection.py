import random

from hypothesis import given
from hypothesis import strategies as st

from taec.benchmarks.selection import select
from taec.core.questions import Question


def questions(ids: list[str]) -> list[Question]:
    return [Question(key, key, ("answer",), "Str", answerable=True) for key in ids]


@given(st.lists(st.text(max_size=8), unique=True, max_size=30), st.randoms(use_true_random=False), st.integers(1, 30))
def test_the_order_is_the_same_for_every_file_order_and_limit(ids: list[str], shuffler: random.Random, limit: int) -> None:
    everything = select(questions(ids), None)
    assert sorted(question.id for question in everything) == sorted(ids)
    shuffler.shuffle(ids)
    assert select(questions(ids), limit) == everything[:limit]


def test_the_order_is_a_fixed_one() -> None:
    assert [question.id for question in select(questions(["a", "b", "c", "d"]), 3)] == ["d", "c", "b"]
