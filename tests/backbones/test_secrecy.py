"""A key never appears in anything that a run writes or prints, though the endpoint repeats it wherever it can."""

import json
import string
from pathlib import Path
from urllib.parse import quote

import pytest
from support.standin import Say, Seen, Standin, call, completion
from support.tiny import Tiny

KEY = "sk-" + "".join(c for c in string.printable if c.isprintable() and c not in " ,") + "-tail"
PIECES = [KEY, KEY[:40], KEY[-30:], json.dumps(KEY)[1:-1][:60], quote(KEY, safe="")[:60]]


def telltale(seen: Seen) -> Say:
    """Repeats the key in texts, ids, fields, headers and errors."""
    key = seen.headers["authorization"].removeprefix("Bearer ")
    turns = sum(message["role"] == "assistant" for message in seen.body["messages"])
    headers = {"x-request-id": key, "x-ratelimit-limit-requests": key}
    if turns == 0:
        search = call("search", {"query": f"is it {key}?"}, f"id-{key}", extra_content={"google": {"thought_signature": key}})
        return Say(completion(f"I know {key}", search, model=f"model {key}", message={"reasoning_content": key}), headers=headers)
    if turns == 1:
        return Say(completion(None, call("search", f'{{"query": {key}')), headers=headers)
    if "page 2" in json.dumps(seen.body["messages"][1]):
        return Say(completion(None, call("answer", {"response": f"2 {key}"})), headers=headers)
    bodies = [{"error": {"message": f"wrong: {key}", "param": quote(key, safe=""), key: key}}, f"<html>{key}</html>".encode()]
    return Say(bodies[turns % 2], 400, headers)


def everything(folder: Path) -> str:
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file())


@pytest.mark.slow
@pytest.mark.parametrize("last", ["row", "stop"])
def test_a_planted_key_is_nowhere(tiny: Tiny, last: str) -> None:
    refuse = lambda seen: Say({"error": {"message": f"Incorrect API key provided: {seen.headers['authorization']}"}}, 401)  # noqa: E731
    with Standin(otherwise=telltale if last == "row" else refuse).running() as server:
        done = tiny.run(
            "system=react", "backbone=openai_compatible", f"backbone.base_url={server.url}", "backbone.model=m",
            "backbone.api_key_env=THE_KEY", "benchmark.questions=2", "tracking=mlflow", f"tracking.folder={tiny.folder / 'ml'}",
            THE_KEY=KEY, OPENAI_LOG="debug", PYTHONFAULTHANDLER="1", NO_COLOR="1", MLFLOW_DISABLE_TELEMETRY="true",
        )  # fmt: skip
    assert {seen.headers["authorization"] for seen in server.seen} == {f"Bearer {KEY}"}
    assert done.returncode == (0 if last == "row" else 3), done.stdout + done.stderr
    written = everything(tiny.folder)
    if last == "row":
        assert "***" in written
        assert "request_fault" in written
        assert "unreadable_arguments" in written
    for text in (written, done.stdout, done.stderr):
        assert not [piece for piece in PIECES if piece in text]


def test_a_key_in_the_wrong_place_is_not_repeated(tiny: Tiny) -> None:
    for word in (f"backbone.api_key_env='{KEY[:30]}x'", "backbone.api_key=sk-abcdefghijkl", "backbone.base_url=http://u:sk-abcdefghijkl@h/v1",
                 "+backbone.request.extra_body.api_key=sk-abcdefghijkl{"):  # fmt: skip
        done = tiny.run("backbone=gemini", word, "--cfg", "job")
        assert done.returncode == 2
        assert "sk-" not in done.stdout + done.stderr
