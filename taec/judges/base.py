"""What a judge is: question, reference and answer go in, a verdict comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from taec.core.questions import Question
from taec.core.trajectory import ModelCall


@dataclass(frozen=True, slots=True)
class Verdict:
    """`correct` is None where the judge itself failed: that is judged again, never counted wrong. `rule` says what decided.

    `calls` are the model calls that it took.
    """

    correct: bool | None
    rule: str
    calls: tuple[ModelCall, ...] = ()


class Judge(Protocol):
    """Judges answers. `version` names its rules or the hash of its prompt, `model` the model that is asked, "" where none is.

    A `batched` judge rules when all answers are there, so that those of a comparison are judged together; any other at once.
    """

    name: str
    version: str
    model: str = ""
    batched: bool = False

    async def judge(self, items: Sequence[tuple[Question, str]]) -> list[Verdict]:
        """One verdict an item, in order. An empty answer is wrong by the runner's rule and never reaches a judge."""
        ...

    async def close(self) -> None:
        """Release connections."""
        return
