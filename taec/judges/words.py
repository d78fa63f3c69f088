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

ONES = dict(zip("zero one two three four five six seven eight nine".split(), range(10), strict=True))
TEENS = dict(zip("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(), range(10, 20), strict=True))
TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
ORDINALS = dict(
    zip("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth".split(), range(1, 14), strict=True)
)

ARTICLES = frozenset("a an the".split())

FUNCTION_WORDS = ARTICLES | frozenset(
    "and or of in on at by to for from with as is are was were be been it its this that these those which they there their both also "
    "only respectively namely s".split()
)

QUALIFIERS = FUNCTION_WORDS | frozenset(
    "about approximately around approx roughly nearly almost over under above below more less fewer than least most up long no number "
    "circa some total exactly just minus plus x between".split()
)
"""Words beside a number that leave it a bare number (`more than $6 trillion`, `at least 5 years`)."""

CITATIONS = frozenset("page pages p pp picture pictures figure fig table chart section chapter slide appendix footnote".split())
"""A number after one of these names a place, not an amount, as long as the answer has another number."""
