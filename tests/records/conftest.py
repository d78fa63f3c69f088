from collections.abc import Callable

import pytest

from taec.core.pages import Box
from taec.core.questions import Question
from taec.core.trajectory import Graph, Memory, ModelCall, Search, SentImage, Trajectory
from taec.records.rows import Row, make_row

Finished = Callable[..., tuple[Row, Trajectory]]


@pytest.fixture
def finished() -> Finished:
    """Makes a finished question of a given id: its row and its trajectory."""

    def make(question_id: str = "q1", answer: str = "Lycoming “ü” 北京\nsecond line") -> tuple[Row, Trajectory]:
        question = Question(question_id, "Which engine?", ("Lycoming",), "Str", True, gold=frozenset({"a.pdf_p1"}), documents=("a.pdf",))
        graph = Graph(question.text)
        node, _ = graph.add_search("s1", ["root"], "engine maker", ["a.pdf_p1"])
        graph.summarise(node.id, "A Lycoming.", [Memory("a.pdf_p1", node.id, "region", 4, 3.5, 0, 0.5, Box(0.1, 0.2, 0.5, 0.9))])
        graph.add_answer([node.id], answer)
        trajectory = Trajectory(question.text, graph, answer, "answered", slots=("engine",), slot_source="keywords", events=["note"])
        image = SentImage("a.pdf_p1", None, 300_000, 448, 560, 37_000)
        trajectory.calls.append(ModelCall("act", (image,), 90, "ok", ("add_answer_node",), "reader", 0.5))
        trajectory.searches.append(Search("engine maker", 25, ("a.pdf_p1",), (0.5,), ("b.pdf_p2",)))
        trajectory.notice("unknown_parent")
        return make_row(question, trajectory, 1.5, "c0de", "f1f1"), trajectory

    return make
