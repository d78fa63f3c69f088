import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.coordination.cues import Cues, read_summary, states_number

NONE = Cues((), (), (), (), ())


@pytest.mark.parametrize(
    ("summary", "failure"),
    [
        ("The value was NOT FOUND on these pages.", "no_result"),
        ("The serial number is unclear.", "unclear"),
        ("The table lists only some of the values; the rest is not mentioned.", "partial"),
        ("未找到相关内容。", "no_result"),
        ("图片不清楚。", "unclear"),
        ("只有部分数据。", "partial"),
        ("The page lists three values.", ""),
        ("Nothing is unclear here.", ""),
        ("It wasn't unclear.", ""),
        ("没有不清楚的地方。", ""),
        ("The date is not given and unclear.", "unclear"),
        ("It is not on page 1, unclear on page 2.", "unclear"),
        ("The nuclear site is shown.", ""),
        ("There are no resulting costs.", ""),
        ("", ""),
    ],
)
def test_failure_cues(cues: Cues, summary: str, failure: str) -> None:
    assert read_summary(summary, cues).failure == failure


@pytest.mark.parametrize(
    ("summary", "sentence"),
    [
        ("Background. Page 3 clearly gives 45 days. Done.", "Page 3 clearly gives 45 days."),
        ("The total is not clearly stated.", ""),
        ("The total doesn’t explicitly appear.", ""),
        ("None of the pages explicitly gives it.", ""),
        ("No. 4 clearly applies.", "No. 4 clearly applies."),
        ("It is not on page 1, but page 2 clearly gives it.", "It is not on page 1, but page 2 clearly gives it."),
        ("This is not only clearly visible.", "This is not only clearly visible."),
        ("The page clearly does not list a price.", ""),
        ("It confirms that there is no runway.", ""),
        ("It states that 40% did not vote.", "It states that 40% did not vote."),
        ("It is not clearly stated. The table confirms 7.", "The table confirms 7."),
        ("An unclearly printed page.", ""),
        ("第三页明确给出收入为5亿元。", "第三页明确给出收入为5亿元。"),
        ("收入不清楚。", ""),
        ("原因未明确。金额显示为5。", "金额显示为5。"),
        ("没有给出明确数字。", ""),
        ("表格显示没有收入。", ""),
        ("表格显示不同年份的收入。", "表格显示不同年份的收入。"),
        ("不仅明确，而且完整。", "不仅明确，而且完整。"),
        ("结果page4明确。", "结果page4明确。"),
    ],
)
def test_confidence_cues(cues: Cues, summary: str, sentence: str) -> None:
    reading = read_summary(summary, cues)
    assert reading.sentence == sentence
    assert reading.confident == bool(sentence)


def test_a_latin_cue_beside_chinese_is_a_word() -> None:
    assert read_summary("值clear的", Cues((), (), (), ("clear",), ())).confident
    assert not read_summary("值unclear的", Cues((), (), (), ("clear",), ())).confident


@pytest.mark.parametrize("text", ["It is 35.", "$3.5M", "共35家", "FY 2013", "Page 3 says 12", "grew 4%"])
def test_states_a_number(text: str) -> None:
    assert states_number(text)


@pytest.mark.parametrize(
    "text", ["none", "See page 3", "Figures 3-5 and Table 2", "Picture 2 shows a Reims F172", "第3页", "图4", "report NYC08CA047"]
)
def test_references_and_names_state_no_number(text: str) -> None:
    assert not states_number(text)


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert read_summary(text, NONE) == read_summary(text, Cues(("",), (" ",), (), (), ("",)))
    assert read_summary(text, NONE).failure == ""
    assert not read_summary(text, NONE).confident
