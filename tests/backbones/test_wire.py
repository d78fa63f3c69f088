"""What every provider accepts: how a history is written down."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.served import settings
from support.standin import broken_protocol

from taec.backbones.wire import check, compose, written
from taec.core.chat import Message, Reply, ToolCall
from taec.core.errors import SystemFailure
from taec.core.images import EncodedImage
from taec.systems.calls import answered
from taec.systems.react import TOOLS

PICTURE = EncodedImage(b"\xff\xd8jpeg\xff\xd9", 28, 28, 784)
GEMINI = settings("http://127.0.0.1:1/v1", "gemini")
PLAIN = settings("http://127.0.0.1:1/v1")
SIGNATURE = {"google": {"thought_signature": "a/b=="}}


def history() -> list[Message]:
    calls = (
        ToolCall("functions.search:0", "search", {"query": "é"}, extras={"extra_content": SIGNATURE, "index": 0}),
        ToolCall("b", "search", {}, fault="x"),
    )
    turn = Reply(calls=calls, extras={"reasoning_content": "hm"})
    return [Message.system("s"), Message.user("q"), *answered(turn, "found"), Message.user("Picture 1", PICTURE)]


def test_vendor_fields_go_back_where_they_were_and_ids_as_they_came() -> None:
    (turn,) = [message for message in written(history(), GEMINI.messages) if message["role"] == "assistant"]
    assert turn == {
        "role": "assistant",
        "tool_calls": [
            {"extra_content": SIGNATURE, "id": "functions.search:0", "type": "function",
             "function": {"name": "search", "arguments": '{"query": "é"}'}},
            {"id": "b", "type": "function", "function": {"name": "search", "arguments": "{}"}},
        ],
    }  # fmt: skip
    assert written(history(), PLAIN.messages)[2]["reasoning_content"] == "hm"


def test_results_follow_their_calls_and_pictures_come_after_all_of_them() -> None:
    found = written(history(), GEMINI.messages)
    assert [(message["role"], message.get("tool_call_id"), message.get("name")) for message in found[3:]] == [
        ("tool", "functions.search:0", "search"), ("tool", "b", "search"), ("user", None, None)
    ]  # fmt: skip
    assert found[-1]["content"] == [
        {"type": "text", "text": "Picture 1"},
        {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,/9hqcGVn/9k="}},
    ]


def test_nothing_empty_is_sent() -> None:
    messages = [
        Message.system(""),
        Message.user("", PICTURE),
        Message.assistant(Reply()),
        *answered(Reply(calls=(ToolCall("a", "f", {}),)), ""),
    ]
    found = written(messages, PLAIN.messages)
    assert [message["role"] for message in found] == ["user", "assistant", "tool"]
    assert len(found[0]["content"]) == 1  # type: ignore[arg-type]
    assert "content" not in found[1]
    assert found[2]["content"] == "(no content)"


def test_user_messages_are_joined_where_the_profile_says_so() -> None:
    messages = [Message.user("a"), Message.user("b", PICTURE), Message.user("c")]
    rules = PLAIN.messages.model_copy(update={"merge_users": True})
    (one,) = written(messages, rules)
    assert [part.get("text", "picture") for part in one["content"]] == ["a", "b", "picture", "c"]  # type: ignore[union-attr]
    assert len(written(messages, PLAIN.messages)) == 3


@pytest.mark.parametrize(
    "messages",
    [
        [Message("tool", ("x",), call_id="a")],
        [Message.assistant(Reply(calls=(ToolCall("a", "f", {}),)))],
        [Message.assistant(Reply(calls=(ToolCall("a", "f", {}),))), Message.user("x"), Message("tool", ("x",), call_id="a")],
        [Message.assistant(Reply(calls=(ToolCall("a", "f", {}), ToolCall("b", "f", {})))), Message("tool", ("x",), call_id="b")],
        [Message.assistant(Reply(calls=(ToolCall("a", "f", {}),))), *[Message("tool", ("x",), call_id="a")] * 2],
        [Message("tool", (PICTURE,), call_id="a")],
        [Message("system", (PICTURE,))],
    ],
)
def test_histories_that_providers_refuse_are_never_sent(messages: list[Message]) -> None:
    with pytest.raises(SystemFailure, match="message_protocol"):
        check(messages)


REPLIES = st.builds(
    lambda text, names: Reply(text=text, calls=tuple(ToolCall(f"c{n}", name, {}) for n, name in enumerate(names))),
    st.sampled_from(["", "text"]),
    st.lists(st.sampled_from(["search", "answer", "other"]), max_size=3),
)


@given(st.lists(st.tuples(REPLIES, st.sampled_from(["", "found"]), st.booleans()), max_size=5), st.booleans())
def test_what_systems_do_with_replies_is_what_the_strictest_provider_takes(turns: list[tuple[Reply, str, bool]], merge: bool) -> None:
    messages = [Message.system("s"), Message.user("q")]
    for reply, text, picture in turns:
        messages += answered(reply, text)
        messages += [Message.user("Picture 1", PICTURE)] if picture else []
    found = written(messages, PLAIN.messages.model_copy(update={"merge_users": merge}))
    assert broken_protocol({"messages": found}) == ""


def test_the_body_says_what_the_profile_says() -> None:
    kimi = settings("http://127.0.0.1:1/v1", "kimi")
    request = compose("k", [Message.user("q")], TOOLS, "required", kimi.request, kimi.messages, 1000)
    body = json.loads(request.body)
    assert body["tool_choice"] == "auto"
    assert body["reasoning_effort"] == "low"
    assert "temperature" not in body
    assert "max_tokens" not in body
    assert {key for tool in body["tools"] for key in tool["function"]} == {"name", "description", "parameters"}
    mini = settings("http://127.0.0.1:1/v1", "gpt_4o_mini")
    body = json.loads(compose("k", [Message.user("q")], (), "none", mini.request, mini.messages, 1000).body)
    assert body == {"model": "k", "messages": [{"role": "user", "content": "q"}], "max_completion_tokens": 4096, "temperature": 0.3}


def test_a_body_over_the_cap_is_not_sent() -> None:
    rules = PLAIN.messages.model_copy(update={"max_body_bytes": 50})
    with pytest.raises(SystemFailure, match="body_too_large"):
        compose("k", [Message.user("q")], TOOLS, "auto", PLAIN.request, rules, 1000)


def test_lone_surrogates_do_not_break_a_request() -> None:
    assert compose("k", [Message.user("\ud800")], (), "none", PLAIN.request, PLAIN.messages, 1).body
