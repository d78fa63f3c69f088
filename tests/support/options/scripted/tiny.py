"""Questions about the pages of `tiny.pdf` in a folder: what is the number on page n?"""

from pathlib import Path
from typing import Literal

from pydantic import Field

from taec.benchmarks.base import Benchmark
from taec.core.pages import page_id
from taec.core.questions import Question
from taec.core.settings import Settings as Base
from taec.documents.base import Document


class Settings(Base):
    name: Literal["tiny"]
    folder: Path
    questions: int = Field(ge=1, le=1000)
    marks: tuple[str, ...]
    """Marks of the first questions, in order."""


def build(settings: Settings) -> Benchmark:
    questions = [_question(number, mark) for number, mark in _numbered(settings)]
    return Benchmark("tiny", questions, [Document("tiny.pdf", settings.folder / "tiny.pdf")], {"questions": len(questions)})


def _numbered(settings: Settings) -> list[tuple[int, str]]:
    marks = [*settings.marks, *[""] * settings.questions]
    return [(number, marks[number - 1]) for number in range(1, settings.questions + 1)]


def _question(number: int, mark: str) -> Question:
    text = f"What is the number on page {number}?"
    return Question(
        id=f"q{number}",
        text=f"{text} [{mark}]" if mark else text,
        references=(str(number),),
        answer_format="Int",
        answerable=True,
        gold=frozenset({page_id("tiny.pdf", 1 + number % 3)}),
        hop="single",
        sources=("text",),
        documents=("tiny.pdf",),
        split="report",
    )
