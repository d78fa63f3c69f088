"""Judged rows as a run would have left them, made without one."""

from taec.core.questions import Question
from taec.core.trajectory import Graph, Trajectory
from taec.records.rows import Row, make_row


def judged_row(name: str, right: bool, document: str = "a.pdf", answer: str = "Lycoming", **fields: object) -> Row:
    """A question about a document with its answer and verdict; `fields` replace the row's own."""
    question = Question(
        name, f"Which engine ({name})?", ("Lycoming",), "Str", True, gold=frozenset({f"{document}_p1"}), documents=(document,)
    )
    row = make_row(question, Trajectory(question.text, Graph(question.text), answer, "answered"), 2.0, "c0de", "f1f1")
    return row.model_copy(update={"correct": right, "covered": right, **fields})
