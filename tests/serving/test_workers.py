"""`python -m taec serve retriever=...` as a user starts it: processes, signals, and that a run through it is the same run."""

import asyncio
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from support.service import Served, is_alive, served, until
from support.tiny import Tiny

from taec.cli import run
from taec.commands.serve import listen
from taec.core.progress import untold
from taec.experiment.compose import configurations
from taec.experiment.parts import Parts
from taec.records.journal import read_rows
from taec.records.manifest import read_manifest

QUERIES = ["the number is 2", "page 3", "short pages", "a while"]


@pytest.fixture
def service(tiny: Tiny) -> Iterator[Served]:
    words = [*tiny.command()[:3], "serve", *tiny.command()[3:], "retriever=bm25", "serve.port=0"]
    with served(words, tiny.folder, tiny.environment) as running:
        yield running


def search(url: str, query: str) -> list[tuple[str, float]]:
    answer = httpx2.post(f"{url}/search", json={"query": query, "k": 3}, trust_env=False, timeout=30)
    assert answer.status_code == 200, answer.text
    return [(hit["page_id"], hit["score"]) for hit in answer.json()["hits"]]


def test_workers_answer_alike_and_one_that_is_killed_is_replaced(tiny: Tiny, service: Served) -> None:
    retriever = Parts().retriever(tiny.config("retriever=bm25"), untold)
    expected = {query: [(hit.page_id, hit.score) for hit in asyncio.run(retriever.search(query, 3))] for query in QUERIES}
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda query: (query, search(service.url, query)), QUERIES * 25))
    assert all(hits == expected[query] for query, hits in found)
    first = service.workers
    assert len(first) == 2
    os.kill(first[0], signal.SIGKILL)
    assert all(search(service.url, query) == expected[query] for query in QUERIES)
    assert until(lambda: len(service.workers) == 2 and first[0] not in service.workers)
    for worker in service.workers:
        os.kill(worker, signal.SIGKILL)
    assert search(service.url, QUERIES[0]) == expected[QUERIES[0]]
    assert service.stop(signal.SIGINT) == 0
    assert until(lambda: not any(map(is_alive, first)))


def test_workers_end_with_their_parent(service: Served) -> None:
    search(service.url, "page")
    workers = service.workers
    service.process.kill()
    service.process.wait(20)
    assert until(lambda: not any(map(is_alive, workers)))


def test_a_run_through_the_service_gives_the_same_rows(tiny: Tiny, service: Served, capsys: pytest.CaptureFixture[str]) -> None:
    common = [*tiny.command()[3:], "-m", "system=vanilla,react,dag,taec", "backbone=reader", "benchmark.questions=2"]
    told = service.said[-1].split()
    assert told[:4] == ["python", "-m", "taec", "retriever=http"]
    through = [word for word in told if word.startswith(("retriever", "run.expected_fingerprint="))]
    assert len(through) == 3
    assert run([*common, *through, "output.folder=served"]) == 0
    assert run([*common, "retriever=bm25", "output.folder=own", through[-1]]) == 0
    own, via = _runs(tiny, "own"), _runs(tiny, "served")
    assert own == via
    assert len(own) == 8
    for through_one in ("retriever=bm25", "retriever=http"):
        words = [word for word in through if not word.startswith(("retriever=", "run."))] if through_one == "retriever=http" else []
        capsys.readouterr()
        assert run([*tiny.command()[3:], through_one, *words, "run.expected_fingerprint=0123456789abcdef", "output.folder=refused"]) == 2
        said = capsys.readouterr().err
        assert "0123456789abcdef" in said
        assert through[-1].partition("=")[2] in said


def test_a_service_that_is_lost_stops_the_run_and_the_same_command_goes_on(tiny: Tiny, service: Served) -> None:
    words = ["retriever=http", f"retriever.url={service.url}", "retriever.attempts=2", "retriever.wait=0.05", "benchmark.questions=3"]
    command = tiny.command("backbone=reader", *words)
    service.stop()
    lost = tiny.call(command)
    assert (lost.returncode, service.url in lost.stderr, "same command" in lost.stderr) == (3, True, True)
    port = service.url.rpartition(":")[2]
    again = [*tiny.command()[:3], "serve", *tiny.command()[3:], "retriever=bm25", f"serve.port={port}"]
    with served(again, tiny.folder, tiny.environment):
        done = tiny.call(command)
    assert done.returncode == 0, done.stderr


def _runs(tiny: Tiny, where: str) -> dict[tuple[str, str], tuple[dict[str, object], object]]:
    return {
        (folder.name.split("-")[1], row.question_id): (row.model_dump(exclude={"seconds", "batch"}), read_manifest(folder).retriever)
        for folder in (tiny.folder / where).iterdir()
        if (folder / "rows.jsonl").exists()
        for row in read_rows(folder)
    }


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "neither backbone= nor retriever= is named"),
        (("serve.port=0",), "neither backbone= nor retriever= is named"),
        (("retriever=bm25", "backbone=reader"), "both backbone= and retriever= are named"),
        (("retriever=http", "retriever.url=http://127.0.0.1:1"), "is a service's client"),
        (("retriever=bm25", "serve.host=0.0.0.0"), "serve.token_env names the environment variable"),
        (("retriever=bm25", "serve.host=0.0.0.0", "serve.token_env=TAEC_NO_SUCH_TOKEN"), "that environment variable is empty"),
        (("retriever=bm25", "serve.host=example.org"), "is no IP address"),
        (("backbone=reader", "serve.host=0.0.0.0", "serve.token_env=HOME"), "an address of this machine's own"),
        (("retriever=bm25", "serve.workers=0"), "serve.workers=0"),
        (("-m", "retriever=bm25,dense"), "serve offers one backbone or retriever"),
    ],
)
def test_what_cannot_be_served(words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", *words]) == 2
    assert told in capsys.readouterr().err


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    (config,) = configurations(["serve.port=0"])
    with listen(config.plain.serve) as listener:
        assert run(["serve", "retriever=bm25", f"serve.port={listener.getsockname()[1]}"]) == 2
    assert "cannot be used on" in capsys.readouterr().err
