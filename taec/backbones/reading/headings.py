"""Answers that are headings: which section, position or program a passage stands under."""

import re
from collections.abc import Sequence

from taec.backbones.reading.evidence import Candidate
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.passages import Scored
from taec.backbones.reading.questions import Asked
from taec.backbones.reading.vocabulary import PARTS
from taec.backbones.reading.words import content, likeness, stem

_LONGEST = 80
"""Characters of a heading."""
_TALLER = 1.12
"""Height of a heading in heights of the page's median line."""
_PARTS = frozenset(stem(word) for word in PARTS)
_NUMBERED = re.compile(r"^\s*(?:[A-Z][a-z]+ )?(\d+(?:\.\d+)+)\.?\s+(\S.*)$")


def is_heading(sheet: Sheet, index: int) -> bool:
    """A short line that stands out: taller than the page's text, all capitals, or numbered in parts."""
    line = sheet.lines[index]
    text = line.text.strip()
    unlike = text.endswith((".", ",", ";", ":")) or ": " in text or not (text[0].isupper() or text[0].isdigit())
    if not 3 <= len(text) <= _LONGEST or (unlike and not _NUMBERED.match(text)):
        return False
    return (
        line.bottom - line.top >= _TALLER * sheet.height or (text.isupper() and len(text.split()) > 1) or bool(_NUMBERED.match(text))
    ) and any(letter.isalpha() for letter in text)


def heading_over(sheet: Sheet, line: int) -> int | None:
    """The nearest heading above a line, not right of it by more than a few letters."""
    here = sheet.lines[line]
    over = [
        (here.top - other.bottom, index)
        for index, other in enumerate(sheet.lines)
        if other.bottom <= here.top + 0.3 * sheet.height and other.left <= here.right and is_heading(sheet, index)
    ]
    return min(over)[1] if over else None


def from_headings(asked: Asked, sheets: Sequence[Sheet], ranked: Sequence[Scored]) -> list[Candidate]:
    """Headings over the best sentences, for a question that asks which named part says something."""
    words = content(asked.focus)
    if asked.kind != "name" or not any(word in _PARTS for word in words):
        return []
    numbers = words[-1:] == ["number"]
    found: dict[str, Candidate] = {}
    for scored in ranked[:12]:
        sheet = sheets[scored.sheet]
        sentence = sheet.sentences[scored.place]
        heading = heading_over(sheet, sentence.lines[0]) if sentence.lines else None
        if heading is None:
            continue
        text = sheet.lines[heading].text.strip()
        parts = _NUMBERED.match(text)
        value = (parts.group(1) if numbers else parts.group(2).rstrip(".")) if parts else text
        if sum(any(likeness(word, other) > 0.8 for other in asked.content) for word in content(value)) > 0.5 * len(content(value)):
            continue
        if value not in found:
            found[value] = Candidate(value, 0.8 * scored.total, scored.sheet, "heading", asked.focus, (heading, *sentence.lines[:2]))
    return sorted(found.values(), key=lambda candidate: -candidate.confidence)
