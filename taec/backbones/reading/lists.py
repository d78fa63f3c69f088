"""Numbered lists: the n-th item, the number of an item, how many items hold a word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from taec.backbones.reading.evidence import Candidate
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.questions import Asked
from taec.backbones.reading.vocabulary import ORDINALS
from taec.backbones.reading.words import content, plain

_ORDINAL = re.compile(r"\b(" + "|".join(ORDINALS) + r"|\d{1,2}(?:st|nd|rd|th))\b")
_NUMBERED = re.compile(r"^\s*(?:no\.?\s*|#)?(\d{1,2})[.):]\s*([^\d\s].{1,200})$", re.IGNORECASE)
_CONTAINS = re.compile(
    r"\bhow many\b.*\b(?:contain|include|have|with)\b\s+(?:the\s+(?:word|term|name)\s+)?[\"“']?([\w& -]+?)[\"”']?\s*\?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a numbered list: its number, its heading (what stands before a colon, else all) and where it is."""

    number: int
    text: str
    sheet: int
    line: int


def numbered(sheets: Sequence[Sheet]) -> tuple[Item, ...]:
    """Items of numbered lists on all sheets, in order; a number may be a line of its own beside its text."""
    found = []
    for place, sheet in enumerate(sheets):
        for index, line in enumerate(sheet.lines):
            if match := _NUMBERED.match(line.text):
                found.append(Item(int(match.group(1)), match.group(2).split(": ")[0].strip(), place, index))
            elif re.fullmatch(r"\s*\d{1,2}[.)]\s*", line.text) and (beside := sheet.right_of(index)):
                found.append(Item(int(re.findall(r"\d+", line.text)[0]), sheet.lines[beside[0]].text.split(": ")[0].strip(), place, index))
    return tuple(found)


def speaks_of_list(text: str) -> bool:
    """The question is about a list."""
    return bool(re.search(r"\b(?:list(?:ed|s)?|numbered|items?|steps?)\b", plain(text)))


def from_lists(asked: Asked, sheets: Sequence[Sheet], shares: Sequence[float]) -> list[Candidate]:
    """Items named by their place, or counted by a word they hold, where a question speaks of a list."""
    if not speaks_of_list(asked.text):
        return []
    items = [item for item in numbered(sheets) if shares[item.sheet] >= 0.5 * max(shares)]
    if wanted := places(asked.text):
        return _at(asked, items, wanted, shares)
    if match := _CONTAINS.search(asked.text):
        return _holding(asked, items, match.group(1), shares)
    return []


def places(text: str) -> tuple[int, ...]:
    """Places in a list that a question names by ordinals (`sixth and seventh`)."""
    found = [ORDINALS.get(word) or int(re.sub(r"\D", "", word)) for word in _ORDINAL.findall(plain(text))]
    return tuple(dict.fromkeys(found))


def _at(asked: Asked, items: Sequence[Item], wanted: Sequence[int], shares: Sequence[float]) -> list[Candidate]:
    by_number: dict[int, Item] = {}
    for item in items:
        if item.number not in by_number or shares[item.sheet] > shares[by_number[item.number].sheet]:
            by_number[item.number] = item
    if any(place not in by_number for place in wanted):
        return []
    chosen = [by_number[place] for place in wanted]
    confidence = 0.9 * min(shares[item.sheet] for item in chosen)
    return [Candidate("; ".join(item.text for item in chosen), confidence, chosen[0].sheet, "list", asked.focus, (chosen[0].line,))]


def _holding(asked: Asked, items: Sequence[Item], word: str, shares: Sequence[float]) -> list[Candidate]:
    sought = content(word)
    holding = {item.number: item for item in items if sought and all(part in content(item.text) for part in sought)}
    if not holding:
        return []
    first = next(iter(holding.values()))
    return [
        Candidate(
            str(len(holding)),
            0.8 * shares[first.sheet],
            first.sheet,
            "list",
            asked.focus,
            tuple(i.line for i in holding.values() if i.sheet == first.sheet),
        )
    ]
