"""Numbers with their units, thousands separators, percent signs, currencies and scale words."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from taec.judges.dates import Date
from taec.judges.text import DIGITS, LETTER, SIGN
from taec.judges.words import CITATIONS, CURRENCY_SCALES, ONES, ORDINALS, SCALES, TEENS, TENS, UNITS


def _choice(words: Collection[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_CARDINALS = {**ONES, **TEENS, **TENS}
_END = rf"(?![{LETTER}\d])"
_ALONE = rf"(?<![{LETTER}\d])(?<![{LETTER}\d]-)"
_FIGURE = re.compile(
    rf"(?<![{LETTER}])(?P<currency>(?:us|usd|eur|gbp|rmb|cny)? ?[$€£¥] ?|(?:usd|eur|gbp|rmb|cny) )?"
    rf"(?<![{LETTER}\d_])(?<![{LETTER}]-)(?<!\d[.:])(?P<value>{SIGN}(?:{DIGITS}))(?![\d:]\d|\d|\.\d)"
)
_WORD = re.compile(
    rf"{_ALONE}(?P<value>(?:{_choice(TENS)})(?:[ -](?:{_choice(ONES)}))?|{_choice([*ONES, *TEENS])}|(?P<ordinal>{_choice(ORDINALS)})){_END}"
)
_LATIN_UNITS = _choice([unit for unit in UNITS if unit[0].isascii() and unit[0].isalpha()])
_OTHER_UNITS = _choice([unit for unit in UNITS if not (unit[0].isascii() and unit[0].isalpha())])


def _suffix(latin_scales: Collection[str]) -> re.Pattern[str]:
    """What may follow the digits: ordinal ending, scale word, `+` or `or more`, unit; none of them cut out of a longer word."""
    cjk_scales = _choice([scale for scale in SCALES if not scale.isascii()])
    return re.compile(
        rf"(?:(?:st|nd|rd|th){_END})?(?: ?-?(?P<scale>{_choice(latin_scales)}){_END}| ?(?P<cjk_scale>{cjk_scales}))?[+多余]?"
        rf"(?: (?:or|and) (?:more|less|over|above|fewer|under)(?= ))?(?: ?-?(?P<unit>(?:{_LATIN_UNITS}){_END}|{_OTHER_UNITS}))?"
    )


_PLAIN = _suffix([scale for scale in SCALES if scale.isascii()])
_MONEY = _suffix([*(scale for scale in SCALES if scale.isascii()), *CURRENCY_SCALES])
_LETTER = re.compile(f"[{LETTER}]")
_CITED = re.compile(rf"(?<![{LETTER}])(?:{_choice(CITATIONS)})[. ]*#?$")
_JOINED = re.compile(r"[\s'\"]*(?:,|/|-|~|,?\s*(?:or|and|to|through)\s*|或者?|和|至|到)?[\s'\"]*")

LONGEST = 25
"""Characters; more digits are no amount, and Decimal would round them."""

CITATION_REACH = 16
"""Characters before a number among which the word that makes it a citation ends."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit ("" where none is known) and its place. `weak` ones count only where an answer has no other.

    `value` keeps the decimal places as written, which is what rounding is about.
    """

    value: Decimal
    unit: str
    start: int
    end: int
    weak: bool = False

    @property
    def is_year(self) -> bool:
        return not self.unit and self.value == self.value.to_integral_value() and 1900 <= self.value <= 2099 and self.end - self.start == 4


def quantities(canonical: str, dates: Collection[Date] = ()) -> list[Quantity]:
    """The quantities of a canonical text in its order; a date gives its year alone, an identifier (`O-235`, `6.4.5`) none."""
    found = [found for match in _FIGURE.finditer(canonical) if (found := _figure(canonical, match))]
    found += [_word(canonical, match) for match in _WORD.finditer(canonical)]
    spans = [date for date in dates if date.year is not None or date.day is not None]
    kept = [one for one in found if not any(one.start < date.end and date.start < one.end for date in spans)]
    kept += [Quantity(Decimal(date.year), "", date.end - 4, date.end) for date in spans if date.year is not None]
    return sorted(kept, key=lambda one: one.start)


def strong(found: Sequence[Quantity]) -> list[Quantity]:
    """Those that count: the weak ones only where there is no other."""
    return [one for one in found if not one.weak] or list(found)


def same(reference: Quantity, answer: Quantity) -> bool:
    """Whether the values are equal to the last digit; a share may be written as a fraction or in percent."""
    if reference.value == answer.value:
        return True
    if {reference.unit, answer.unit} != {"%", ""}:
        return False
    percent, plain = (reference, answer) if reference.unit else (answer, reference)
    return abs(plain.value) < 1 and percent.value == plain.value * 100


def rounded(reference: Quantity, answer: Quantity, limit: float) -> bool:
    """Whether one value is the other rounded to fewer decimal places, the two no further apart than `limit` (share of the reference)."""
    coarse, fine = sorted((reference.value, answer.value), key=_exponent, reverse=True)
    if abs(coarse - fine) > Decimal(str(limit)) * abs(reference.value):
        return False
    return fine.quantize(Decimal(1).scaleb(_exponent(coarse)), ROUND_HALF_UP) == coarse


def joined(canonical: str, end: int, start: int) -> bool:
    """Whether what ends and what starts there stand as alternatives, a range or a list: only `or`, `to`, a comma ... between them."""
    return _JOINED.fullmatch(canonical, end, start) is not None


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def _figure(canonical: str, match: re.Match[str]) -> Quantity | None:
    currency = (match["currency"] or "").strip()
    after = (_MONEY if currency else _PLAIN).match(canonical, match.end())
    assert after is not None
    identifier = not after.group() and _LETTER.match(canonical, match.end())
    if identifier or len(match["value"]) > LONGEST:
        return None
    unit = UNITS.get(currency) or UNITS.get(currency[-1:]) or UNITS.get(after["unit"] or "", "")
    weak = _CITED.search(canonical[: match.start()][-CITATION_REACH:]) is not None
    return _quantity(Decimal(match["value"].replace(",", "")), after, unit, match.start(), weak)


def _word(canonical: str, match: re.Match[str]) -> Quantity:
    word = match["value"]
    if match["ordinal"]:
        return Quantity(Decimal(ORDINALS[word]), "", match.start(), match.end(), weak=True)
    after = _PLAIN.match(canonical, match.end())
    assert after is not None
    value = Decimal(sum(_CARDINALS[part] for part in re.split("[ -]", word)))
    return _quantity(value, after, UNITS.get(after["unit"] or "", ""), match.start(), weak=word == "one")


def _quantity(value: Decimal, after: re.Match[str], unit: str, start: int, weak: bool) -> Quantity:
    scale = after["scale"] or after["cjk_scale"] or ""
    power = SCALES.get(scale, CURRENCY_SCALES.get(scale, 0))
    return Quantity(value.scaleb(power), unit, start, after.end() - (len(after.group()) - len(after.group().rstrip())), weak)
