"""What is found on pages: fields, tables, lists, headings, prose, differences, comparisons."""

import pytest
from support.pages import FORM, line, paragraph

from taec.backbones.reading.answers import Limits, assess
from taec.backbones.reading.comparisons import parts, winner
from taec.backbones.reading.differences import sides
from taec.backbones.reading.evidence import Candidate, belonging, identifiers, label_match, other_record, repaired
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.lists import numbered
from taec.backbones.reading.questions import ask
from taec.backbones.reading.words import content

LIMITS = Limits(label=0.6, anchor=0.8, prose=2.5, sure=0.6)

TABLE = Sheet(
    [
        line("Berths", 40, 40),
        line("FY 2012", 160, 40),
        line("FY 2013", 240, 40),
        line("Fishing boats", 40, 60),
        line("120", 160, 60),
        line("95", 240, 60),
        line("Sailing yachts", 40, 80),
        line("310", 160, 80),
        line("402", 240, 80),
    ]
)

LIST = Sheet(paragraph("Our harbours in a numbered list", "1. Port Ellis: the oldest", "2. Barrow Bay", "3. North Barrow: for ferries"))


def best(question: str, *sheets: Sheet) -> Candidate:
    return assess(ask(question), sheets, (), False, LIMITS).candidates[0]


def test_label_match_prefers_the_whole_label() -> None:
    focus = content("maximum gross weight")
    close, far = label_match(focus, content("Max Gross Wt.")), label_match(focus, content("Gross Income"))
    assert close > 0.8 > 0.6 > far
    assert label_match(focus, []) == 0


def test_field_of_the_named_record(form: Sheet) -> None:
    other = Sheet([line("QX77BZ999", 360, 60) if old.text == "QX77BZ312" else old for old in FORM])
    found = best("According to register QX77BZ312, what was the engine type?", other, form)
    assert (found.value, found.sheet, found.means) == ("Diesel, twin", 1, "field")
    assert found.confidence > LIMITS.sure


def test_field_of_another_record_is_no_answer(form: Sheet) -> None:
    asked = ask("According to register QX11AA111, what was the engine type?")
    found = assess(asked, [form], (), False, LIMITS)
    assert max((candidate.confidence for candidate in found.candidates), default=0.0) < 0.33
    sheet, labels = other_record(asked, [form], found.belonging.shares, LIMITS.label) or (None, ())
    assert (sheet, labels[0]) == (0, "Engine Type")
    assert "Gross Wt." in labels


def test_blank_field_is_found_blank(form: Sheet) -> None:
    found = best("According to register QX77BZ312, what was the home port?", form)
    assert (found.means, found.value) == ("blank", "")


def test_anchor_page_ties_the_pages_of_its_record(form: Sheet) -> None:
    cover = Sheet([*paragraph("Leak of the Albatross at Port Ellis", "on 12/17/2007"), line("QX77BZ312", 300, 200)])
    other = Sheet([*paragraph("Leak at Barrow on 11/30/2007"), line("QX77BZ555", 300, 200)])
    ties = belonging(ask("What was the crew capacity recorded for the 12/17/2007 leak at Port Ellis?"), [other, cover, form])
    assert (ties.anchor, ties.codes, ties.shares) == (1, ("QX77BZ312",), (0.0, 1.0, 1.0))


def test_misread_code_is_repaired_by_its_kin() -> None:
    sheets = [Sheet([line(code, 0, 0)]) for code in ("KLMO8PQ047", "RST08PQ044", "UVW08PQ048")]
    assert identifiers(sheets[0]) == ("KLMO8PQ047",)
    assert repaired("KLMO8PQ047", sheets) == "KLM08PQ047"
    assert repaired("RST08PQ044", sheets) == "RST08PQ044"


def test_table_cell_by_row_and_column() -> None:
    found = best("How many sailing yachts used the berths in FY 2012?", TABLE)
    assert (found.value, found.means) == ("310", "table")


def test_difference_of_two_cells() -> None:
    found = best("In FY 2013, by how many did the number of sailing yachts exceed the number of fishing boats?", TABLE)
    assert (found.value, found.means) == ("307", "difference")


def test_sides_of_a_difference() -> None:
    assert sides("How many more ferries than yachts came?") == ("How many more ferries ", " yachts came?")
    assert sides("How many came?") is None


def test_numbered_list_items() -> None:
    assert [(item.number, item.text) for item in numbered([LIST])] == [(1, "Port Ellis"), (2, "Barrow Bay"), (3, "North Barrow")]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which harbours stand second and third in the numbered list?", "Barrow Bay; North Barrow"),
        ("In the list of harbours, how many names contain the word Barrow?", "2"),
    ],
)
def test_answers_from_a_list(question: str, answer: str) -> None:
    assert best(question, LIST).value == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which phone number does the harbour office give?", "1-800-555-1212"),
        ("How many retirement claims did the harbour office complete?", "14,611"),
        ("In which year was the lighthouse of the harbour built?", "1887"),
        ("Does the harbour office sell tickets?", "Yes"),
    ],
)
def test_answers_from_prose(question: str, answer: str) -> None:
    page = Sheet(
        paragraph(
            "The harbour office sells tickets. Its phone number is 1-800-555-1212.",
            "The harbour office completed 14,611 retirement claims in all.",
            "The lighthouse of the harbour was built in 1887.",
        )
    )
    assert best(question, page).value == answer


def test_heading_over_the_passage() -> None:
    page = Sheet(
        [
            line("Harbour Master", 40, 20, height=14),
            *paragraph("keeps the berths in order and", "speaks Norwegian", top=50),
            line("Pilot", 40, 100, height=14),
            *paragraph("guides ships and", "speaks Portuguese", top=130),
        ]
    )
    assert best("Which position asks for Portuguese?", page).value == "Pilot"


def test_comparison_is_two_questions() -> None:
    asked = ask("Which leak involved the lower volume: the one at Port Ellis or the one at Barrow?")
    assert [part.focus for part in parts(asked)] == ["volume", "volume"]
    values = [Candidate(value, 0.9, 0, "field", "Volume", case=case) for case, value in (("Port Ellis", "900 l"), ("Barrow", "1,100 l"))]
    assert winner(asked, values).value == "Port Ellis"
    assert parts(ask("Is it open?"))[0].text == "Is it open?"


def test_nothing_read_gives_nothing() -> None:
    assert assess(ask("What was the engine type?"), [], (), False, LIMITS).candidates == ()
    assert assess(ask("What was the engine type?"), [Sheet([])], (), False, LIMITS).candidates == ()
