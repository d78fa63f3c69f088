"""What the reader writes and reads again: summaries, queries, prompts."""

import json

import pytest

from taec.backbones.reading.evidence import Candidate
from taec.backbones.reading.prompt import understand
from taec.backbones.reading.queries import dead_ends, next_query, node_id
from taec.backbones.reading.questions import ask
from taec.backbones.reading.summaries import finding, likeness_of_form, noted, nothing, subject
from taec.core.chat import Message, ToolCall
from taec.core.images import EncodedImage


@pytest.mark.parametrize(("confidence", "words"), [(0.9, "clearly states that"), (0.5, "mentions that"), (0.35, "partially suggests that")])
def test_finding_is_read_back_at_its_strength(confidence: float, words: str) -> None:
    sentence = finding(Candidate("Diesel, twin", confidence, 0, "field", "Engine Type"), 2, sure=0.6)
    assert sentence == f"Picture 2 {words} the Engine Type is “Diesel, twin”."
    (found,) = noted([sentence], 0.6).candidates
    assert (found.value, found.about) == ("Diesel, twin", "Engine Type")
    assert found.confidence <= max(confidence, 0.6)
    assert (found.confidence >= 0.6) == (confidence >= 0.6)


def test_part_of_a_comparison_blank_subject_and_labels_are_read_back() -> None:
    notes = noted(
        [
            finding(Candidate("900 l", 0.9, 0, "field", "Volume", case="Port Ellis"), 1, 0.6),
            finding(Candidate("", 0.9, 0, "blank", "Home Port"), 3, 0.6),
            subject(["QX77BZ312", "N461TC"], 1, "engine type", ""),
            subject(["QX77BZ555"], 2, "volume", "Barrow"),
            likeness_of_form(["Engine Type", "Gross Wt."], 4),
        ],
        0.6,
    )
    assert {(found.case, found.value, found.means) for found in notes.candidates} == {("Port Ellis", "900 l", "earlier"), ("", "", "blank")}
    assert notes.codes == (("", "QX77BZ312"), ("", "N461TC"), ("Barrow", "QX77BZ555"))
    assert notes.labels == ("Engine Type", "Gross Wt.")


def test_another_writers_summary_is_passed_over() -> None:
    notes = noted(["The report shows revenue of 5.", ""], 0.6)
    assert (notes.candidates, notes.codes, notes.labels) == ((), (), ())


def test_nothing_says_why() -> None:
    assert "unclear" in nothing("query", ["berth"], legibility=0.3)
    assert nothing("query", ["berth"], 0.9) == "No relevant information found for 'query': berth not found."
    assert len(nothing("word " * 100, [], 0.9)) < 200


def test_queries_never_repeat_and_run_out() -> None:
    asked = ask("What was the fuel recorded for the 12/17/2007 leak at Port Ellis, Maine?")
    tried: list[str] = []
    while query := next_query(asked, ["QX77BZ312"], ["Engine Type"], ["12/17/2007"], tried):
        tried.append(query)
        assert len(tried) < 40
    assert len({frozenset(query.split()) for query in tried}) == len(tried) > 5
    assert tried[0] == asked.text
    assert any("QX77BZ312" in query and "fuel" in query for query in tried)


def test_dead_ends_are_the_quoted_queries() -> None:
    assert dead_ends(['Dead end: the search "fuel of the leak" found nothing.', "Answer next."]) == ("fuel of the leak",)


def test_node_ids_differ() -> None:
    assert node_id("fuel of the leak", 1) != node_id("fuel of the leak", 2)


def prompt_of(*parts: str | EncodedImage) -> Message:
    return Message.user(*parts)


def test_prompt_with_graph_memory_and_hints(blank_page: EncodedImage) -> None:
    graph = [{"id": "root", "question": "Q?"}, {"id": "s1", "parents": ["root"], "query": "first", "summary": "Nothing."}]
    text = "Question: What is it?\nHint: Do not repeat.\nAction graph:\n" + json.dumps(graph)
    prompt = understand([Message.system("x"), prompt_of(text, "Memory of node s1:", blank_page, blank_page)])
    assert (prompt.question, prompt.hints, prompt.queries, prompt.last_id) == ("What is it?", ("Do not repeat.",), ("first",), "s1")
    assert [picture.node for picture in prompt.kept] == ["s1", "s1"]
    assert (prompt.fresh, prompt.unread) == ((), False)


def test_pictures_of_the_first_search_are_unread(blank_page: EncodedImage) -> None:
    text = 'Question: What is it?\nAction graph:\n[{"id": "root", "question": "What is it?"}, {"id": "q", "query": "What is it?"}]'
    prompt = understand([prompt_of(text, "It was searched.", "Picture 1", blank_page, "Picture 2", blank_page)])
    assert ([picture.number for picture in prompt.fresh], prompt.unread) == ([1, 2], True)


def test_search_moves_earlier_pictures_to_the_kept_ones(blank_page: EncodedImage) -> None:
    call = ToolCall("c", "search", {"query": "second"})
    messages = [
        prompt_of("Question: Q"),
        prompt_of("Picture 1", blank_page),
        Message("assistant", (), (call,)),
        Message.tool(call, "Picture 1: a caption"),
        prompt_of("Picture 1", blank_page),
    ]
    prompt = understand(messages)
    assert (len(prompt.kept), len(prompt.fresh), prompt.queries) == (1, 1, ("second",))


def test_broken_graph_gives_what_can_be_read() -> None:
    prompt = understand([prompt_of('Question: Q\nAction graph:\n[{"id": "s1", "query": "first", "summary": "Not fo')])
    assert (prompt.queries, prompt.question) == (("first",), "Q")
    assert understand([]).question == ""
