import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.coordination.keywords import content_words
from taec.core.text import folded


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the landing gear type?", ("landing", "gear", "type")),
        (
            "What was the engine model recorded for the 12/06/2007 accident at Soledad, CA involving the Air Tractor AT-401?",
            ("Air Tractor AT-401", "Soledad, CA", "12/06/2007", "accident"),
        ),
        ("Under 'DHS Support Components', how many bodies does NARA's plan list?", ("DHS Support Components", "NARA", "bodies", "plan")),
        ("Per OPM's FY 2013 Annual Performance Report, who audits?", ("Annual Performance Report", "FY 2013", "OPM", "audits")),
        ("What share, 22% or $1,200.50, is US spending?", ("US", "$1,200.50", "22%", "spending")),
        ("Which report was issued inside the 15-day limit, and wasn't late?", ("15-day", "issued", "inside", "limit")),
        ("请问2023年度公司的营业收入是多少？", ("2023年", "营业收入", "公司")),
        ("图3中《安全生产规程》规定的最高温度是多少?", ("安全生产规程", "3", "最高温度", "规定")),
        ("What is the cost, the Cost or the COST?", ("cost",)),
        ("Does the U.S. Department of Labor agree? Taken as it is.", ("U.S. Department", "Labor", "agree", "Taken")),
        ("What is it?", ()),
        ("", ()),
    ],
)
def test_content_words(question: str, expected: tuple[str, ...]) -> None:
    assert content_words(question) == expected


@given(st.text(st.sampled_from("abc AB'\"“”.,?3五月的收入《》-%\n")), st.integers(-1, 6))
def test_phrases_are_distinct_and_stand_in_the_question(question: str, limit: int) -> None:
    found = content_words(question, limit)
    assert len(found) <= max(0, limit)
    assert len({folded(phrase) for phrase in found}) == len(found)
    assert all(phrase.strip() and phrase in question for phrase in found)
