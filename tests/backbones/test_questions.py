import pytest

from taec.backbones.reading.questions import Kind, ask


@pytest.mark.parametrize(
    ("question", "kind", "focus"),
    [
        ("What was the engine type recorded for the Albatross?", "name", "engine type"),
        ("According to report QX77BZ312, what was the hull weight?", "number", "hull weight"),
        ("How many rooms does the annex have?", "number", "rooms"),
        ("How much does the permit cost?", "money", "permit cost"),
        ("What percentage of visitors came by boat?", "percent", "percentage of visitors came"),
        ("Which phone number does the guide give to visitors?", "phone", "phone number"),
        ("What was the serial number of the pump?", "name", "serial number of the pump"),
        ("When was the pier opened?", "date", "pier opened"),
        ("Who designed the lighthouse?", "person", "designed the lighthouse"),
        ("How long may a boat stay?", "duration", "boat stay"),
        ("In which city is the museum?", "place", "city"),
        ("Is the museum open on Mondays?", "yes_no", ""),
        ("What place does the harbour take in the ranking?", "number", "place"),
    ],
)
def test_kind_and_focus(question: str, kind: Kind, focus: str) -> None:
    asked = ask(question)
    assert (asked.kind, asked.focus) == (kind, focus)


def test_names_of_documents_are_scope_and_not_sought() -> None:
    asked = ask("According to the Harbour Board Annual Report 2021, which berth was closed?")
    assert {"harbour", "board", "annual", "2021"} <= asked.scope
    assert asked.sought == ("berth", "clos")


def test_keys_are_codes_dates_and_names() -> None:
    asked = ask("What was the fuel recorded for the 12/17/2007 leak at Port Ellis, Maine in QX77BZ312?")
    assert asked.codes == ("QX77BZ312",)
    assert set(asked.keys) == {"QX77BZ312", "12/17/2007", "Port Ellis", "Maine"}


def test_options_and_direction() -> None:
    asked = ask("Which leak involved the lower volume: the one at Port Ellis, Maine or the one at Barrow?")
    assert asked.options == ("Port Ellis, Maine", "Barrow")
    assert asked.wants_more is False


def test_count_of_wanted_answers() -> None:
    assert ask("Which two berths were closed?").count == 2
    assert ask("Which berths were closed?").count == 0


@pytest.mark.parametrize("text", ["", "?", "灯塔是哪一年建成的？", "Tell me.", "what which who", "a" * 5000])
def test_any_text_is_taken(text: str) -> None:
    assert ask(text).text == text
