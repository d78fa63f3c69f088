"""What a reference is (a number, a date, yes or no, a text) and where an answer says it."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from taec.core.questions import AnswerFormat
from taec.judges.dates import Date, SlashDates, dates
from taec.judges.quantities import Quantity, quantities, strong
from taec.judges.text import Text, read
from taec.judges.words import QUALIFIERS

Kind = Literal["number", "date", "yes_no", "text"]
Span = tuple[int, int]

YES = frozenset({"yes", "是", "是的", "对"})
NO = frozenset({"no", "否", "不是", "不"})
_BEGINNING = re.compile(
    r"(?:(yes(?![^\W_])|是的?|对的?)|(no(?= (?:it|they|the|this|there) )|(?:no|否|不是的?)(?:\W*$|\s*[-,.;:!(\n](?!\s*\d))))"
)
_END = re.compile(r"(?<![^\W_])(?:(yes|是|对)|(no|否))\W*$")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with its dates and quantities."""

    text: Text
    dates: Sequence[Date]
    quantities: Sequence[Quantity]


@dataclass(frozen=True, slots=True)
class Reference:
    """A right answer and what kind of thing it is. A `number` has one quantity or a fixed sequence of them (`28°C / 22°C`)."""

    kind: Kind
    reading: Reading

    @property
    def text(self) -> Text:
        return self.reading.text


def reading(raw: str, order: SlashDates) -> Reading:
    """A text, read for its dates and quantities."""
    text = read(raw)
    found = dates(text.canonical, order)
    return Reading(text, found, quantities(text.canonical, found))


def reference(raw: str, answer_format: AnswerFormat, order: SlashDates) -> Reference:
    """A reference by its kind. Under `Int` and `Float` any text with a number counts as its first number (`161 responses`)."""
    read_raw = reading(raw, order)
    text = read_raw.text
    if text.key in YES | NO:
        return Reference("yes_no", read_raw)
    if read_raw.dates and not _words_outside(text, [(date.start, date.end) for date in read_raw.dates[:1]]):
        return Reference("date", read_raw)
    amounts = strong(read_raw.quantities)
    if amounts and answer_format in ("Int", "Float"):
        return Reference("number", Reading(text, read_raw.dates, amounts[:1]))
    if amounts and not _words_outside(text, [(one.start, one.end) for one in amounts]):
        return Reference("number", Reading(text, read_raw.dates, amounts))
    return Reference("text", read_raw)


def polarity(answer: Text) -> str:
    """`yes` or `no` where the answer begins or ends with it ("" where it does neither, or both).

    The word has to stand for itself: `No. 5`, `No answer` and `Northern` hold no `no`.
    """
    found = (_BEGINNING.match(answer.canonical), _END.search(answer.canonical))
    said = {"yes" if match[1] else "no" for match in found if match}
    return said.pop() if len(said) == 1 else ""


def spans(wanted: Reference, answer: Reading) -> list[Span]:
    """Places in the canonical answer that say the reference: equal numbers, dates that state it, or its words at token boundaries."""
    if wanted.kind == "date":
        return [(date.start, date.end) for date in answer.dates if date.states(wanted.reading.dates[0])]
    if wanted.kind == "number" and len(wanted.reading.quantities) == 1:
        one = wanted.reading.quantities[0]
        return [
            (found.start, found.end)
            for found in answer.quantities
            if found.value == one.value and (found.unit in ("", one.unit) or not one.unit)
        ]
    tokens = answer.text.tokens
    return [(tokens[first].start, tokens[last - 1].end) for first, last in answer.text.find(wanted.text.words)]


def overlaps(span: Span, others: Collection[Span]) -> bool:
    """Whether a place shares a character with any other."""
    return any(span[0] < end and start < span[1] for start, end in others)


def _words_outside(text: Text, covered: Collection[Span]) -> list[str]:
    """Words that stand outside the given places and are more than connectives."""
    return [token.text for token in text.tokens if token.text not in QUALIFIERS and not overlaps((token.start, token.end), covered)]
