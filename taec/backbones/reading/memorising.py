"""Which pictures to keep: those that support the answer or identify the subject, with an honest priority."""

from collections.abc import Mapping

from pydantic import JsonValue

from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.situation import Situation

_MARGIN = 30
"""Thousandths of the page's sides left around a kept region."""


def kept_pictures(situation: Situation, schema: Mapping[str, JsonValue], sure: float) -> list[JsonValue]:
    """Entries of the `memorize` list. A region is given only where the schema has one and an answer was read from few lines."""
    regions = _has_region(schema)
    kept: list[JsonValue] = []
    for index in situation.fresh:
        picture = situation.prompt.pictures[index]
        priority = _priority(situation, index, sure)
        if picture.number < 1 or priority < 2:
            continue
        entry: dict[str, JsonValue] = {"picture": picture.number, "priority_score": priority}
        if regions and (box := _region(situation, index)):
            entry["region"] = box
        kept.append(entry)
    return kept


def _priority(situation: Situation, index: int, sure: float) -> int:
    """5 for the page of a sure finding, 4 for a likely one or the anchor, 3 for a weak one, 2 for a relevant page, 1 for the rest."""
    best = situation.found_on(index)
    if best >= sure:
        return 5
    if best >= 0.7 * sure or any(inquiry.assessment.belonging.anchor == index for inquiry in situation.inquiries):
        return 4
    if best >= 0.4 * sure:
        return 3
    relevant = max((scored.total for scored in situation.current.assessment.ranked if scored.sheet == index), default=0.0)
    return 2 if relevant >= 0.4 else 1


def _has_region(schema: Mapping[str, JsonValue]) -> bool:
    """The schema of a kept picture names a region."""
    node: JsonValue = dict(schema)
    for step in ("properties", "memorize", "items", "properties"):
        node = node.get(step) if isinstance(node, dict) else None
    return isinstance(node, dict) and "region" in node


def _region(situation: Situation, index: int) -> list[JsonValue]:
    """The box around the lines of the picture's best finding, [left, top, right, bottom] in thousandths of its sides."""
    candidates = (candidate for inquiry in situation.inquiries for candidate in inquiry.assessment.candidates)
    found = next((candidate for candidate in candidates if candidate.sheet == index and candidate.lines), None)
    image = situation.prompt.pictures[index].image
    if found is None or not 0 < len(found.lines) <= 8:
        return []
    left, top, right, bottom = _bounds(situation.sheets[index], found.lines)
    box = (
        max(0, round(1000 * left / image.width) - _MARGIN),
        max(0, round(1000 * top / image.height) - _MARGIN),
        min(1000, round(1000 * right / image.width) + _MARGIN),
        min(1000, round(1000 * bottom / image.height) + _MARGIN),
    )
    return list(box) if box[0] < box[2] and box[1] < box[3] else []


def _bounds(sheet: Sheet, lines: tuple[int, ...]) -> tuple[float, float, float, float]:
    chosen = [sheet.lines[line] for line in lines]
    return (
        min(line.left for line in chosen),
        min(line.top for line in chosen),
        max(line.right for line in chosen),
        max(line.bottom for line in chosen),
    )
