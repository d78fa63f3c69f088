"""Table look-up by geometry: a cell answers when its row and its column speak of what is asked.

No grid is rebuilt: lines and headers wrap and boxes are missed, so each cell is judged by the words to its left and above it.
"""

from collections.abc import Mapping, Sequence

from taec.backbones.ocr import Line
from taec.backbones.reading.evidence import Candidate, found_words, weights
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.questions import Asked, Kind
from taec.backbones.reading.values import PATTERNS

_LEAST_CELLS = 4
"""Cells of one kind that make a page a table."""
_HEADERS = 3
_BAND = 1.3
"""Line heights above and below a cell that still belong to its row's label."""
_SECTION_REACH = 16
"""Line heights between a table and the caption or numbered heading over it."""
_OTHER_SECTION = 0.4
"""What is left of a cell's score where the question names a numbered section and the cell is not under it."""
_TYPED = frozenset({"number", "money", "percent", "date", "year"})


def from_tables(asked: Asked, sheets: Sequence[Sheet], shares: Sequence[float], record: bool) -> list[Candidate]:
    """Cells of the asked kind whose row and column together hold the asked words, best first. A `record` is read from its forms' fields."""
    if asked.kind not in _TYPED:
        return []
    heavy = weights(asked.sought, asked.scope, sheets)
    whole = sum(heavy.values()) or 1.0
    pins = [word for word in asked.content if word.count(".") >= 2]
    found = []
    for index, (sheet, share) in enumerate(zip(sheets, shares, strict=True)):
        cells = [cell for cell, line in enumerate(sheet.lines) if is_cell(asked, line)]
        if len(cells) < _LEAST_CELLS or (record and sheet.is_form):
            continue
        known = found_words(asked, sheet)
        filled = frozenset(cells)
        for cell in cells:
            above, left = _above(sheet, cell, filled), _left(sheet, cell, filled)
            row, column = _covered(known, sheet, left), _covered(known, sheet, above)
            if not row or not column:
                continue
            together = {word: max(row.get(word, 0.0), column.get(word, 0.0)) for word in (*row, *column)}
            score = sum(heavy.get(word, 0.0) * alike for word, alike in together.items()) / whole
            line = sheet.lines[cell]
            if pins and not any(pin in together for pin in pins):
                score *= _OTHER_SECTION
            confidence = score * (0.4 + 0.6 * line.score) * (0.4 + 0.6 * share)
            found.append(Candidate(line.text.strip(), confidence, index, "table", asked.focus or asked.kind, (cell, *left[:2])))
    return sorted(found, key=lambda candidate: -candidate.confidence)


def is_cell(asked: Asked, line: Line) -> bool:
    """The whole line is one value of the asked kind (a share may answer a number, and a number an amount or a share)."""
    amounts: tuple[Kind, ...] = ("number", "percent", "money")
    kinds = amounts if asked.kind in amounts else (asked.kind,)
    return any(PATTERNS[kind].fullmatch(line.text.strip()) for kind in kinds)


def _above(sheet: Sheet, cell: int, cells: frozenset[int]) -> list[int]:
    """The nearest header lines over a cell (not cells themselves), and the numbered heading or caption over the table."""
    line = sheet.lines[cell]
    over = [
        (line.top - other.bottom, index)
        for index, other in enumerate(sheet.lines)
        if index not in cells
        and other.bottom <= line.top + 0.4 * sheet.height
        and min(other.right, line.right) - max(other.left, line.left) > 0
    ]
    return [index for gap, index in sorted(over)[:_HEADERS] if gap < 40 * sheet.height] + _heading(sheet, line)


def _heading(sheet: Sheet, line: Line) -> list[int]:
    """The nearest line above that starts left of the cell and holds a dotted number or a caption word."""
    marks = [
        (line.top - other.bottom, index)
        for index, other in enumerate(sheet.lines)
        if 0 <= line.top - other.bottom < _SECTION_REACH * sheet.height
        and other.left < line.left
        and any(word.count(".") >= 2 or word in ("table", "figure", "exhibit") for word in sheet.line_stems[index])
    ]
    return [index for _, index in sorted(marks)[:1]]


def _left(sheet: Sheet, cell: int, cells: frozenset[int]) -> list[int]:
    """Lines left of a cell in the band of its row, nearest rows first."""
    line = sheet.lines[cell]
    middle = (line.top + line.bottom) / 2
    beside = [
        (abs((other.top + other.bottom) / 2 - middle), index)
        for index, other in enumerate(sheet.lines)
        if index not in cells
        and other.right <= line.left + 0.3 * sheet.height
        and abs((other.top + other.bottom) / 2 - middle) <= _BAND * sheet.height
    ]
    return [index for _, index in sorted(beside)]


def _covered(known: Mapping[str, Mapping[str, float]], sheet: Sheet, lines: Sequence[int]) -> dict[str, float]:
    words = {word for line in lines for word in sheet.line_stems[line]}
    return {
        asked: best
        for asked, matches in known.items()
        if (best := max((alike for seen, alike in matches.items() if seen in words), default=0.0))
    }
