import pytest

from taec.backbones.reading.questions import Kind
from taec.backbones.reading.values import magnitude, mended, quantity, shown, spans


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("number", "In section 2.2.1.4 we saw 8,448 ships, 0.94 of them and seven more.", ["8,448", "0.94", "seven"]),
        ("number", "It will exceed $6 trillion; we rank 13th.", ["$6 trillion", "13th"]),
        ("money", "It costs $1,200.50 or 3 million dollars, not 7.", ["$1,200.50", "3 million dollars"]),
        ("percent", "From 18.2% to 22 percent of 40", ["18.2%", "22 percent"]),
        ("date", "On 12/17/2007, on 2025-12-31 and on March 7, 2014.", ["12/17/2007", "2025-12-31", "March 7, 2014"]),
        ("year", "In 1887, not in 18870", ["1887"]),
        ("duration", "as long as eight years, or 20 working days", ["eight years", "20 working days"]),
        ("phone", "call 1-800-555-1212 or (800) 555-1212", ["1-800-555-1212", "(800) 555-1212"]),
        ("person", "by engineer Maria Holt in May", ["Maria Holt"]),
        ("name", "at St. Elizabeths Campus with the Bank of Wales & Co", ["St. Elizabeths Campus", "Bank of Wales & Co"]),
        ("yes_no", "Yes it is", []),
    ],
)
def test_spans(kind: Kind, text: str, found: list[str]) -> None:
    assert [span.text for span in spans(kind, text)] == found


@pytest.mark.parametrize(("text", "value"), [("1,234 t", 1234), ("$2.5 million", 2.5e6), ("minus -3", -3), ("eight", 8), ("none", None)])
def test_quantity(text: str, value: float | None) -> None:
    assert quantity(text) == value


def test_magnitude_orders_dates() -> None:
    dates = ["02/28/2008", "12/01/2007", "2008-03-01"]
    assert sorted(dates, key=lambda date: magnitude(date) or 0) == ["12/01/2007", "02/28/2008", "2008-03-01"]


@pytest.mark.parametrize(("read", "meant"), [("0-320", "O-320"), ("28C/22℃", "28°C/22°C"), ("0.5 C", "0.5 C"), (" 0 ", "0")])
def test_mended(read: str, meant: str) -> None:
    assert mended(read) == meant


@pytest.mark.parametrize(("value", "text"), [(213.0, "213"), (14611.0, "14,611"), (3.8000000001, "3.8")])
def test_shown(value: float, text: str) -> None:
    assert shown(value) == text
