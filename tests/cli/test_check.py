"""What `check` says of an endpoint, case by case."""

import pytest
from support.standin import Say, Standin, call, say
from support.tiny import Tiny

from taec.cli import run

TOOL = call("add_answer_node", {"parent_ids": ["root"], "answer": "4831"})


def check(tiny: Tiny, capsys: pytest.CaptureFixture[str], *answers: Say, **changes: str) -> tuple[int, str]:
    with Standin(answers).running() as server:
        url = changes.pop("url", server.url)
        words = [f"backbone.{name}={value}" for name, value in {"model": "m-1", "api_key_env": "null", "base_url": url, **changes}.items()]
        code = run(["check", "backbone=openai_compatible", *words])
        assert len(server.seen) <= max(1, len(answers))
    return code, capsys.readouterr().out


def error(text: str, status: int = 400) -> Say:
    return Say({"error": {"message": text, "type": "BadRequestError"}}, status)


def test_an_endpoint_that_can_do_everything(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = check(tiny, capsys, say(None, TOOL))
    assert code == 0
    assert "does not work" not in told
    for what in (
        "the connection; m-1 answered",
        "tool calls: add_answer_node",
        "the number was read",
        "100 tokens in, 10 out",
        "prices are unknown",
    ):
        assert what in told


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (error('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'), "--tool-call-parser hermes"),
        (error("At most 1 image(s) may be provided in one request."), "backbone.messages.max_images"),
        (error("Unsupported value: 'temperature' does not support 0.3 with this model."), "backbone.request.temperature=null"),
        (error("Unsupported parameter: 'max_tokens' is not supported with this model."), "backbone.request.token_limit"),
        (error("The model `m-1` does not exist.", 404), "backbone.model"),
        (error("Not Found", 404), "usually ends in /v1"),
        (error("Incorrect API key provided", 401), "backbone.api_key_env"),
        (Say(b"<html>hello</html>"), "usually ends in /v1"),
        (say("The number is 4831."), "chat template without them"),
        (say('{"name": "add_answer_node", "arguments": {"answer": "4831"}}'), "recover_calls=true"),
        (say(""), "the reply was empty"),
        (say(None, call("add_answer_node", {"answer": "I see no picture"})), "may drop images"),
        (say(None, call("add_answer_node", '{"answer": ')), "does not work: tool calls"),
    ],
)
def test_what_does_not_work_and_what_to_change(tiny: Tiny, answer: Say, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = check(tiny, capsys, answer)
    assert code == 1
    assert "does not work" in shown
    assert told in shown


def test_nothing_listens(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = check(tiny, capsys, url="http://127.0.0.1:9/v1")
    assert (code, "nothing answers there" in shown) == (1, True)


def test_a_missing_key_comes_before_any_request(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = check(tiny, capsys, api_key_env="NO_SUCH_KEY")
    assert code == 2
    assert "NO_SUCH_KEY is not set" in shown


def test_the_reader_passes(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "backbone=reader"]) == 0
    assert "the number was read" in capsys.readouterr().out
