"""Which questions of a benchmark are asked, and in what order."""

from collections.abc import Iterable
from hashlib import sha256

from taec.core.questions import Question


def select(questions: Iterable[Question], limit: int | None) -> list[Question]:
    """The first `limit` questions (None: all) in an order shuffled once and for all.

    The order is that of the sha256 of the question id: independent of the file's order, and the first N of it are part of the
    first N + 1, so a longer run goes on where a shorter one stopped.
    """
    shuffled = sorted(questions, key=lambda question: (sha256(question.id.encode()).digest(), question.id))
    return shuffled[:limit]
