"""A page's OCR lines put in order: boxes beside and below each other, label and value pairs, paragraphs and sentences."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from taec.backbones.ocr import Line
from taec.backbones.reading.words import stems
from taec.core.text import sentences

_BULLET = re.compile(r"^\s*(?:[•·●▪■◦*]|[-–]\s|\(?\d{1,2}[.)]\s|\(?[a-z][.)]\s)")
_LABEL_END = re.compile(r"[:：;]\s*$")
_INLINE = re.compile(r"^\s*([^:：]{2,50}?)\s*[:：]\s+(\S.*)$")


@dataclass(frozen=True, slots=True)
class Passage:
    """Running text from one paragraph: the joined text, the indices of its lines and their mean recognition score."""

    text: str
    lines: tuple[int, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Field:
    """A label with what stands beside or below it. `value` is "" where the form is printed but not filled in."""

    label: str
    value: str
    lines: tuple[int, ...]
    score: float
    marked: bool
    """The label carries a colon."""


class Sheet:
    """One read page. Everything derived from its lines is worked out once, when first asked for."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = tuple(line for line in lines if line.text.strip())

    @cached_property
    def height(self) -> float:
        """The median line height in pixels; 1 on an empty page."""
        return median(line.bottom - line.top for line in self.lines) if self.lines else 1.0

    @cached_property
    def legibility(self) -> float:
        """Mean recognition score weighted by text length, 0..1: low where the picture was too small to read."""
        letters = sum(len(line.text) for line in self.lines)
        return sum(line.score * len(line.text) for line in self.lines) / letters if letters else 0.0

    @cached_property
    def line_stems(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(stems(line.text)) for line in self.lines)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Stems of every word on the page."""
        return frozenset(word for line in self.line_stems for word in line)

    @cached_property
    def text(self) -> str:
        return "\n".join(passage.text for passage in self.passages)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Paragraphs in reading order; on a form every filled field is one, and its lines are in no other."""
        if not self.is_form:
            return tuple(self._passage(chain) for chain in _chains(self.lines, frozenset()))
        fields = [Passage(f"{field.label}: {field.value}", field.lines, field.score) for field in self.fields if field.value]
        used = frozenset(line for field in self.fields for line in field.lines)
        return (*fields, *(self._passage(chain) for chain in _chains(self.lines, used)))

    @cached_property
    def sentences(self) -> tuple[Passage, ...]:
        """Sentences, each with the lines of its paragraph that it touches; a bullet or a heading is a sentence of its own."""
        return tuple(sentence for passage in self.passages for sentence in self._sentences(passage))

    @cached_property
    def sentence_stems(self) -> tuple[tuple[str, ...], ...]:
        """Stems of each sentence, in the order of `sentences`."""
        return tuple(tuple(stems(sentence.text)) for sentence in self.sentences)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Label and value pairs of labels that carry a colon."""
        return tuple(field for index, line in enumerate(self.lines) for field in self._marked(index, line))

    @cached_property
    def is_form(self) -> bool:
        """At least four labels with a value beside them: a page where an empty place means something."""
        return sum(bool(field.value) for field in self.fields) >= 4

    def in_field(self, passage: Passage) -> bool:
        """The passage is a field of the form, or part of one."""
        return any(set(passage.lines) <= set(field.lines) for field in self.fields)

    @cached_property
    def label_columns(self) -> tuple[float, ...]:
        """Left edges that at least four marked labels share, without the page's own left edge: prose begins there too."""
        edge = min((line.left for line in self.lines), default=0.0) + 5 * self.height
        lefts = sorted(line.left for line in self.lines if line.left > edge and _LABEL_END.search(line.text))
        columns: list[list[float]] = []
        for left in lefts:
            if columns and left - columns[-1][-1] <= 0.35 * self.height:
                columns[-1].append(left)
            else:
                columns.append([left])
        return tuple(median(column) for column in columns if len(column) >= 4)

    def is_label(self, index: int) -> bool:
        """A line that ends in a colon, or stands in a column of such lines (OCR loses colons)."""
        line = self.lines[index]
        return bool(_LABEL_END.search(line.text)) or any(abs(line.left - left) <= 0.4 * self.height for left in self.label_columns)

    def right_of(self, index: int) -> list[int]:
        """Lines on the same row to the right, nearest first."""
        label = self.lines[index]
        middle, reach = _middle(label), 0.55 * (label.bottom - label.top)
        found = [
            other
            for other, line in enumerate(self.lines)
            if other != index and abs(_middle(line) - middle) <= reach and line.left >= label.right - 0.6 * self.height
        ]
        return sorted(found, key=lambda other: self.lines[other].left)

    def below(self, index: int) -> list[int]:
        """Lines under a line and in its column (overlapping across), nearest first."""
        head = self.lines[index]
        found = [
            other
            for other, line in enumerate(self.lines)
            if _middle(line) > _middle(head) + 0.5 * self.height
            and _overlap(head, line) > 0.3 * min(head.right - head.left, line.right - line.left)
        ]
        return sorted(found, key=lambda other: self.lines[other].top)

    def value_of(self, index: int) -> tuple[str, tuple[int, ...]]:
        """What stands to the right of a label, with its continuation lines; ("", ()) where the next thing is another label."""
        beside = self.right_of(index)
        if not beside or self.is_label(beside[0]):
            return "", ()
        first = beside[0]
        taken = [first, *self._continued(first, index)]
        return " ".join(self.lines[line].text.strip() for line in taken), tuple(taken)

    def _continued(self, first: int, label: int) -> list[int]:
        """Lines that go on directly below a value: same left edge, tight, and with no label of their own on their row."""
        taken: list[int] = []
        last = self.lines[first]
        left_edge = self.lines[label].left
        while True:
            nearest = [
                other
                for other, line in enumerate(self.lines)
                if abs(line.left - last.left) <= 0.4 * self.height
                and 0.3 * self.height < line.top - last.top <= 1.05 * self.height
                and not self.is_label(other)
            ]
            if not nearest:
                return taken
            line = self.lines[nearest[0]]
            if any(
                abs(_middle(other) - _middle(line)) < 0.5 * self.height and abs(other.left - left_edge) < 1.5 * self.height
                for other in self.lines
                if other is not line
            ):
                return taken
            taken.append(nearest[0])
            last = line

    def _marked(self, index: int, line: Line) -> list[Field]:
        if self.is_label(index):
            above = self._label_start(index)
            label = " ".join(self.lines[part].text.strip() for part in (*above, index))
            for start in (index, *above):
                value, lines = self.value_of(start)
                if value:
                    break
            return [Field(_LABEL_END.sub("", label), value, (*above, index, *lines), self._score((index, *lines)), True)]
        if inline := _INLINE.match(line.text):
            taken = [index]
            return [Field(inline.group(1), inline.group(2), tuple(taken), line.score, True)]
        return []

    def _label_start(self, index: int) -> tuple[int, ...]:
        """The line of which a two-line label is the end: directly above, same left edge, without a colon."""
        label = self.lines[index]
        for other, line in enumerate(self.lines):
            close = abs(line.left - label.left) <= 0.4 * self.height and 0.5 * self.height < label.top - line.top <= 0.95 * self.height
            if close and not _LABEL_END.search(line.text) and not _INLINE.match(line.text):
                return (other,)
        return ()

    def _score(self, lines: Sequence[int]) -> float:
        return sum(self.lines[line].score for line in lines) / len(lines) if lines else 0.0

    def _passage(self, chain: Sequence[int]) -> Passage:
        text = ""
        for index in chain:
            piece = self.lines[index].text.strip()
            text = text[:-1] + piece if text.endswith("-") and piece[:1].islower() else f"{text} {piece}".strip()
        return Passage(text, tuple(chain), self._score(chain))

    def _sentences(self, passage: Passage) -> list[Passage]:
        pieces = sentences(passage.text)
        if len(pieces) <= 1:
            return [passage]
        share = len(passage.lines) / max(1, len(passage.text))
        found, start = [], 0
        for piece in pieces:
            first, last = int(start * share), int((start + len(piece)) * share)
            lines = passage.lines[first : last + 1] or passage.lines[-1:]
            found.append(Passage(piece, lines, self._score(lines)))
            start += len(piece) + 1
        return found


def _middle(line: Line) -> float:
    return (line.top + line.bottom) / 2


def _overlap(one: Line, other: Line) -> float:
    return min(one.right, other.right) - max(one.left, other.left)


def _chains(lines: Sequence[Line], without: frozenset[int]) -> list[list[int]]:
    """Lines linked into paragraphs: each to the nearest line just below it that starts near the same left edge."""
    order = sorted((index for index in range(len(lines)) if index not in without), key=lambda index: (lines[index].top, lines[index].left))
    following: dict[int, int] = {}
    taken: set[int] = set()
    for place, index in enumerate(order):
        successor = _successor(lines, index, [other for other in order[place + 1 :] if other not in taken])
        if successor is not None:
            following[index] = successor
            taken.add(successor)
    chains = []
    for start in order:
        if start not in taken:
            chain = [start]
            while chain[-1] in following:
                chain.append(following[chain[-1]])
            chains.append(chain)
    return chains


def _successor(lines: Sequence[Line], index: int, later: Sequence[int]) -> int | None:
    line = lines[index]
    height = line.bottom - line.top
    for other in later:
        below = lines[other]
        if below.top > line.bottom + 0.6 * height:
            return None
        if _middle(below) - _middle(line) < 0.4 * height:
            continue
        near = -2.5 * height <= below.left - line.left <= 2.5 * height
        alike = 0.65 <= (below.bottom - below.top) / height <= 1.55
        if near and alike and _overlap(line, below) > 0 and not _BULLET.match(below.text):
            return other
    return None
