"""The vocabulary of rule-based judging: units, scales, number words and function words, in their canonical (case-folded) spelling."""

_UNITS = {
    "%": "%, percent, per cent, percentage point, percentage points, pct, 百分点",
    "$": "$, us$, usd, us dollars, dollar, dollars, 美元",
    "€": "€, eur, euro, euros, 欧元",
    "£": "£, gbp, pounds sterling, 英镑",
    "¥": "¥, cny, rmb, yuan, 元, 人民币",
    "lb": "lb, lbs, pound, pounds",
    "kg": "kg, kgs, kilogram, kilograms, 公斤, 千克",
    "t": "ton, tons, tonne, tonnes, 吨",
    "in": "inch, inches, inches hg, inch hg, in hg, inhg, inches of mercury",
    "ft": "ft, feet, foot, ft msl, feet msl, ft agl, feet agl",
    "yd": "yard, yards",
    "mi": "mi, mile, miles",
    "mm": "mm, millimeter, millimeters, millimetre, millimetres, 毫米",
    "cm": "cm, centimeter, centimeters, centimetre, centimetres, 厘米",
    "m": "m, meter, meters, metre, metres, 米",
    "km": "km, kilometer, kilometers, kilometre, kilometres, 公里, 千米",
    "c": "°c, ° c, c, degrees c, degree celsius, degrees celsius, deg c, celsius, 摄氏度",
    "f": "°f, ° f, f, degrees f, degree fahrenheit, degrees fahrenheit, deg f, fahrenheit, 华氏度",
    "": "°, deg, degree, degrees, 度",
    "kt": "kt, kts, knot, knots",
    "mph": "mph, miles per hour",
    "hp": "hp, horsepower",
    "l": "liter, liters, litre, litres, 升",
    "gal": "gal, gallon, gallons",
    "s": "sec, secs, second, seconds, 秒",
    "min": "min, mins, minute, minutes, 分钟",
    "h": "hr, hrs, hour, hours, 小时",
    "day": "day, days, 天, 日",
    "week": "week, weeks, 周",
    "month": "month, months, 个月",
    "year": "yr, yrs, year, years, 年",
}

UNITS = {spelling: unit for unit, spellings in _UNITS.items() for spelling in spellings.split(", ")}
"""Every spelling of a unit to the unit. `points` alone is none: it may be percentage points or an index's own."""

SCALES = {
    "hundred": 2, "thousand": 3, "thousands": 3, "k": 3, "million": 6, "millions": 6, "mn": 6, "mln": 6, "billion": 9, "billions": 9,
    "bn": 9, "trillion": 12, "trillions": 12, "tn": 12, "百": 2, "千": 3, "万": 4, "百万": 6, "千万": 7, "亿": 8, "十亿": 9, "万亿": 12,
}  # fmt: skip
"""Scale word to its power of ten."""

CURRENCY_SCALES = {"m": 6, "b": 9, "t": 12}
"""Letters that are scales after a currency sign only: elsewhere `5m` may be metres."""

ONES = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
TEENS = {
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19,
}  # fmt: skip
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
ORDINALS = {
    "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
    "thirteenth": 13,
}  # fmt: skip
"""Without `first` and `second`, which count nothing in most sentences (and one is a unit)."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words("a an the")

FUNCTION_WORDS = ARTICLES | _words(
    """and or of in on at by to for from with as is are was were be been it its this that these those which they there their both
    also only respectively namely s according report document"""
)

QUALIFIERS = FUNCTION_WORDS | _words(
    """about approximately around approx roughly nearly almost over under above below more less fewer than least most up long no
    number circa some total exactly just minus plus x between"""
)
"""Words beside a number that leave it a bare number (`more than $6 trillion`, `at least 5 years`)."""

CITATIONS = _words("""page pages p pp picture pictures figure fig table chart section chapter slide appendix footnote""")
"""A number after one of these names a place, not an amount, as long as the answer has another number."""
