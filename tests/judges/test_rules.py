import json
import os
import string
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from taec.core.questions import AnswerFormat, Question
from taec.judges.rules import RuleJudge, Settings, build

ROOT = Path(__file__).parents[2]
JUDGE: RuleJudge = build(Settings(**yaml.safe_load((ROOT / "conf/judge/rules.yaml").read_text(encoding="utf-8"))))
SHARED = Path(os.environ.get("TAEC_SHARED", ROOT / "../shared"))
SAMPLE = SHARED / "data/sample/questions.jsonl"
MMLONGBENCH = SHARED / "data/mmlongbench/samples.json"

CHOICE = "Which accident was heavier: the one at Soledad, CA or the one at White Plains, AL?"
DECLINED = (
    "Not answerable", "No answer", "Unanswerable.", "N/A", "Unknown", "It cannot be determined from the pages.", "I can't find it.",
    "The document does not explicitly state the elevation.", "There is no information about this.", "The pages don't mention it",
    "The elevation is not specified in the report, but it gives the runway length.", "I was unable to find it.",
    "文件中未提及。", "无法确定",
)  # fmt: skip


def asked(*references: str, kind: AnswerFormat = "Str", text: str = "What is it?", items: tuple[str, ...] = ()) -> Question:
    return Question("q", text, references, kind, answerable=kind != "None", items=items)


def listed(*items: str, aliases: tuple[str, ...] = ()) -> Question:
    return asked(", ".join(items), *aliases, kind="List", items=items)


def verdict(question: Question, answer: str) -> bool | None:
    return JUDGE.verdict(question, answer).correct


@pytest.mark.parametrize(
    ("reference", "kind", "right", "wrong"),
    [
        ("2", "Int", ["2", "two", "2 points", "2.0", "It is 2 (page 14)."], ["2022", "12", "2 or 3", "3 or 2", "1-2", "1, 2, 3"]),
        ("14,611", "Int", ["14611", "They received 14,611 claims."], ["14,600", "14.6 thousand", "4,611", "14,611,000"]),
        ("20", "Int", ["No. 20", "#20", "20th", "number 20"], ["120", "200", "No. 21"]),
        ("2024", "Int", ["by 2024", "in December 2024", "12/31/2024"], ["2025", "20240"]),
        ("3.8", "Float", ["3.8%", "3.82", "3.80"], ["3", "3.9", "4", "38"]),
        ("0.45", "Float", [".45", "0.45 correlation", "0.4523"], ["0.5", "45", "0.045"]),
        ("15%", "Float", ["15 percent", "0.15", "15"], ["$15", "1.5%", "15 days"]),
        ("$6 trillion", "Str", ["more than 6 trillion dollars", "US$6 trillion", "$6,000 billion"], ["$6 billion", "€6 trillion", "$6"]),
        ("$5.2 million", "Str", ["$5.2M", "5,200,000 dollars", "$5.2 mln"], ["$5.3M", "$5.2"]),
        ("9000 lbs", "Str", ["9,000 pounds", "9000"], ["9000 kg", "19000 lbs"]),
        ("Eight years", "Str", ["up to 8 years", "eight"], ["8 months", "18 years"]),
        ("10+ years", "Str", ["at least 10 years", "10 or more years"], ["100 years"]),
        ("28°C / 22°C", "Str", ["28 C / 22 C", "Temperature 28°C, dew point 22°C"], ["28°C", "22°C / 28°C", "128°C / 22°C"]),
        ("-13°C / -18°C", "Str", ["-13 °C / -18 °C", "−13°C/−18°C"], ["13°C / 18°C"]),
        ("34.144444, -96.811389", "Str", ["34.144444,-96.811389"], ["34.144444, 96.811389", "34.1, -96.8"]),
        ("1-2 percentage points", "Str", ["1 to 2 points", "1–2 percentage points"], ["1 point", "2"]),
        ("02/28/2008", "Str", ["February 28, 2008", "28 Feb 2008", "2008-02-28", "on Feb. 28th, 2008"], ["February 2008", "02/27/2008"]),
        ("February 2013", "Str", ["Feb-13", "Feb. 2013", "2013年2月"], ["February 2012", "February", "January 2013 or February 2013"]),
        ("Yes", "Str", ["Yes.", "yes, it did", "Yes the revenue grew"], ["No.", "Yesterday"]),
        ("No", "Str", ["No, it did not.", "The answer is no"], ["No. 5", "Northern", "Yes", "No answer", "none of them"]),
        ("Lycoming", "Str", ["The engine was a Lycoming.", "Textron Lycoming"], ["not a Lycoming", "Continental or Lycoming", "Lyc"]),
        ("O-235", "Str", ["o 235", "Lycoming O-235-L2C"], ["O-2350", "235"]),
        ("Pratt & Whitney", "Str", ["Pratt and Whitney"], ["Pratt"]),
        ("Group A", "Str", ["It is in Group A of the plan"], ["Group B", "a group"]),
        ("A", "Str", ["A", "the answer is A"], ["a plan", "grade AB"]),
        ("10:08AM", "Str", ["at 10:08 am"], ["10:18AM", "10"]),
        ("北京", "Str", ["位于北京市。"], ["南京"]),
        ("500万元", "Str", ["约500万元", "5,000,000元"], ["500元", "500亿元"]),
        ("3", "Int", ["共3个"], ["共13个"]),
    ],
)  # fmt: skip
def test_the_spelling_does_not_decide_and_the_value_does(reference: str, kind: AnswerFormat, right: list[str], wrong: list[str]) -> None:
    question = asked(reference, kind=kind)
    assert [answer for answer in right if not verdict(question, answer)] == []
    assert [answer for answer in wrong if verdict(question, answer)] == []


def test_a_number_of_the_question_is_context() -> None:
    question = asked("161", kind="Int", text="In FY 2013, by how many of 400 responses did the count fall?")
    assert verdict(question, "Of the 400 responses in 2013, 161 were missing.")
    assert not verdict(question, "Of the 400 responses in 2013, 160 were missing and 161 came late.")


def test_a_choice_needs_one_side() -> None:
    question = asked("Soledad, CA", text=CHOICE)
    assert verdict(question, "The one at Soledad, CA")
    assert not verdict(question, "The one at White Plains, AL is heavier than the one at Soledad, CA.")
    assert not verdict(question, "Soledad, CA and White Plains, AL")
    assert not verdict(question, CHOICE)


def test_an_enumeration_of_everything_is_no_answer() -> None:
    assert not verdict(asked("Commodities"), "Stocks, bonds, commodities, cryptocurrencies")
    assert verdict(asked("Soledad, CA"), "Soledad, CA")


def test_a_copied_page_is_no_answer() -> None:
    page = "The airport elevation and the runway surface were recorded together with the wind. " * 10
    assert JUDGE.verdict(asked("Lycoming"), page + "Engine: Lycoming").rule == "too_long"
    assert JUDGE.verdict(asked("4", kind="Int"), "4 " + page).rule == "too_long"
    assert JUDGE.verdict(asked("not specified", kind="None"), page + "The dew point was not specified.").correct is False


def test_dates_in_a_list_and_aliases_of_one_item() -> None:
    question = listed("February 2014", "March 7, 2014", aliases=("7 March 2014",))
    assert verdict(question, "7 March 2014 and Feb 2014")
    assert not verdict(question, "7 March 2014")


@pytest.mark.parametrize(
    ("items", "right", "wrong"),
    [
        (("FHWA", "FRA"), ["FRA and FHWA", "The agencies are FHWA and FRA. Both are listed as lead agencies.", "FHWA\nFRA"],
         ["FHWA", "FHWA, FRA, FTA", "FTA, FRA and FHWA", "FHWA or FTA"]),
        (("Senior Manager of Marketing", "Manager of Marketing"), ["Manager of Marketing; Senior Manager of Marketing"],
         ["Senior Manager of Marketing"]),
        (("72%", "74%"), ["74 percent and 72%"], ["72%", "72%, 74%, 75%"]),
        (("12", "13"), ["Pages 12 and 13", "13, 12"], ["12", "112, 13"]),
        (("Stabilization & Restoration", "Collaboration"), ["Collaboration, Stabilization and Restoration"], ["Stabilization"]),
    ],
)  # fmt: skip
def test_a_list_needs_all_its_items_and_no_other(items: tuple[str, ...], right: list[str], wrong: list[str]) -> None:
    question = listed(*items)
    assert [answer for answer in right if not verdict(question, answer)] == []
    assert [answer for answer in wrong if verdict(question, answer)] == []


def test_a_list_may_be_written_as_an_alias_spells_it() -> None:
    question = listed("FHWA", "FRA", aliases=("Federal Highway Administration; Federal Railroad Administration",))
    assert verdict(question, "Federal Railroad Administration and Federal Highway Administration")


@pytest.mark.parametrize("answer", DECLINED)
def test_declining_is_right_only_where_nothing_can_be_answered(answer: str) -> None:
    assert JUDGE.verdict(asked("Not answerable", kind="None"), answer).rule == "declined"
    for question in (asked("Lycoming"), asked("4", kind="Int"), asked("No"), asked("Yes"), listed("FHWA", "FRA"), asked("02/28/2008")):
        assert verdict(question, answer) is False


@pytest.mark.parametrize("answer", ["81 ft", "81 ft msl. Not specified otherwise.", "Not stated, but the answer is likely 81 ft."])
def test_a_guess_is_no_decline(answer: str) -> None:
    assert verdict(asked("Not answerable", kind="None"), answer) is False
    assert verdict(asked("81 ft"), answer) is True


async def test_a_batch_keeps_its_order() -> None:
    question = asked("Lycoming")
    verdicts = await JUDGE.judge([(question, "Lycoming"), (question, "Continental"), (question, "lycoming.")])
    assert [one.correct for one in verdicts] == [True, False, True]


WORDS = st.text(alphabet=string.ascii_letters + string.digits, min_size=1, max_size=8)
PHRASES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
NUMBERS = st.one_of(
    st.integers(-(10**9), 10**9).map(str),
    st.integers(0, 10**12).map("{:,}".format),
    st.decimals(0, 10**6, places=3).map(str),
    st.dates().map("{:%B %d, %Y}".format),
)
REFERENCES = st.one_of(PHRASES, NUMBERS, st.sampled_from(["Yes", "No", "$5.2 million", "28°C / 22°C", "北京", "O-235", "1-2 points"]))
FORMATS = st.sampled_from(["Str", "Int", "Float"])


@given(REFERENCES, FORMATS)
def test_the_reference_is_right(reference: str, kind: AnswerFormat) -> None:
    assert verdict(asked(reference, kind=kind), reference) is True
    assert verdict(asked("something else entirely", reference, kind=kind), reference) is True


@given(st.text(max_size=40), st.text(max_size=40), FORMATS)
def test_any_text_gets_a_verdict(reference: str, answer: str, kind: AnswerFormat) -> None:
    assert verdict(asked(reference, kind=kind), reference) is True
    assert verdict(asked(reference, kind=kind), answer) in (True, False)
    assert verdict(listed(reference, answer), answer) in (True, False)


@given(st.lists(st.one_of(PHRASES, NUMBERS), min_size=1, max_size=5, unique=True))
def test_the_whole_list_is_right(items: list[str]) -> None:
    assert verdict(listed(*items), ", ".join(items)) is True


@settings(max_examples=200)
@given(REFERENCES, FORMATS, REFERENCES, st.sampled_from(["", " ", "\t", "  "]), st.sampled_from([".", "!", " .", "", "\n"]))
def test_case_space_and_trailing_punctuation_never_decide(reference: str, kind: AnswerFormat, answer: str, space: str, end: str) -> None:
    question = asked(reference, kind=kind)
    expected = JUDGE.verdict(question, answer)
    for variant in (answer.upper(), answer.lower(), space + answer + space, answer.replace(" ", " " + space), answer + end):
        assert JUDGE.verdict(question, variant).correct == expected.correct


@given(REFERENCES, FORMATS, st.sampled_from(DECLINED))
def test_a_declined_answer_is_never_right_where_there_is_an_answer(reference: str, kind: AnswerFormat, answer: str) -> None:
    question = asked(reference, kind=kind)
    assert verdict(question, answer) is False


@given(PHRASES, PHRASES)
def test_an_answer_without_any_word_of_the_reference_is_wrong(reference: str, answer: str) -> None:
    question = asked("zz" + reference)
    assert verdict(question, answer.replace("z", "y").replace("Z", "Y")) is False


@pytest.mark.skipif(not SAMPLE.exists(), reason="the shared sample is not here")
def test_every_spelling_in_the_sample_is_right() -> None:
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        items = tuple(entry["answer"]) if isinstance(entry["answer"], list) else ()
        first = ", ".join(items) or entry["answer"]
        question = Question(
            entry["qid"], entry["question"], (first, *entry["aliases"]), entry["answer_format"], entry["answerable"], items=items
        )
        spellings = [first] if items else question.references
        assert [spelling for spelling in spellings if not verdict(question, spelling)] == []
        assert verdict(question, "Not answerable") is (not entry["answerable"])


@pytest.mark.skipif(not MMLONGBENCH.exists(), reason="the shared MMLongBench-Doc is not here")
def test_every_reference_of_mmlongbench_is_right_and_no_neighbour_crashes() -> None:
    entries = json.loads(MMLONGBENCH.read_text(encoding="utf-8"))
    questions = [
        Question(str(at), entry["question"], (entry["answer"],), entry["answer_format"], entry["answer_format"] != "None")
        for at, entry in enumerate(entries)
    ]
    assert [question.references for question in questions if not verdict(question, question.references[0])] == []
    swapped = [verdict(question, other.references[0]) for question, other in pairwise(questions)]
    assert None not in swapped
