import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.core.text import folded, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Revenue rose 3.5 percent. Costs fell.", ["Revenue rose 3.5 percent.", "Costs fell."]),
        ("Runway No. 4 is closed. No. It is open.", ["Runway No. 4 is closed.", "No.", "It is open."]),
        ("The U.S. Department of State. See Fig. 3 vs. Fig. 4!", ["The U.S. Department of State.", "See Fig. 3 vs. Fig. 4!"]),
        ("Mr. Smith, e.g. in Jan. 2020, agreed? Yes.", ["Mr. Smith, e.g. in Jan. 2020, agreed?", "Yes."]),
        ("It cost 4.5. Five were sold.", ["It cost 4.5.", "Five were sold."]),
        ("收入为3.5亿元。成本不明确！为什么？", ["收入为3.5亿元。", "成本不明确！", "为什么？"]),
        ("他说“好。”然后走了。", ["他说“好。”", "然后走了。"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("no stop at all", ["no stop at all"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text())
def test_sentences_lose_nothing_but_white_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_folding_joins_lines_of_either_script() -> None:
    assert folded("Landing\n  GEAR") == "landing gear"
    assert folded("营业\n收入 2023") == "营业收入 2023"
