"""What the pages say to a question: candidate answers with their support and a confidence."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from taec.backbones.reading.layout import Field, Sheet
from taec.backbones.reading.questions import Asked
from taec.backbones.reading.values import mended, spans
from taec.backbones.reading.words import best_likeness, code_form, content, label_likeness, likeness, split

Means = Literal["field", "blank", "comparison", "table", "list", "heading", "difference", "passage", "earlier"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer: `value` ("" for a blank field), confidence 0..1, the sheet it stands on and what it is the value of."""

    value: str
    confidence: float
    sheet: int
    means: Means
    about: str
    lines: tuple[int, ...] = ()
    case: str = ""
    """The option of an either-or question that it speaks of."""


_IDENTIFIER = re.compile(r"\b(?=\w*\d)(?=\w*[A-Z])[A-Z0-9]{6,}\b")

_UNIDENTIFIED = 0.2
"""How surely a page is of the subject where the subject has identifiers and the page shows none."""
_PINS = re.compile(r"\d+(?:\.\d+){2,}|\d{1,2}/\d{1,2}/\d{2,4}|\d{4}-\d{2}-\d{2}")
"""Keys that stand on the right page as they are or nowhere: section numbers and full dates."""


def identifiers(sheet: Sheet) -> tuple[str, ...]:
    """Codes of letters and digits that stand alone on a line of the page, longest first: what may tie pages of one document together."""
    found = {line.text.strip() for line in sheet.lines if _IDENTIFIER.fullmatch(line.text.strip())}
    return tuple(sorted(found, key=lambda code: (-len(code), code)))


def _shape(code: str) -> str:
    return re.sub(r"\d", "9", re.sub(r"[A-Z]", "A", code.upper()))


_AS_DIGIT = str.maketrans("ODQILSBZG", "000115826")
_AS_LETTER = str.maketrans("015826", "OISBZG")


def repaired(code: str, sheets: Sequence[Sheet]) -> str:
    """`code` with letters and digits that OCR confused put right by the shape that most codes of its length on these pages have."""
    shapes = Counter(_shape(other) for sheet in sheets for other in set(identifiers(sheet)) if len(other) == len(code))
    shape, count = max(shapes.items(), key=lambda item: item[1], default=("", 0))
    if count < 2 or shape == _shape(code):
        return code
    fixed = "".join(letter.translate(_AS_DIGIT if place == "9" else _AS_LETTER) for letter, place in zip(code, shape, strict=True))
    return fixed if _shape(fixed) == shape else code


def holds(sheet: Sheet, key: str) -> float:
    """The share of `key`'s words that the page shows, by likeness; a code or a number has to be there as it is."""
    words = content(key)
    return (
        sum(best_likeness(word, (word,) if word in sheet.vocabulary else sheet.vocabulary) for word in words) / len(words) if words else 0.0
    )


@dataclass(frozen=True, slots=True)
class Belonging:
    """How surely each sheet is of the thing that the question names, 0..1, and the identifiers that its anchor page shows."""

    shares: tuple[float, ...]
    codes: tuple[str, ...]
    anchor: int | None


def belonging(asked: Asked, sheets: Sequence[Sheet], known: Sequence[str] = (), sure: float = 0.8) -> Belonging:
    """Tie pages to the question's subject.

    A code in the question, or one that an anchor page shows beside all of the question's names and dates, decides for every page that
    carries codes of that shape; other pages are judged by the names that they show. `known` are identifiers found earlier.
    """
    codes: tuple[str, ...] = tuple(dict.fromkeys((*known, *(code for code in asked.codes if _IDENTIFIER.fullmatch(code)))))
    anchor = None
    if not codes and asked.keys:
        strengths = [_strength(asked, sheet) if identifiers(sheet) else 0.0 for sheet in sheets]
        best = max(range(len(sheets)), key=lambda index: strengths[index], default=None)
        if best is not None and strengths[best] >= sure:
            anchor, codes = best, tuple(repaired(code, sheets) for code in identifiers(sheets[best]))
    return Belonging(tuple(_share(asked, sheet, codes) for sheet in sheets), codes, anchor)


def _strength(asked: Asked, sheet: Sheet) -> float:
    """Weighted share of the question's keys on a page; dates and numbers weigh double."""
    weights = [2.0 if any(letter.isdigit() for letter in key) else 1.0 for key in asked.keys]
    return sum(weight * holds(sheet, key) for weight, key in zip(weights, asked.keys, strict=True)) / sum(weights)


def _pins(asked: Asked) -> list[str]:
    return [key for key in asked.keys if _PINS.fullmatch(key)]


def pinned(asked: Asked) -> bool:
    """The question is about one dated thing among many alike."""
    return any("." not in key for key in _pins(asked))


def _share(asked: Asked, sheet: Sheet, codes: Sequence[str]) -> float:
    if codes:
        forms = {code_form(code.casefold()) for code in codes}
        if forms & {code_form(word) for word in sheet.vocabulary}:
            return 1.0
        shapes = {_shape(code) for code in codes}
        if any(_shape(code) in shapes for code in identifiers(sheet)):
            return 0.0
        return _UNIDENTIFIED
    if not asked.keys:
        return 0.8
    share = 0.2 + 0.6 * _strength(asked, sheet)
    pins = _pins(asked)
    return share if not pins or any(holds(sheet, key) >= 0.9 for key in pins) else min(share, _UNIDENTIFIED)


def label_match(focus: Sequence[str], label: Sequence[str]) -> float:
    """How well a printed label names the asked thing, 0..1: mostly that the asked words are there, then that nothing else is."""
    if not focus or not label:
        return 0.0
    recalled = [max(label_likeness(word, other) for other in label) for word in focus]
    recall = sum(recalled) / len(focus)
    precision = sum(max(label_likeness(word, other) for word in focus) for other in label) / len(label)
    score = 0.6 * recall + 0.4 * precision
    return score if recalled[-1] >= 0.6 or recall >= 0.6 else 0.6 * score


def from_fields(asked: Asked, sheets: Sequence[Sheet], shares: Sequence[float], threshold: float) -> list[Candidate]:
    """Values of form fields whose label names the asked thing, best first; a blank field is a candidate with an empty value."""
    focus = content(asked.focus)
    found = []
    for index, (sheet, share) in enumerate(zip(sheets, shares, strict=True)):
        for field in sheet.fields:
            match = label_match(focus, content(field.label))
            if match < threshold or not (field.value or sheet.is_form):
                continue
            confidence = match * share * (0.5 + 0.5 * field.score) * (1.0 if fits(asked, field.value) else 0.4)
            found.append(Candidate(mended(field.value), confidence, index, "field" if field.value else "blank", field.label, field.lines))
    return sorted(found, key=lambda candidate: -candidate.confidence)


def fits(asked: Asked, value: str) -> bool:
    """Whether a field's value can be of the asked kind; a blank one can."""
    if not value or asked.kind not in ("number", "money", "percent", "date", "year", "phone"):
        return True
    return any(True for _ in spans(asked.kind, value))


def other_record(asked: Asked, sheets: Sequence[Sheet], shares: Sequence[float], threshold: float) -> tuple[int, tuple[str, ...]] | None:
    """A form that has the asked field but is of something else: its sheet and the labels around that field, nearest first.

    Labels are what all forms of a kind share, so they are good words to find the right one with.
    """
    focus = content(asked.focus)
    best: tuple[float, int, Field] | None = None
    if not asked.keys:
        return None
    for index, (sheet, share) in enumerate(zip(sheets, shares, strict=True)):
        for field in sheet.fields if sheet.is_form and share < 1 else ():
            match = label_match(focus, content(field.label))
            if match >= threshold and (best is None or match > best[0]):
                best = (match, index, field)
    if best is None:
        return None
    _, index, field = best
    sheet = sheets[index]
    top = sheet.lines[field.lines[0]].top
    near = sorted(sheet.fields, key=lambda other: abs(sheet.lines[other.lines[0]].top - top))
    return index, tuple(dict.fromkeys(other.label for other in near))


def weights(words: Sequence[str], scope: frozenset[str], sheets: Sequence[Sheet]) -> dict[str, float]:
    """Weight of each asked word: rarer among the sentences read is heavier; words that only name the document count a tenth."""
    sentences = [frozenset(split_stems) for sheet in sheets for split_stems in sheet.sentence_stems]
    total = len(sentences)
    result = {}
    for word in words:
        seen = sum(word in sentence for sentence in sentences)
        result[word] = math.log(1 + total / (1 + seen)) / math.log(2 + total) * (0.1 if word in scope else 1.0)
    return result


def found_words(asked: Asked, sheet: Sheet) -> dict[str, dict[str, float]]:
    """For every asked word the page's words that may be it, with their likeness."""
    result = {}
    for word in asked.content:
        if word in sheet.vocabulary:
            result[word] = {word: 1.0}
        else:
            result[word] = {seen: alike for seen in sheet.vocabulary if (alike := likeness(word, seen)) > 0}
    return result


def open_words(asked: Asked, sheets: Sequence[Sheet]) -> tuple[str, ...]:
    """Asked words, as printed in the question, that no page shows: names, dates and numbers first."""
    seen: set[str] = set()
    for sheet in sheets:
        seen |= {word for word, matches in found_words(asked, sheet).items() if matches}
    missing = [word for word in split(asked.text) if content(word) and content(word)[0] not in seen]
    return tuple(dict.fromkeys(sorted(missing, key=lambda word: not any(letter.isdigit() for letter in word))))
