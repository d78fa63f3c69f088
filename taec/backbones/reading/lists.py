"""Numbered lists and lists under a heading: the n-th item, the number of an item, how many items there are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from taec.backbones.reading.evidence import Candidate, label_match
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.questions import Asked
from taec.backbones.reading.words import content, plain

_ORDINALS = {
    word: value
    for value, word in enumerate("zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split())
}
_ORDINAL = re.compile(r"\b(" + "|".join(list(_ORDINALS)[1:]) + r"|\d{1,2}(?:st|nd|rd|th))\b")
_NUMBERED = re.compile(r"^\s*(?:no\.?\s*|#)?(\d{1,2})[.):]\s*(\D.{1,80})$", re.IGNORECASE)
_AT_NUMBER = re.compile(r"\b(?:number|no\.|#|item|position)\s*(\d{1,2})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a numbered list."""

    number: int
    text: str
    lines: tuple[int, ...]


def numbered(sheet: Sheet) -> tuple[Item, ...]:
    """Items of numbered lists on a page, in order; the number may be a line of its own beside its text."""
    found = []
    for index, line in enumerate(sheet.lines):
        if match := _NUMBERED.match(line.text):
            found.append(Item(int(match.group(1)), match.group(2).strip(), (index,)))
        elif re.fullmatch(r"\s*\d{1,2}[.)]\s*", line.text) and (beside := sheet.right_of(index)):
            found.append(Item(int(re.findall(r"\d+", line.text)[0]), sheet.lines[beside[0]].text.strip(), (index, beside[0])))
    return tuple(found)


def from_lists(asked: Asked, sheets: Sequence[Sheet], shares: Sequence[float]) -> list[Candidate]:
    """The items that a question names by their place in a numbered list."""
    wanted = places(asked.text)
    if not wanted:
        return []
    items: dict[int, tuple[Item, int, float]] = {}
    for index, (sheet, share) in enumerate(zip(sheets, shares, strict=True)):
        for item in numbered(sheet):
            if item.number in wanted and (item.number not in items or share > items[item.number][2]):
                items[item.number] = (item, index, share)
    if any(place not in items for place in wanted):
        return []
    chosen = [items[place] for place in wanted]
    confidence = min(share for _, _, share in chosen)
    return [Candidate("; ".join(item.text for item, _, _ in chosen), confidence, chosen[0][1], "list", asked.focus, chosen[0][0].lines)]


def places(text: str) -> tuple[int, ...]:
    """Places in a list that a question names by ordinals (`sixth and seventh`) where it speaks of a list."""
    lowered = plain(text)
    if not re.search(r"\b(?:list(?:ed)?|numbered|items?|steps?|rows?)\b", lowered):
        return ()
    found = [_ORDINALS.get(word) or int(re.sub(r"\D", "", word)) for word in _ORDINAL.findall(lowered)]
    return tuple(dict.fromkeys(found))
