"""The endpoint of `serve`: what it answers, what it refuses and how, and that a run through it is the same run."""

import asyncio
import base64
import contextlib
import io
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
import uvicorn
from PIL import Image
from pydantic import BaseModel, JsonValue
from support.tiny import Tiny

from taec.backbones import reader
from taec.backbones.base import Backbone
from taec.cli import run
from taec.commands.serve import listen
from taec.core.chat import Message, Reply, ToolCall, ToolChoice
from taec.core.errors import InfrastructureError, UsageError
from taec.core.tools import Tool
from taec.experiment.compose import configurations
from taec.experiment.locations import cache_folder
from taec.records.journal import read_rows
from taec.serving.app import Limits, make_app

LIMITS = Limits(max_body_bytes=200_000, concurrency=1, queue=0)


@contextlib.contextmanager
def serving(backbone: Backbone, limits: Limits = LIMITS) -> Iterator[str]:
    """The URL of a running endpoint."""
    (config,) = configurations(["serve.port=0"])
    with listen(config.plain.serve) as listener:
        server = uvicorn.Server(uvicorn.Config(make_app(backbone, limits), log_level="error", timeout_keep_alive=60))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        finally:
            server.should_exit = True
            thread.join()


class Echo(Backbone):
    """Says what it was given; waits where it is told to, until it is let go."""

    def __init__(self) -> None:
        self.seen: list[tuple[Sequence[Message], Sequence[Tool[BaseModel]], ToolChoice]] = []
        self.inside, self.go = threading.Event(), threading.Event()

    async def reply(self, messages: Sequence[Message], tools: Sequence[Tool[BaseModel]], choice: ToolChoice) -> Reply:
        self.seen.append((messages, tools, choice))
        if "wait" in messages[-1].text:
            self.inside.set()
            await asyncio.to_thread(self.go.wait)
        if "break" in messages[-1].text:
            raise KeyError("secret")
        if "down" in messages[-1].text:
            raise InfrastructureError("The disk is full.")
        calls = (ToolCall("c1", tools[0].name, {"query": "ü"}),) if tools and choice != "none" else ()
        return Reply(text="" if calls else messages[-1].text, calls=calls, model="echo-1 (test)")

    def identity(self) -> Mapping[str, JsonValue]:
        return {"model": "echo-1 (test)"}

    async def close(self) -> None:
        pass


def post(url: str, body: object, **headers: str) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}/chat/completions", data, {"content-type": "application/json", **headers})
    return fetch(request)


def fetch(request: urllib.request.Request | str) -> tuple[int, Any]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=20) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, json.loads(text) if text.startswith(b"{") else text


def chat(*messages: object, **fields: object) -> dict[str, object]:
    return {"model": "echo-1", "messages": list(messages), **fields}


def image(url: str) -> dict[str, object]:
    return {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}


def png() -> str:
    buffer = io.BytesIO()
    Image.new("RGB", (40, 30)).save(buffer, "PNG")
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"


USER = {"role": "user", "content": "hi"}
TOOL = {"type": "function", "function": {"name": "search", "description": "d", "parameters": {"type": "object", "properties": {}}}}
OTHER = {"type": "function", "function": {"name": "answer"}}


def test_models_and_an_answer() -> None:
    with serving(Echo()) as url:
        assert fetch(f"{url}/models")[1]["data"][0]["id"] == "echo-1"
        status, body = post(url, chat(USER, temperature=0.3, max_tokens=5))
    assert status == 200
    assert body["model"] == "echo-1 (test)"
    assert body["choices"][0]["message"] == {"role": "assistant", "content": "hi"}
    assert body["choices"][0]["finish_reason"] == "stop"
    assert "usage" not in body


def test_a_whole_conversation_reaches_the_backbone() -> None:
    echo = Echo()
    turn = {
        "role": "assistant",
        "tool_calls": [{"id": "c9", "type": "function", "function": {"name": "search", "arguments": '{"query": "q"}'}}],
    }
    result = {"role": "tool", "tool_call_id": "c9", "content": "found"}
    with serving(echo) as url:
        named = {"type": "function", "function": {"name": "answer"}}
        status, body = post(url, chat(USER, turn, result, image(png()), tools=[TOOL, OTHER], tool_choice=named))
    messages, tools, choice = echo.seen[0]
    assert status == 200
    assert [message.role for message in messages] == ["user", "assistant", "tool", "user"]
    assert messages[1].calls == (ToolCall("c9", "search", {"query": "q"}),)
    assert (messages[2].call_id, messages[2].text) == ("c9", "found")
    assert (messages[3].images[0].width, messages[3].images[0].height) == (40, 30)
    assert ([tool.name for tool in tools], choice) == (["answer"], "required")
    (made,) = body["choices"][0]["message"]["tool_calls"]
    assert (made["id"], made["function"]["name"], json.loads(made["function"]["arguments"])) == ("c1", "answer", {"query": "ü"})


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        (b"{", 400, "the body is not JSON"),
        ({}, 400, "model: Field required"),
        (chat(), 400, "messages"),
        (chat(USER, stream=True), 400, "stream"),
        (chat(USER, n=2), 400, "n:"),
        (chat(USER) | {"model": "gpt"}, 404, "There is no model 'gpt' here; there is 'echo-1'"),
        (chat(image("https://example.org/a.png")), 400, "nothing is fetched from elsewhere"),
        (chat(image("data:image/png;base64,AAAA")), 400, "cannot be read"),
        (chat(image("data:image/png;base64,!")), 400, "cannot be read"),
        (
            chat(USER, tools=[TOOL], tool_choice={"type": "function", "function": {"name": "fly"}}),
            400,
            "'fly', which is not among the tools",
        ),
        (chat({"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "[1]"}}]}), 400, "not a JSON object"),
        (chat({"role": "user", "content": "x" * 300_000}), 413, "more than 200,000 bytes"),
        (chat({"role": "user", "content": "break"}), 500, "The model broke: KeyError."),
        (chat({"role": "user", "content": "down"}), 503, "The disk is full."),
    ],
)
def test_refusals_have_openais_form(body: object, status: int, told: str) -> None:
    with serving(Echo()) as url:
        found, answer = post(url, body)
        assert fetch(f"{url}/models")[0] == 200
    assert found == status
    assert set(answer["error"]) == {"message", "type", "param", "code"}
    assert told in answer["error"]["message"]


def test_more_requests_than_may_wait_are_told_to_come_back() -> None:
    echo = Echo()
    with serving(echo) as url:
        first: list[int] = []
        thread = threading.Thread(target=lambda: first.append(post(url, chat({"role": "user", "content": "wait"}))[0]))
        thread.start()
        assert echo.inside.wait(10)
        status, body = post(url, chat(USER))
        echo.go.set()
        thread.join()
    assert (status, body["error"]["type"], first) == (429, "rate_limit_exceeded", [200])


def test_other_hosts_and_paths() -> None:
    with serving(Echo()) as url:
        assert fetch(urllib.request.Request(f"{url}/models", headers={"host": "evil.example"}))[0] == 400
        status, body = fetch(f"{url}/completions")
        assert (status, "There are POST /v1/chat/completions" in body["error"]["message"]) == (404, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("serve.host=0.0.0.0",), "has to be an address of this machine's own"),
        (("backbone=gemini",), "is an endpoint already"),
        (("-m", "backbone=reader", "benchmark.limit=1,2"), "serve offers one backbone"),
    ],
)
def test_what_cannot_be_served(words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", *words]) == 2
    assert told in capsys.readouterr().err


def test_a_port_that_is_taken() -> None:
    (config,) = configurations(["serve.port=0"])
    with listen(config.plain.serve) as listener:
        (taken,) = configurations([f"serve.port={listener.getsockname()[1]}"])
        with pytest.raises(UsageError, match="cannot be used on"):
            listen(taken.plain.serve)


TINY = ("benchmark.questions=2",)
SAMPLE = ("benchmark=sample", "benchmark.split=tune", "benchmark.limit=3", "retriever=dense", "judge=rules")


@pytest.mark.parametrize("questions", [TINY, pytest.param(SAMPLE, marks=pytest.mark.slow)], ids=["tiny", "sample"])
def test_the_served_reader_gives_the_rows_of_the_reader(
    tiny: Tiny, questions: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if questions is SAMPLE:
        monkeypatch.delenv("TAEC_CACHE")
    (config,) = configurations(["backbone=reader"])
    settings = config.options["backbone"]
    assert isinstance(settings, reader.Settings)
    served = reader.build(settings, cache_folder(config.plain.cache.folder))
    common = [*tiny.command()[3:], "-m", "system=vanilla,react,dag,taec", *questions]
    with serving(served, Limits(33_554_432, 3, 64)) as url:
        through = [f"backbone.base_url={url}", "backbone.model=reader-1", "backbone.api_key_env=null"]
        assert run([*common, "backbone=openai_compatible", *through, "output.folder=served"]) == 0
    assert run([*common, "backbone=reader", "output.folder=own"]) == 0
    found = {where: _rows(tiny, where) for where in ("served", "own")}
    for key, row in found["own"].items():
        assert found["served"][key] == row
    assert len(found["own"]) == len(found["served"]) >= 8


def _rows(tiny: Tiny, where: str) -> dict[tuple[str, str], dict[str, object]]:
    own = {"seconds", "batch"}
    return {
        (folder.name.split("-")[1], row.question_id): row.model_dump(exclude=own)
        for folder in (tiny.folder / where).iterdir()
        if (folder / "rows.jsonl").exists()
        for row in read_rows(folder)
    }
