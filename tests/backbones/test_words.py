import pytest

from taec.backbones.reading.words import code_form, content, label_likeness, likeness, split, stem


def test_split_keeps_numbers_whole_and_cjk_apart() -> None:
    assert split("KPI 2.2.1.8: 8,448 on 11/30/2007, O-320") == ["kpi", "2.2.1.8", "8,448", "on", "11/30/2007", "o", "320"]
    assert split("年收入 2021") == ["年", "收", "入", "2021"]


@pytest.mark.parametrize(("one", "other"), [("reports", "report"), ("reporting", "reported"), ("policies", "policy"), ("values", "value")])
def test_stem_joins_forms(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_stem_leaves_codes_and_short_words() -> None:
    assert [stem(word) for word in ("klm08pq047s", "gas", "class")] == ["klm08pq047s", "gas", "class"]


@pytest.mark.parametrize(
    ("asked", "seen"), [("airport", "alrport"), ("elevation", "elevatlon"), ("condition", "runwaycondition"), ("320", "32o")]
)
def test_misread_words_are_alike(asked: str, seen: str) -> None:
    assert 0.5 < likeness(asked, seen) <= 1


@pytest.mark.parametrize(("asked", "seen"), [("2024", "2021"), ("cat", "car"), ("landing", "building")])
def test_other_words_are_not(asked: str, seen: str) -> None:
    assert likeness(asked, seen) == 0


def test_labels_may_be_cut_short() -> None:
    assert label_likeness("maximum", "max") > 0.5 > likeness("maximum", "max")
    assert label_likeness("weight", "wt") > 0.5


def test_codes_of_confused_signs_are_one() -> None:
    assert code_form("klm0bpq076") == code_form("klm08pq076")


def test_content_leaves_out_function_words_and_repeats() -> None:
    assert content("What is the engine of the engine in 2 ships?") == ["engin", "2", "ship"]
