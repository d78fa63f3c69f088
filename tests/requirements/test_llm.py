"""Requirements from a text model: what counts as keywords, the cache on disk, and what serves when the model does not."""

from pathlib import Path

import pytest
from support.standin import Say, Standin, say

from taec.experiment.compose import configurations
from taec.requirements import llm, semantic
from taec.requirements.base import SlotSource

QUESTION = "What is the engine model of the Cessna 152?"


def source(url: str, cache: Path, *overrides: str) -> SlotSource:
    (config,) = configurations(
        ["requirements=llm", f"requirements.model.base_url={url}", "requirements.model.api_key_env=null", *overrides]
    )
    settings = config.options["requirements"]
    assert isinstance(settings, llm.Settings)
    return llm.build(settings, cache)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('["Cessna 152", "engine model"]', ("Cessna 152", "engine model")),
        ('Here:\n```json\n["a", "b", "A", 3]\n```', ("a", "b")),
        ("- engine model\n2. Cessna 152\n", ("engine model", "Cessna 152")),
        ("engine, model; Cessna", ("engine", "model", "Cessna")),
        ("发动机、型号", ("发动机", "型号")),
        ("[not JSON", ("[not JSON",)),
        ("I think that you need to know quite a lot about this aeroplane before you can answer anything at all.", ()),
        ("[]", ()),
        ("", ()),
    ],
)
def test_keywords_of_a_reply(reply: str, expected: tuple[str, ...]) -> None:
    assert llm.keywords(reply) == expected


async def test_asked_once_at_temperature_0_and_then_kept_on_disk(tmp_path: Path) -> None:
    with Standin([say('["a", "b", "c", "d", "e"]')]).running() as server:
        first = source(server.url, tmp_path)
        found = await first.slots(QUESTION)
        await first.close()
        again = source(server.url, tmp_path, "requirements.limit=2")
        kept = await again.slots(QUESTION)
        await again.close()
        assert len(server.seen) == 1
        body = server.seen[0].body
    assert (found.keywords, found.source, [call.purpose for call in found.calls]) == (("a", "b", "c", "d"), "llm", ["requirements"])
    assert (found.calls[0].prompt_tokens, found.calls[0].completion_tokens) == (100, 10)
    assert (kept.keywords, kept.source, kept.calls) == (("a", "b"), "llm (cached)", ())
    assert (body["model"], body["temperature"]) == ("gpt-4.1-mini", 0.0)
    assert "Extract 2-4 information slot keywords needed to answer the question" in body["messages"][0]["content"]


@pytest.mark.parametrize("answer", [say(""), Say({"error": {"message": "oops"}}, 500), say("[]")])
async def test_a_failure_is_recorded_counted_and_not_kept(tmp_path: Path, answer: Say) -> None:
    with Standin([answer, say('["a", "b"]')]).running() as server:
        slots = source(server.url, tmp_path)
        failed, after = await slots.slots(QUESTION), await slots.slots(QUESTION)
        await slots.close()
    assert (failed.keywords, failed.source, len(failed.calls)) == (("Cessna 152", "engine", "model"), "keywords (after llm failed)", 1)
    assert (after.keywords, after.source) == (("a", "b"), "llm")


async def test_a_cache_that_cannot_be_used_costs_a_call_and_no_run(tmp_path: Path) -> None:
    (tmp_path / "slots.sqlite").write_bytes(b"no database" * 100)
    with Standin(otherwise=lambda seen: say('["a", "b"]')).running() as server:
        slots = source(server.url, tmp_path)
        assert [(await slots.slots(QUESTION)).source for _ in range(2)] == ["llm", "llm"]
        await slots.close()


async def test_tracked_requirements_come_from_either_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (config,) = configurations(["requirements=semantic", "requirements.slots=keywords"])
    settings = config.options["requirements"]
    assert isinstance(settings, semantic.Settings)
    slots = semantic.build(settings, tmp_path)
    assert slots.tracks_resolution
    assert (await slots.slots(QUESTION)).source == "keywords"
