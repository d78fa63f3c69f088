"""Dates in their common spellings."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

SlashDates = Literal["month_first", "day_first"]

_MONTH_NAMES = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
_MONTHS = (
    {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
    | {name[:3]: number for number, name in enumerate(_MONTH_NAMES, 1)}
    | {"sept": 9}
)
_MONTH = rf"(?<![^\W_])({'|'.join(sorted(_MONTHS, key=len, reverse=True))})(?![^\W\d_])\.?"
_YEAR = r"((?:1[6-9]|20)\d\d)(?!\d)"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?(?![\d,.]\d|[^\W_])"
_ALONE = re.compile(rf"{_MONTH}")

_FORMS: Sequence[tuple[str, re.Pattern[str]]] = (
    ("ymd", re.compile(rf"(?<![\d.]){_YEAR}([-/.])(\d{{1,2}})\2(\d{{1,2}})(?!\d)")),
    ("ymd", re.compile(rf"(?<!\d){_YEAR} ?年()(\d{{1,2}}) ?月(?: ?(\d{{1,2}}) ?[日号])?")),
    ("slash", re.compile(r"(?<![\d./-])(\d{1,2})([-/.])(\d{1,2})\2((?:1[6-9]|20)\d\d)(?!\d)")),
    ("slash", re.compile(r"(?<![\d./-])(\d{1,2})([-/])(\d{1,2})\2(\d\d)(?![\d/-])")),
    ("dmy", re.compile(rf"(?<![\d.,-]){_DAY}[ -](?:of )?{_MONTH}(?:[ ,-]{{1,2}}(?:of )?{_YEAR})?")),
    ("mdy", re.compile(rf"{_MONTH}[ -](?:the )?{_DAY}(?: ?, ?| of | ){_YEAR}")),
    ("my", re.compile(rf"{_MONTH}(?:,? |-|/)(?:of )?{_YEAR}")),
    ("my", re.compile(rf"{_MONTH}(?:-| ?')(\d\d)(?!\d)")),
    ("mdy", re.compile(rf"{_MONTH} (?:the )?{_DAY}()")),
    ("m", re.compile(rf"(?:(?:^|(?<= in )|(?<= is )|(?<= of )|(?<=^in )){_MONTH}|{_MONTH}(?<!may)(?<!march))")),
)
"""Earlier forms win over later ones that overlap them. `may` and `march` alone are months only where a month is expected."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date or the part of it that is stated, with its place in the canonical text."""

    year: int | None
    month: int
    day: int | None
    start: int
    end: int

    def agrees(self, other: "Date") -> bool:
        """Whether what both state is the same."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(mine == theirs for mine, theirs in pairs if mine is not None and theirs is not None)

    def states(self, other: "Date") -> bool:
        """Whether it states at least what `other` does, the same."""
        gap = (self.year is None and other.year is not None) or (self.day is None and other.day is not None)
        return not gap and self.agrees(other)


def dates(canonical: str, order: SlashDates) -> list[Date]:
    """The dates of a canonical text, in its order. `order` reads `02/03/2008` where both readings are possible."""
    found: list[Date] = []
    for form, pattern in _FORMS:
        for match in pattern.finditer(canonical):
            if any(match.start() < date.end and date.start < match.end() for date in found):
                continue
            if date := _date(form, match, order):
                found.append(date)
    return sorted(found, key=lambda date: date.start)


def _date(form: str, match: re.Match[str], order: SlashDates) -> Date | None:
    groups = [group or "" for group in match.groups()]
    year, month, day = "", "", ""
    if form == "ymd":
        year, _, month, day = groups
    elif form == "slash":
        first, _, second, year = groups
        month, day = (first, second) if (order == "month_first" and int(first) <= 12) or int(second) > 12 else (second, first)
    elif form == "dmy":
        day, month, year = groups
    elif form == "mdy":
        month, day, year = groups
    elif form == "my":
        month, year = groups
    else:
        month = groups[0] or groups[1]
    number = _MONTHS.get(month) or int(month)
    if not 1 <= number <= 12 or (day and not 1 <= int(day) <= 31):
        return None
    return Date(_full(year), number, int(day) if day else None, match.start(), match.end())


def _full(year: str) -> int | None:
    """A year of four digits; of two, the one between 1950 and 2049."""
    if len(year) != 2:
        return int(year) if year else None
    return int(year) + (2000 if int(year) < 50 else 1900)
