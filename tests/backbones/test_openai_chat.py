"""The client against a server that breaks: every case ends in its named outcome, and what was sent is what was meant."""

import asyncio
import json
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path

import pytest
from support.served import Clock, ask, kinds, served, settings
from support.standin import Say, Signed, Standin, call, completion, play, say
from support.world import call as scripted_call
from support.world import make_world, system

from taec.backbones.base import lanes
from taec.backbones.keys import Key
from taec.backbones.openai_chat import build
from taec.core.chat import Message
from taec.core.errors import InfrastructureError, SystemFailure, UsageError

SEARCH = call("search", {"query": "q"})
ERROR = {"error": {"message": "slow down"}}
RETRY_INFO = [{"error": {"code": 429, "message": "Quota exceeded", "details": [{"@type": "RetryInfo", "retryDelay": "45.8s"}]}}]
DAY = [{"error": {"code": 429, "message": "Quota", "details": [{"violations": [{"quotaId": "RequestsPerDayPerProject"}]}]}}]

FAILURES = {
    "error in a 200": (Say({"error": {"code": 400, "message": "bad"}}), "request_fault"),
    "list error body": (Say([{"error": {"code": 400, "message": "bad", "status": "INVALID_ARGUMENT"}}], 400), "request_fault"),
    "truncated JSON": (Say(b'{"choices": [{"mess'), "unreadable_body"),
    "empty body": (Say(b""), "unreadable_body"),
    "HTML in a 200": (Say(b"<html>hello</html>", headers={"content-type": "text/html"}), "not_a_completion"),
    "JSON text": (Say("hello"), "not_a_completion"),
    "not UTF-8": (Say(b'{"choices": "\xff\xfe"'), "unreadable_body"),
    "body cut": (Say(completion("hello"), cut=30), "truncated_body"),
    "dribbling": (Say(completion("hello " * 200), dribble=0.05), "timeout"),
    "late": (Say(completion("hello"), late=5), "timeout"),
    "500": (Say(b"oh", 500), "server_error"),
    "413": (Say(b"<html>too large</html>", 413), "body_too_large"),
    "too large for ever": (Say({"error": {"message": "Request too large: Limit 10, Requested 20"}}, 429), "request_too_large"),
    "final 429": (Say(ERROR, 429, {"x-should-retry": "false"}), "rate_limit_final"),
    "wrong encoding": (Say(b"not gzip", headers={"content-encoding": "gzip"}), "truncated_body"),
}
OUTCOMES = {
    "empty choices": (Say({"choices": []}), "empty_response"),
    "null choices": (Say({"choices": None, "usage": None}), "empty_response"),
    "refusal": (say(None, message={"refusal": "no"}), "refusal"),
    "malformed": (say(None, finish="malformed_function_call"), "malformed_tool_call"),
    "written as text": (say('<tool_call>{"name": "search", "arguments": {"query": "q"}}</tool_call>'), "unparsed_tool_call"),
}
WAITS = {
    "retry-after-ms": (Say(ERROR, 429, {"retry-after-ms": "2500"}), 2.5),
    "retry-after": (Say(ERROR, 429, {"retry-after": "7"}), 7),
    "HTTP date": (Say(ERROR, 429, {"retry-after": formatdate(1e9 + 30, usegmt=True), "date": formatdate(1e9, usegmt=True)}), 30),
    "RetryInfo": (Say(RETRY_INFO, 429), 45.8),
    "reset": (Say(ERROR, 429, {"x-ratelimit-reset-requests": "1m5s"}), 65),
    "in the text": (Say({"error": {"message": "Please try again in 12.5s."}}, 429), 12.5),
    "overload": (Say(ERROR, 503, {"retry-after": "9"}), 9),
    "inside a 200": (Say({"error": {"code": 429, "message": "Please retry in 3s"}}), 3),
}


@pytest.mark.parametrize("case", FAILURES)
async def test_a_failed_call_ends_its_question_under_a_name_and_is_sent_once(case: str) -> None:
    answer, reason = FAILURES[case]
    with Standin([answer]).running() as server:
        async with served(server.url, timeouts__total=0.5) as backbone:
            reply = await ask(backbone)
    assert (reply.outcome, len(server.seen)) == (reason, 1)
    assert reply.failure
    assert not reply.calls


@pytest.mark.parametrize("case", OUTCOMES)
async def test_a_reply_that_is_none_has_a_name_and_is_for_the_model_to_hear(case: str) -> None:
    answer, outcome = OUTCOMES[case]
    with Standin([answer]).running() as server:
        async with served(server.url) as backbone:
            reply = await ask(backbone)
    assert (reply.outcome, reply.failure, len(server.seen)) == (outcome, "", 1)


@pytest.mark.parametrize("case", WAITS)
async def test_a_refused_call_waits_as_told_and_goes_again(case: str) -> None:
    answer, seconds = WAITS[case]
    clock = Clock()
    with Standin([answer, say(None, SEARCH)]).running() as server:
        async with served(server.url, clock=clock) as backbone:
            reply = await ask(backbone)
    assert (reply.outcome, len(server.seen)) == ("ok", 2)
    assert seconds <= sum(clock.slept) <= seconds + 0.6
    assert kinds(reply) == ["overload_wait" if case == "overload" else "rate_limit_wait"]


async def test_a_storm_is_waited_out_with_growing_patience() -> None:
    clock = Clock()
    with Standin([Say(ERROR, 429)] * 8 + [say(None, SEARCH)]).running() as server:
        async with served(server.url, clock=clock) as backbone:
            reply = await ask(backbone)
    assert (reply.outcome, len(server.seen)) == ("ok", 9)
    assert clock.slept[5] > clock.slept[2] > clock.slept[0]


async def test_patience_ends_with_the_run_not_with_a_wrong_row() -> None:
    with Standin([Say(ERROR, 429, {"retry-after": "86400"})]).running() as server:
        async with served(server.url) as backbone:
            with pytest.raises(InfrastructureError, match=r"would have waited 8640\d s"):
                await ask(backbone)


async def test_a_key_whose_quota_is_gone_is_left_for_the_next_and_the_last_stops_the_run() -> None:
    keys = [Key("A", "key-aaaaaaa"), Key("B", "key-bbbbbbb")]
    with Standin([Say(DAY, 429), say(None, SEARCH), Say(DAY, 429)]).running() as server:
        async with served(server.url, *keys) as backbone:
            reply = await ask(backbone)
            assert (reply.outcome, kinds(reply)) == ("ok", ["key_stopped"])
            with pytest.raises(InfrastructureError, match="No key can be used any more"):
                await ask(backbone)
    assert [seen.headers["authorization"] for seen in server.seen] == [f"Bearer {keys[n].reveal()}" for n in (0, 1, 1)]


@pytest.mark.parametrize("answer", [Say(ERROR, 401), Say([{"error": {"message": "API key not valid."}}], 400)])
async def test_a_refused_key_stops_the_run(answer: Say) -> None:
    with Standin([answer]).running() as server:
        async with served(server.url, Key("THE_KEY", "secret-secret")) as backbone:
            with pytest.raises(InfrastructureError, match="refuses THE_KEY"):
                await ask(backbone)


async def test_a_wrong_setting_stops_the_run_after_three_questions() -> None:
    with Standin(
        otherwise=lambda seen: Say({"error": {"message": "auto tool choice requires --tool-call-parser"}}, 400)
    ).running() as server:
        async with served(server.url) as backbone:
            assert [(await ask(backbone)).outcome for _ in range(2)] == ["request_fault"] * 2
            with pytest.raises(InfrastructureError, match="tool-call-parser"):
                await ask(backbone)
    assert len(server.seen) == 3


async def test_a_dead_server_stops_the_run() -> None:
    with Standin().running() as server:
        async with served(server.url) as backbone:
            await ask(backbone)
            url = server.url
    async with served(url) as backbone:
        assert [(await ask(backbone)).outcome for _ in range(2)] == ["connection_error"] * 2
        with pytest.raises(InfrastructureError, match="cannot be reached"):
            await ask(backbone)


async def test_a_connection_lost_before_the_answer_is_tried_once_more_and_counted() -> None:
    with Standin([Say(reset=True), say(None, SEARCH), Say(reset=True), Say(reset=True)]).running() as server:
        async with served(server.url) as backbone:
            reply = await ask(backbone)
            assert (reply.outcome, kinds(reply)) == ("ok", ["resent"])
            reply = await ask(backbone)
            assert (reply.outcome, kinds(reply)) == ("connection_error", ["resent"])
    assert len(server.seen) == 4


async def test_calls_written_as_text_are_taken_where_the_profile_says_so() -> None:
    with Standin([OUTCOMES["written as text"][0]]).running() as server:
        async with served(server.url, name="qwen2_5_vl_7b") as backbone:
            reply = await ask(backbone)
    assert (reply.outcome, reply.calls[0].arguments) == ("recovered_tool_call", {"query": "q"})
    assert server.seen[0].body["tools"][0]["function"]["strict"] is True
    assert server.seen[0].body["parallel_tool_calls"] is False


async def test_ipv6_and_foreign_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "foreign")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    try:
        server = Standin(host="::1")
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    with server.running():
        async with served(server.url) as backbone:
            assert (await ask(backbone)).text == "the answer"
            assert backbone.identity()["proxy"] == "none"
    assert not {"openai-organization", "openai-project"} & set(server.seen[0].headers)
    assert "foreign" not in json.dumps(dict(server.seen[0].headers))
    async with served("http://model.example/v1") as backbone:
        assert backbone.identity()["proxy"] == "from the environment"


async def test_a_proxy_of_the_environment_is_used_for_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    with Standin().running() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        async with served("http://model.example/v1") as backbone:
            assert (await ask(backbone)).text == "the answer"
    assert proxy.seen[0].path == "http://model.example/v1/chat/completions"


def test_a_client_serves_one_event_loop_after_the_other() -> None:
    with Standin().running() as server:
        backbones = []

        async def once() -> str:
            if not backbones:
                async with served(server.url) as backbone:
                    backbones.append(backbone)
                    await ask(backbone)
            return (await ask(backbones[0])).text

        assert [asyncio.run(once()) for _ in range(2)] == ["the answer"] * 2


async def test_the_manifest_says_what_was_sent_and_what_could_not_be() -> None:
    async with served("http://127.0.0.1:1/v1", name="kimi") as backbone:
        identity = backbone.identity()
    assert identity["sent"] == {
        "max_completion_tokens": 16384,
        "reasoning_effort": "low",
        "strict_tools": False,
        "tool_choice": {"auto": "auto", "required": "auto", "none": "none"},
    }
    assert identity["unmet"] == [
        "temperature omitted: fixed by the provider",
        "tool_choice required sent as auto: a forced call is refused while thinking",
        "thinking: low, K3 has no off",
    ]


@pytest.mark.parametrize("name", ["vanilla", "react", "dag", "taec"])
async def test_every_system_works_against_a_provider_that_enforces_its_protocol(name: str) -> None:
    world = make_world(scripted_call("unused"))
    with Standin(otherwise=Signed(play)).running() as server:
        async with served(server.url, name="gemini") as backbone:
            world.session.services = replace(world.session.services, backbone=backbone)
            await system(name).answer(world.session)
    assert server.faults == []
    assert world.session.trajectory.answer == "2"
    assert [made.outcome for made in world.session.trajectory.calls] == ["ok"] * len(server.seen)


async def test_a_lost_signature_is_refused_by_the_standin() -> None:
    with Standin(otherwise=Signed(play)).running() as server:
        async with served(server.url, name="gemini", messages__replayed=[]) as backbone:
            world = make_world(scripted_call("unused"))
            world.session.services = replace(world.session.services, backbone=backbone)
            with pytest.raises(SystemFailure, match=r"request_fault.*thought_signature"):
                await system("react").answer(world.session)
    assert [made.outcome for made in world.session.trajectory.calls] == ["ok", "request_fault"]


async def test_a_server_that_takes_fewer_pictures_gets_the_newest() -> None:
    world = make_world(scripted_call("unused"))
    with Standin(otherwise=play).running() as server:
        async with served(server.url, messages__max_images=7) as backbone:
            world.session.services = replace(world.session.services, backbone=backbone)
            await system("react").answer(world.session)
    pictures = [json.dumps(seen.body).count('image_url"') // 2 for seen in server.seen]
    assert pictures == [0, 5, 7]
    assert [len(made.images) for made in world.session.trajectory.calls] == pictures
    assert world.session.trajectory.notices["pictures_left_out"] == 1


async def test_an_address_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-secret")
    for url in ("http://host:99999/v1", "http://[::1/v1", "http:///v1"):
        with pytest.raises(UsageError, match=r"backbone\.base_url"):
            build(settings(url), Path())
    assert build(settings("http://[::1]:8000/v1"), Path()).lanes == 1


async def test_tokens_and_lanes() -> None:
    keys = [Key("A", "key-aaaaaaa"), Key("B", "key-bbbbbbb")]
    with Standin().running() as server:
        async with served(server.url, *keys) as backbone:
            reply = (await asyncio.gather(*(backbone.reply([Message.user("q")], (), "none") for _ in range(6))))[0]
            assert lanes(backbone) == 2
            assert lanes(make_world(scripted_call("unused")).script) == 1
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.model) == (100, 10, "m-1")
    used = [seen.headers["authorization"] for seen in server.seen]
    assert used.count("Bearer key-aaaaaaa") == used.count("Bearer key-bbbbbbb") == 3


async def test_a_proxy_that_cannot_be_used_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "nonsense://user:hidden-password@proxy:1")
    async with served("http://model.example/v1") as backbone:
        with pytest.raises(InfrastructureError, match="proxy") as raised:
            await ask(backbone)
    assert "hidden-password" not in str(raised.value)
