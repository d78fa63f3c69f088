from collections.abc import Callable

import pytest

from taec.core.questions import Question
from taec.core.trajectory import Graph, Trajectory
from taec.records.rows import Row, make_row


@pytest.fixture
def row() -> Callable[..., Row]:
    """Makes a judged row; keywords replace its fields."""
    question = Question("q", "Which engine?", ("Lycoming",), "Str", True, gold=frozenset({"a.pdf_p1"}), documents=("a.pdf",))
    plain = make_row(question, Trajectory(question.text, Graph(question.text), "Lycoming", "answered"), 2.0, "c0de", "f1f1")

    def make(**fields: object) -> Row:
        return plain.model_copy(update={"correct": True, "covered": True, **fields})

    return make
