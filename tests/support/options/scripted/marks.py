"""A judge that compares, and cannot decide where the question says so."""

import os
from collections.abc import Sequence
from typing import Literal

from taec.core.questions import Question
from taec.core.settings import Settings as Base
from taec.judges.base import Judge, Verdict


class Settings(Base):
    name: Literal["marks"]


class Marks(Judge):
    name = "marks"
    version = "1"

    async def judge(self, items: Sequence[tuple[Question, str]]) -> list[Verdict]:
        return [self._verdict(question, answer) for question, answer in items]

    def _verdict(self, question: Question, answer: str) -> Verdict:
        if "[undecided]" in question.text and "SCRIPTED_UP" not in os.environ:
            return Verdict(None, "undecided")
        return Verdict(answer == question.references[0], "same")


def build(settings: Settings) -> Marks:
    return Marks()
