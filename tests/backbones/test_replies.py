"""Completions as endpoints really write them: each has its named outcome, and none raises."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from support.served import settings
from support.standin import call, completion

from taec.backbones.replies import read, read_arguments
from taec.core.chat import Reply
from taec.systems.agent.tools import SUMMARIZE
from taec.systems.react import ANSWER, SEARCH

TOOLS = (SEARCH, ANSWER, SUMMARIZE)
PLAIN = settings("http://127.0.0.1:1/v1")
RECOVERING = settings("http://127.0.0.1:1/v1", "qwen2_5_vl_7b")


def reading(body: JsonValue, *, recovering: bool = False, wanted: bool = True) -> Reply:
    chosen = RECOVERING if recovering else PLAIN
    assert isinstance(body, dict)
    return read(body, "asked", TOOLS if wanted else (), wanted, chosen.replies, chosen.messages)


def broken_call(**function: JsonValue) -> JsonValue:
    return {"id": "c", "type": "function", "function": function}


CASES: list[tuple[JsonValue, str]] = [
    (completion(None, call("search", {"query": "q"})), "ok"),
    (completion(None, call("search", {"query": "q"}), finish="weird"), "ok"),
    (completion("thinking", call("search", {"query": "q"}), finish="tool_calls"), "ok"),
    (completion(None, call("search", {"query": "q"}, "a"), call("search", {"query": "r"}, "b")), "several_calls"),
    (completion(None, call("search", {"query": "q"}, "")), "repaired_id"),
    (completion(None, call("search", {"query": "q"}, None)), "repaired_id"),
    (completion(None, call("search", '"{\\"query\\": \\"q\\"}"')), "repaired_arguments"),
    (completion(None, broken_call(name="search", arguments={"query": "q"})), "repaired_arguments"),
    (completion(None, call("summarize_and_memorize", {"summarize": "s", "memorize": '[{"picture": 1, "priority_score": 2}]'})),
     "repaired_arguments"),
    (completion(None, call("search", '{"query": "two\nlines"}')), "ok"),
    (completion(None, call("search", '{"query": ')), "unreadable_arguments"),
    (completion(None, call("search", "{'query': 'q'}")), "unreadable_arguments"),
    (completion(None, call("search", "[{}, 0, 4]")), "unreadable_arguments"),
    (completion(None, call("search", "-Infinity")), "unreadable_arguments"),
    (completion(None, call("search", '{"query": NaN}')), "unreadable_arguments"),
    (completion(None, call("search", "[" * 100_000)), "unreadable_arguments"),
    (completion(None, call("search", '{"query": "' + "x" * 200_000 + '"}')), "unreadable_arguments"),
    (completion(None, broken_call(name="search", arguments=None)), "invalid_arguments"),
    (completion(None, call("search", {"words": "q"})), "invalid_arguments"),
    (completion(None, call("look_up", {"query": "q"})), "unknown_tool"),
    (completion(None, {"id": "c", "function": None}), "malformed_tool_call"),
    (completion(None, call("search", {"query": "q"}), finish="length"), "truncated"),
    (completion(None, call("search", '{"query": "q'), finish="length"), "truncated"),
    (completion("half a", finish="length"), "truncated"),
    (completion(None, finish="length"), "truncated"),
    (completion("I would search.", finish="stop"), "no_tool_call"),
    (completion('<tool_call>\n{"name": "search", "arguments": {"query": "q"}}\n</tool_call>'), "unparsed_tool_call"),
    (completion('{"name": "search", "arguments": {"query": "q"}}'), "unparsed_tool_call"),
    (completion(None), "empty_response"),
    (completion(""), "empty_response"),
    (completion([]), "empty_response"),
    (completion(None, finish="MALFORMED_FUNCTION_CALL"), "malformed_tool_call"),
    (completion(None, finish="function_call_filter: MALFORMED_FUNCTION_CALL"), "malformed_tool_call"),
    (completion(None, finish="UNEXPECTED_TOOL_CALL"), "malformed_tool_call"),
    (completion(None, finish="content_filter"), "content_filter"),
    (completion(None, message={"refusal": "I can't help with that."}), "refusal"),
    ({"choices": []}, "empty_response"),
    ({"choices": None}, "empty_response"),
    ({"choices": [None]}, "empty_response"),
    ({"choices": [{"message": None, "finish_reason": None}]}, "empty_response"),
    ({"choices": [{"message": {"tool_calls": "none", "content": 7}}], "usage": {"prompt_tokens": None}}, "empty_response"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "outcome"), CASES)
def test_outcomes(body: JsonValue, outcome: str) -> None:
    assert reading(json.loads(json.dumps(body))).outcome == outcome


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ('<tool_call>\n{"name": "search", "arguments": {"query": "a"}}\n</tool_call>', ["a"]),
        ('Well. <tool_call>{"name": "search", "arguments": {"query": "a\nb"}}</tool_call>', ["a\nb"]),
        ('<tool_call>{"name": "search", "arguments": {"query": "a"}}</tool_call>'
         '<tool_call>{"name": "search", "arguments": {"query": "b"}}', ["a", "b"]),
        ('```json\n{"name": "search", "arguments": "{\\"query\\": \\"a\\"}"}\n```', ["a"]),
        ('[{"name": "search", "parameters": {"query": "a"}}]', ["a"]),
        ("<|tool_calls_section_begin|><|tool_call_begin|>functions.search:3<|tool_call_argument_begin|>{\"query\": \"a\"}<|tool_call_end|>"
         "<|tool_calls_section_end|>", ["a"]),
    ],
)  # fmt: skip
def test_calls_written_as_text_are_recovered_where_the_profile_says_so(text: str, queries: list[str]) -> None:
    reply = reading(completion(text), recovering=True)
    assert reply.outcome == "recovered_tool_call"
    assert [call.arguments["query"] for call in reply.calls] == queries
    assert len({call.id for call in reply.calls}) == len(queries)
    assert "search" not in reply.text


@pytest.mark.parametrize(
    "text",
    ['<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>', "<tool_call>{'name': 'search'}</tool_call>", "<tool_call>search"],
)
def test_what_cannot_be_recovered_stays_text(text: str) -> None:
    reply = reading(completion(text), recovering=True)
    assert (reply.outcome, reply.calls, reply.text) == ("unparsed_tool_call", (), text)


def test_repeated_ids_are_made_different_and_others_are_left_alone() -> None:
    ids = ["functions.search:7", "x" * 4000 + "__thought__", "functions.search:7", ""]
    reply = reading(completion(None, *(call("search", {"query": "q"}, identity) for identity in ids)))
    found = [call.id for call in reply.calls]
    assert found[:2] == ids[:2]
    assert len(set(found)) == 4
    assert all(found)


def test_vendor_fields_are_kept_at_their_place() -> None:
    signature = {"google": {"thought_signature": "abc"}}
    body = completion(
        None, call("search", {"query": "q"}, extra_content=signature, other=1), message={"reasoning_content": "hm", "audio": "x"}
    )
    reply = reading(body)
    assert reply.calls[0].extras == {"extra_content": signature}
    assert reply.extras == {"reasoning_content": "hm"}


def test_thinking_that_the_endpoint_leaves_out_is_counted() -> None:
    reply = reading(completion("x", usage={"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40}), wanted=False)
    assert reply.usage is not None
    assert (reply.usage.completion_tokens, reply.outcome) == (30, "ok")
    assert [(incident.kind, incident.detail) for incident in reply.incidents] == [("thought", "25 tokens")]


def test_a_plain_answer_needs_no_call() -> None:
    reply = reading(completion([{"type": "text", "text": "It is "}, {"type": "text", "text": "2."}]), wanted=False)
    assert (reply.text, reply.outcome, reply.model) == ("It is 2.", "ok", "m-1")


NAMES = ("choices", "message", "tool_calls", "function", "name", "arguments", "content", "id", "finish_reason", "usage", "refusal", "model")
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
)


@given(ANYTHING)
def test_nothing_raises(value: JsonValue) -> None:
    for body in (
        {"choices": value},
        {"choices": [value]},
        {"choices": [{"message": value}]},
        {"choices": [{"message": {"tool_calls": [value]}}]},
    ):
        assert reading(body, recovering=True).outcome


@given(st.text(max_size=40))
def test_arguments_are_an_object_or_a_fault(raw: str) -> None:
    arguments, fault, _ = read_arguments(raw, 100)
    assert isinstance(arguments, dict)
    assert not (arguments and fault)
