"""What a judge is: question, reference and answer go in, a verdict comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from taec.core.questions import Question


@dataclass(frozen=True, slots=True)
class Verdict:
    """`correct` is None where the judge itself failed: that is judged again, never counted wrong. `rule` says what decided."""

    correct: bool | None
    rule: str


class Judge(Protocol):
    """Judges a batch, so that all answers of a comparison are judged together. `version` names its rules or the hash of its prompt."""

    name: str
    version: str

    async def judge(self, items: Sequence[tuple[Question, str]]) -> list[Verdict]:
        """One verdict an item, in order. An empty answer is wrong by the runner's rule and never reaches a judge."""
        ...
