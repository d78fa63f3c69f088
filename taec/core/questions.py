"""Questions as every benchmark loader gives them."""

from dataclasses import dataclass
from typing import Literal

AnswerFormat = Literal["Str", "Int", "Float", "List", "None"]
MetricName = Literal["em", "f1", "mmlongbench", "anls"]
"""Official metrics of answers (`taec.metrics.official`)."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its reference.

    `references` are right spellings of the whole answer, the benchmark's own first; a `List` answer has its items in
    `items` too. `gold` and `stand_ins` hold page ids: a stand-in page can serve for a gold page. `hop` and `sources`
    are the benchmark's labels (empty where it has none) and `documents` the files that the question is about.
    """

    id: str
    text: str
    references: tuple[str, ...]
    answer_format: AnswerFormat
    answerable: bool
    items: tuple[str, ...] = ()
    gold: frozenset[str] = frozenset()
    stand_ins: frozenset[str] = frozenset()
    hop: str = ""
    sources: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    split: str = ""
