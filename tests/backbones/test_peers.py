"""Complete runs against mock servers that others wrote (see `support/peers.py`); LLMock grades the client too."""

import asyncio
import json
from pathlib import Path

import pytest
from support.peers import Peer, aimock, llmock
from support.served import SystemClock, ask_pictures, served
from support.standin import Json
from support.tiny import Tiny

from taec.experiment import job
from taec.experiment.progress import Lines
from taec.records.rows import Row

SYSTEMS = ("vanilla", "react", "dag", "taec")


def turn(*calls: Json, **match: Json) -> dict[str, Json]:
    return {"match": match, "response": {"toolCalls": [{"name": name, "arguments": arguments, **more} for name, arguments, more in calls]}}


FIXTURES = [
    turn(("answer", {"response": "2"}, {}), userMessage="No step is left", toolName="answer"),
    turn(("add_answer_node", {"answer": "2"}, {}), userMessage="No step is left", toolName="add_answer_node"),
    # react: two calls under one id, then arguments as text in a text, then arguments that are no JSON, then the answer
    turn(("search", {"query": "a"}, {"id": "same"}), ("search", {"query": "b"}, {"id": "same"}), toolName="search", turnIndex=0),
    turn(("search", json.dumps('{"query": "c"}'), {}), toolName="search", turnIndex=1),
    turn(("search", '{"query": ', {}), toolName="search", turnIndex=2),
    turn(("answer", {"response": "2"}, {}), toolName="search", turnIndex=3),
    # dag and taec: summary of the first search, one more search, its summary, the answer
    turn(("summarize_and_memorize", {"summarize": "No result.", "memorize": [{"picture": 1, "priority_score": 3}]}, {}),
         toolName="add_search_node", userMessage="Now call summarize_and_memorize"),
    turn(("summarize_and_memorize", {"summarize": "Nothing new."}, {}), toolName="add_search_node",
         toolResultContains="Now call summarize_and_memorize"),
    turn(("add_answer_node", {"parent_ids": ["more"], "answer": "2"}, {}), toolName="add_search_node", userMessage='"query": "more"'),
    turn(("add_search_node", {"id": "more", "parent_ids": ["question"], "query": "more"}, {}), toolName="add_search_node"),
    {"match": {}, "response": {"content": "2"}},
]  # fmt: skip


@pytest.fixture
def fixtures(tmp_path: Path) -> Path:
    (tmp_path / "fixtures.json").write_text(json.dumps({"fixtures": FIXTURES}))
    return tmp_path / "fixtures.json"


def run(tiny: Tiny, peer: Peer, *overrides: str) -> tuple[Row, ...]:
    common = ("backbone=openai_compatible", f"backbone.base_url={peer.url}", "backbone.model=gpt-4o-mini", "backbone.api_key_env=null")
    config = tiny.config(*common, "benchmark.questions=3", *overrides)
    return job.run(config, Lines(lambda line: None)).rows


@pytest.mark.slow
def test_every_system_runs_against_aimock(tiny: Tiny, fixtures: Path) -> None:
    with aimock(fixtures, "--strict") as peer:
        rows = {name: run(tiny, peer, f"system={name}", "budget.pages=1") for name in SYSTEMS}
        journal = peer.get("/__aimock/journal")
    assert {(name, row.answer, row.ending, row.failure) for name in SYSTEMS for row in rows[name]} == {
        (name, "2", "answered", "") for name in SYSTEMS
    }
    assert {row.model_calls for row in rows["vanilla"]} == {1}
    assert {(row.model_calls, row.searches) for row in rows["react"]} == {(4, 2)}
    assert {(row.model_calls, row.searches) for row in (*rows["dag"], *rows["taec"])} == {(4, 2)}
    for kind in ("several_calls", "repaired_id", "repaired_arguments", "unreadable_arguments"):
        assert {row.notices[kind] for row in rows["react"]} == {1}
    assert len(journal) == 3 * (1 + 4 + 4 + 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "reason"),
    [("--chaos-malformed", "unreadable_body"), ("--chaos-drop", "server_error"), ("--chaos-disconnect", "connection_error")],
)
def test_aimocks_chaos_has_names(tiny: Tiny, fixtures: Path, option: str, reason: str) -> None:
    with aimock(fixtures, option, "1") as peer:
        rows = run(tiny, peer, "system=react", "backbone.limits.same_faults=9")
    assert {row.failure for row in rows} == {reason}


@pytest.mark.slow
def test_every_system_runs_against_llmock_under_storms_and_passes_its_verdict(tiny: Tiny) -> None:
    with llmock("--error-rate", "429=0.2", "--error-rate", "503=0.05") as peer:
        for name in SYSTEMS:
            rows = run(tiny, peer, f"system={name}", "budget.model_calls=4")
            assert {row.failure for row in rows} == {""}
            assert all(row.answer for row in rows)
        verdict = peer.get("/_llmock/verdict")
    assert verdict["faults_injected"] > 0
    assert verdict["passed"], verdict["findings"]
    assert verdict["warnings"] == 0, verdict["findings"]


@pytest.mark.slow
def test_llmocks_scripted_refusals_are_waited_for(tiny: Tiny) -> None:
    with llmock() as peer:
        fail = {"type": "fail", "status": 429, "retry_after": 1.5, "times": 3}
        peer.post("/_llmock/scenario", {"behaviors": [fail, {"type": "tool_fault", "kind": "malformed_arguments"}]})
        rows = run(tiny, peer, "system=react", "budget.model_calls=3")
        verdict = peer.get("/_llmock/verdict")
    assert sum(row.notices.get("rate_limit_wait", 0) for row in rows) == 3
    assert sum(row.notices.get("unreadable_arguments", 0) for row in rows) == 1
    assert verdict["passed"], verdict["findings"]


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False])
async def test_llmocks_quotas_are_kept_once_the_bucket_has_settled(known: bool) -> None:
    limits = {"limits__requests_per_minute": 360, "limits__tokens_per_minute": 400_000} if known else {}
    with llmock("--rpm", "360", "--tpm", "400000") as peer:
        async with served(peer.url, clock=SystemClock(), request__max_tokens=200, **limits) as backbone:

            async def work(calls: int) -> None:
                for number in range(calls):
                    await ask_pictures(backbone, number % 6)

            await asyncio.gather(*(work(40) for _ in range(3)))
        requests = peer.get("/_llmock/requests")
    statuses = [request["status"] for request in (requests if isinstance(requests, list) else requests["requests"])]
    settled = statuses[20:]
    assert len(settled) >= 100
    assert settled.count(429) <= 0.02 * len(settled)
