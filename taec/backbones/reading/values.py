"""Typed values in running text: numbers, money, shares, dates, durations, phone numbers and names, and how they compare."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from taec.backbones.reading.questions import Kind
from taec.backbones.reading.vocabulary import NUMBERS, SCALES
from taec.backbones.reading.words import plain

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|"
    r"Dec(?:ember)?)\.?"
)
_NUMBER = r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_WORD_NUMBER = rf"(?:{'|'.join(NUMBERS)})"
_SCALE = r"(?:\s?(?:thousand|million|billion|trillion|bn|[mkb])\b)"
_UNIT = r"(?:business |working |calendar |consecutive )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|decades?)"
_NAME_WORD = r"(?:[A-Z][\w’'&/-]*\.?|[A-Z]\.)"

PATTERNS: dict[Kind, re.Pattern[str]] = {
    "number": re.compile(
        rf"(?<![\w.,/-])(?:[$€£]\s?)?{_NUMBER}{_SCALE}?(?:\s?%)?(?:st|nd|rd|th)?(?![\w/]|[.,]\d)|\b{_WORD_NUMBER}\b", re.IGNORECASE
    ),
    "money": re.compile(rf"(?:US)?[$€£¥]\s?{_NUMBER}{_SCALE}?|\b{_NUMBER}{_SCALE}?\s(?:US )?(?:dollars|euros|pounds)\b", re.IGNORECASE),
    "percent": re.compile(rf"(?<![\w.,]){_NUMBER}\s?(?:%|percent(?:age points?)?\b|per cent\b)", re.IGNORECASE),
    "date": re.compile(
        rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b|\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}\b|"
        rf"\b\d{{1,2}}\s+{_MONTH},?\s+\d{{4}}\b|\b{_MONTH},?\s+\d{{4}}\b|\b{_MONTH}\s+\d{{1,2}}\b|\b(?:FY\s?)?(?:1[5-9]|20)\d{{2}}\b"
    ),
    "year": re.compile(r"\b(?:1[5-9]|20)\d{2}\b"),
    "time": re.compile(r"\b\d{1,2}:\d{2}(?:\s?[ap]\.?m\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?|\b\d{4}\s(?:hours|[A-Z]{3})\b", re.IGNORECASE),
    "duration": re.compile(rf"\b(?:(?:{_NUMBER}|{_WORD_NUMBER})(?:\s?[-–]\s?\d+|\s(?:to|or)\s(?:\w+))?\+?[\s-]){_UNIT}\b", re.IGNORECASE),
    "phone": re.compile(r"(?:\+?\d{1,2}[-. ])?(?:\(\d{3}\)\s?|\d{3}[-. ])\d{3}[-. ]\d{4}\b"),
    "person": re.compile(r"\b(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?[A-Z][a-z’']+(?:\s+[A-Z]\.?)?(?:\s+[A-Z][a-z’'-]+){1,2}\b"),
    "place": re.compile(rf"\b{_NAME_WORD}(?:\s+(?:of\s+)?{_NAME_WORD})*(?:,\s+[A-Z][\w.]+)?"),
    "name": re.compile(rf"\b{_NAME_WORD}(?:\s+(?:(?:of|and|&|for|the|de|in|to)\s+)*{_NAME_WORD}|\s?&\s?{_NAME_WORD})*"),
}  # fmt: skip
"""What a value of each kind looks like. A yes-or-no question has none."""


@dataclass(frozen=True, slots=True)
class Span:
    """A value as printed, with its place in the text."""

    text: str
    start: int
    end: int


def spans(kind: Kind, text: str) -> Iterator[Span]:
    """Values of `kind` in `text`, in order."""
    pattern = PATTERNS.get(kind)
    if pattern is None:
        return
    for match in pattern.finditer(text):
        trimmed = match.group(0).strip(" ,;:–-") if kind != "number" else match.group(0).strip(" ,;:")
        if trimmed:
            yield Span(trimmed.rstrip(".") if kind != "name" else trimmed, match.start(), match.end())


def mended(value: str) -> str:
    """A printed value with what OCR is known to do to signs undone: `0-320` for `O-320`, `28C/22℃` for `28°C/22°C`."""
    value = re.sub(r"^0(?=-\d)", "O", value.strip()).replace("℃", "°C").replace("℉", "°F")
    for unit in "CF":
        if f"°{unit}" in value:
            value = re.sub(rf"(?<=\d)\s?{unit}\b", f"°{unit}", value)
    return value


def quantity(text: str) -> float | None:
    """The first number in `text` with its scale word, or None. `1,234`, `2.5 million`, `$3bn`, `eight` are read."""
    lowered = plain(text)
    if match := re.search(rf"({_NUMBER})\s*(thousand|million|billion|trillion|bn|[mkb]\b)?", lowered):
        return float(match.group(1).replace(",", "").replace("+", "")) * SCALES.get(match.group(2) or "", 1.0)
    return next((float(NUMBERS[word]) for word in re.findall(r"[a-z]+", lowered) if word in NUMBERS), None)


def magnitude(text: str) -> float | None:
    """What orders values of a kind: a date as yyyymmdd, else the quantity."""
    if match := re.search(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b", text):
        month, day, year = (int(part) for part in match.groups())
        return float(year * 10_000 + month * 100 + day)
    if match := re.search(r"\b(\d{4})-(\d{2})-(\d{2})\b", text):
        return float("".join(match.groups()))
    return quantity(text)


def shown(value: float) -> str:
    """A computed number as a person writes it: no trailing zeros, thousands with commas."""
    rounded = round(value, 4)
    return f"{int(rounded):,}" if rounded == int(rounded) else f"{rounded:,.4f}".rstrip("0").rstrip(".")
