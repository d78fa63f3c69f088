"""What the reader makes of pictures it was sent."""

import json
from collections.abc import Callable

import pytest
from pydantic import BaseModel, ValidationError
from support.pages import SETTINGS

from taec.backbones.reader import MODEL, Reader, Settings
from taec.core.chat import Message, ToolCall
from taec.core.images import EncodedImage
from taec.core.tools import Tool
from taec.systems.agent import tools

AGENT: tuple[Tool[BaseModel], ...] = (tools.SEARCH, tools.SUMMARIZE_REGIONS, tools.ANSWER)
ENGINE = "According to register QX77BZ312, what was the engine type?"


@pytest.fixture(scope="module")
def reader(make_reader: Callable[[], Reader]) -> Reader:
    return make_reader()


def state(question: str, *nodes: dict[str, str], hint: str = "") -> str:
    lines = [f"Question: {question}", *([f"Hint: {hint}"] if hint else [])]
    return "\n".join([*lines, "Action graph:", json.dumps([{"id": "root", "question": question}, *nodes])])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (ENGINE, "Diesel"),
        ("According to register QX77BZ312, what was the home port?", "Not answerable"),
        ("According to register QX77BZ999, what was the engine type?", "Not answerable"),
        ("How many metres tall is the lighthouse?", "42"),
        ("In which year was the lighthouse built?", "1887"),
        ("Who was the engineer that built the lighthouse?", "Maria Holt"),
    ],
)
async def test_plain_answer(reader: Reader, question: str, answer: str, record_page: EncodedImage, prose_page: EncodedImage) -> None:
    reply = await reader.reply([Message.user(f"Question: {question}", "Picture 1", prose_page, "Picture 2", record_page)], (), "none")
    assert reply.text == answer
    assert reply.model == MODEL


async def test_summary_names_the_finding_and_keeps_its_region(reader: Reader, record_page: EncodedImage, prose_page: EncodedImage) -> None:
    text = state(ENGINE, {"id": "q", "query": ENGINE})
    reply = await reader.reply([Message.user(text, "Picture 1", prose_page, "Picture 2", record_page)], AGENT, "auto")
    (call,) = reply.calls
    assert call.name == "summarize_and_memorize"
    assert call.arguments["summarize"] == "Picture 2 clearly states that the Engine Type is “Diesel”."
    arguments = tools.SUMMARIZE_REGIONS.parse(dict(call.arguments))
    (kept,) = arguments.memorize
    left, top, right, bottom = kept.region
    assert (kept.picture, kept.priority_score) == (2, 5)
    assert 0 <= left < right <= 1000
    assert 0 <= top < bottom < 500


async def test_own_summary_is_enough_to_answer(reader: Reader) -> None:
    summary = "Picture 2 clearly states that the Engine Type is “Diesel”."
    reply = await reader.reply([Message.user(state(ENGINE, {"id": "q", "query": ENGINE, "summary": summary}))], AGENT, "auto")
    assert [(call.name, call.arguments["answer"]) for call in reply.calls] == [("add_answer_node", "Diesel")]


async def test_identifier_found_first_is_in_the_next_query(reader: Reader) -> None:
    question = "What was the engine type recorded for the 12/17/2007 leak at Port Ellis?"
    summary = "Picture 1 identifies the subject as “QX77BZ312”; the engine type is on another page."
    reply = await reader.reply([Message.user(state(question, {"id": "q", "query": question, "summary": summary}))], AGENT, "auto")
    (call,) = reply.calls
    assert call.name == "add_search_node"
    assert "QX77BZ312" in str(call.arguments["query"])
    assert call.arguments["parent_ids"] == ["q"]


async def test_irrelevant_page_is_said_to_be_so(reader: Reader, prose_page: EncodedImage) -> None:
    reply = await reader.reply([Message.user(state(ENGINE, {"id": "q", "query": ENGINE}), "Picture 1", prose_page)], AGENT, "auto")
    (call,) = reply.calls
    assert str(call.arguments["summarize"]).startswith("No relevant information found for")
    assert call.arguments["memorize"] == []


async def test_dead_end_query_is_not_searched(reader: Reader) -> None:
    first = await reader.reply([Message.user(state(ENGINE, {"id": "q", "query": ENGINE, "summary": "Nothing."}))], AGENT, "auto")
    query = str(first.calls[0].arguments["query"])
    hint = f'Dead end: the search "{query}" found no relevant information.'
    second = await reader.reply(
        [Message.user(state(ENGINE, {"id": "q", "query": ENGINE, "summary": "Nothing."}, hint=hint))], AGENT, "auto"
    )
    assert second.calls[0].name == "add_search_node"
    assert second.calls[0].arguments["query"] != query


async def test_early_stop_hint_is_honoured_where_there_is_a_finding(reader: Reader) -> None:
    node = {"id": "q", "query": ENGINE, "summary": "Picture 1 mentions that the engine is “Diesel”."}
    hint = "The latest summary states a value with confidence. If it settles the question, answer next."
    open_reply = await reader.reply([Message.user(state(ENGINE, node))], AGENT, "auto")
    hinted = await reader.reply([Message.user(state(ENGINE, node, hint=hint))], AGENT, "auto")
    assert [reply.calls[0].name for reply in (open_reply, hinted)] == ["add_search_node", "add_answer_node"]


async def test_captions_in_tool_messages_are_not_read(reader: Reader, blank_page: EncodedImage) -> None:
    call = ToolCall("c", "search", {"query": ENGINE})
    messages = [
        Message.user(f"Question: {ENGINE}"),
        Message("assistant", (), (call,)),
        Message.tool(call, "Picture 1: QX77BZ312 Engine Type: Diesel"),
        Message.user("Picture 1", blank_page),
    ]
    assert (await reader.reply(messages, (), "none")).text == "Not answerable"


def test_identity_says_what_it_is(reader: Reader) -> None:
    identity = reader.identity()
    assert identity["model"] == MODEL
    assert "rule-based" in str(identity["kind"])
    assert identity["max_searches"] == SETTINGS.max_searches


def test_settings_refuse_what_is_out_of_range() -> None:
    with pytest.raises(ValidationError):
        Settings(**{**SETTINGS.model_dump(), "max_searches": 0})
    with pytest.raises(ValidationError):
        Settings(**{**SETTINGS.model_dump(), "unknown": 1})
