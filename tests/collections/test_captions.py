import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.backbones.ocr import Line
from taec.collections.captions import from_text_layers, is_useless
from taec.collections.reading import from_lines

ENGLISH = (
    "the agency reported that spending rose again while the number of visitors fell and many programmes were closed because of delays " * 2
)


def test_a_word_broken_at_a_line_end_is_joined_where_the_document_has_it_whole() -> None:
    captions = from_text_layers(["models requir\x02\r\ning care", "requiring more, Government\x02\nwide"])
    assert captions == ["models requiring care", "requiring more, Government-wide"]


def test_white_space_is_single_and_control_characters_go() -> None:
    assert from_text_layers(["  a\r\n\tb\x00c \u00a0 d\x03 "]) == ["a bc d"]


@given(st.lists(st.text(max_size=40), max_size=4))
def test_there_is_one_clean_caption_for_each_text(texts: list[str]) -> None:
    captions = from_text_layers(texts)
    assert len(captions) == len(texts)
    assert all(caption == " ".join(caption.split()) and "\x02" not in caption for caption in captions)
    assert from_text_layers(captions) == captions


def test_ocr_lines_keep_their_order() -> None:
    lines = [Line(text, 0.9, 0, 0, 1, 1) for text in ("Total  assets", "1,250")]
    assert from_lines(lines) == "Total assets 1,250"
    assert from_lines([]) == ""


@pytest.mark.parametrize(
    "text",
    [
        '"7+%-',
        "\ue001\ue002\ue003 \ue004\ue005",
        "ab\ufffd\ufffdcd\ufffd",
        " ".join("".join(chr((ord(letter) - 97 + 3) % 26 + 97) for letter in word) for word in ENGLISH.split()),
    ],
)
def test_characters_without_meaning_are_no_text(text: str) -> None:
    assert is_useless(text)


@pytest.mark.parametrize(
    "text", ["", "  ", ENGLISH, "Contents ........................ 5", "Gesamtschätzung für 2024: 1.250,00 €", "安全操作规程"]
)
def test_text_is_text(text: str) -> None:
    assert not is_useless(text)
