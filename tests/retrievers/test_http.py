"""The client of a retrieval service: what it believes, what it tries again, and what it says when it gives up."""

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI, Request, Response
from support.corpus import make_corpus
from support.service import LIMITS, Numbered, app_of, threaded, version_of

from taec.core.errors import InfrastructureError, UsageError
from taec.core.progress import untold
from taec.experiment.compose import configurations
from taec.retrievers import http
from taec.retrievers.base import Corpus
from taec.retrievers.fingerprint import fingerprint

Answer = Callable[[int], Response]


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return make_corpus({f"p{number}": f"page {number}" for number in range(100)}, tmp_path)


def settings(url: str, **changes: object) -> http.Settings:
    values = {"name": "http", "url": url, "token_env": None, "timeout": 10, "attempts": 3, "wait": 0.01, "longest_wait": 0.1}
    return http.Settings.model_validate(values | changes)


@contextlib.contextmanager
def scripted(corpus: Corpus, answer: Answer, served: str = Numbered.identity.digest) -> Iterator[tuple[http.HttpRetriever, list[int]]]:
    """A client of a service that answers its n-th search (from 1) as `answer` says, and the searches so far."""
    app, asked = FastAPI(), []

    @app.get("/version")
    def version() -> dict[str, object]:
        return version_of(Numbered(), corpus).model_dump()

    @app.post("/search")
    async def search(request: Request) -> Response:
        asked.append(1)
        found = answer(len(asked))
        found.headers.setdefault("x-taec-index", served)
        return found

    with threaded(app) as url:
        yield http.build(settings(url), corpus, untold), asked


def hits(*pages: tuple[str, object]) -> Response:
    return Response(json.dumps({"hits": [{"page_id": page, "score": score} for page, score in pages]}), media_type="application/json")


async def test_the_served_index_is_its_identity_and_gives_its_fingerprint(corpus: Corpus) -> None:
    with threaded(app_of(Numbered(), version=version_of(Numbered(), corpus))) as url:
        retriever = http.build(settings(url), corpus, untold)
        assert retriever.identity == Numbered.identity
        assert await fingerprint(retriever) == await fingerprint(Numbered())
        assert await retriever.search("a\x00b\ud800c", 2) == await Numbered().search("a b?c", 2)
        assert await retriever.search("x" * 40_000, 1) == await Numbered().search("x" * 32_768, 1)
        with pytest.raises(UsageError, match=r"k=51 is asked for.*gives 50 at most"):
            await retriever.search("a", 51)


def test_the_address_is_no_part_of_a_runs_identity() -> None:
    one, other = (configurations(["retriever=http", f"retriever.url=http://127.0.0.1:{port}", "retriever.timeout=9"])[0] for port in (1, 2))
    assert one.digest == other.digest


@pytest.mark.parametrize("url", ["127.0.0.1:8100", "ftp://a", "http://", "http://user:secret@a", "http://a/?k=1"])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(UsageError, match="has to be an address like") as told:
        configurations(["retriever=http", f"retriever.url='{url}'"])
    assert "secret" not in str(told.value)


def test_a_service_over_other_pages_is_refused_and_both_are_named(corpus: Corpus, tmp_path: Path) -> None:
    other = make_corpus({"p1": "another"}, tmp_path)
    with threaded(app_of(Numbered(), version=version_of(Numbered(), other))) as url, pytest.raises(UsageError) as told:
        http.build(settings(url), corpus, untold)
    assert corpus.digest[:16] in str(told.value)
    assert other.digest[:16] in str(told.value)
    assert url in str(told.value)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (hits(("p1", 1.0), ("elsewhere_p9", 0.5)), "found the page 'elsewhere_p9', which this collection has not"),
        (hits(("p1", 1.0), ("p2", 0.9), ("p3", 0.8)), "answered 3 hits to k=2"),
        (hits(("p1", 1.0), ("p1", 0.9)), "no ranking"),
        (hits(("p1", 0.5), ("p2", 0.9)), "no ranking"),
        (hits(("p1", float("nan"))), "is no retrieval service of version 1"),
        (hits(("p1", float("inf"))), "is no retrieval service of version 1"),
        (hits(("p1", "high")), "is no retrieval service of version 1"),
        (Response("<html>", media_type="text/html"), "is no retrieval service of version 1"),
        (Response("[" * 100_000), "is no retrieval service of version 1"),
        (Response("gone", 404), "answered HTTP 404: gone"),
        (Response("broken", 500), "answered HTTP 500: broken"),
    ],
)
async def test_answers_that_are_not_believed(corpus: Corpus, answer: Response, told: str) -> None:
    with scripted(corpus, lambda turn: answer) as (retriever, asked):
        with pytest.raises(InfrastructureError, match=told):
            await retriever.search("a", 2)
        assert len(asked) == 1


async def test_an_unknown_page_names_both_collections(corpus: Corpus) -> None:
    with scripted(corpus, lambda turn: hits(("x", 1.0))) as (retriever, _), pytest.raises(InfrastructureError, match=corpus.digest):
        await retriever.search("a", 2)


async def test_an_index_that_is_exchanged_during_a_run(corpus: Corpus) -> None:
    with (
        scripted(corpus, lambda turn: hits(("p1", 1.0)), served="f" * 64) as (retriever, _),
        pytest.raises(InfrastructureError, match=f"searches another index now: {'f' * 16}, and {Numbered.identity.digest[:16]} before"),
    ):
        await retriever.search("a", 2)


@pytest.mark.parametrize("status", [429, 502, 503, 504])
async def test_a_service_that_is_full_is_asked_again(corpus: Corpus, status: int) -> None:
    def answer(turn: int) -> Response:
        return hits(("p1", 1.0)) if turn == 3 else Response("", status, {"retry-after": "0"})

    with scripted(corpus, answer) as (retriever, asked):
        assert [hit.page_id for hit in await retriever.search("a", 2)] == ["p1"]
        assert len(asked) == 3


async def test_attempts_come_to_an_end(corpus: Corpus) -> None:
    with scripted(corpus, lambda turn: Response("", 503)) as (retriever, asked):
        with pytest.raises(InfrastructureError, match=r"is not there \(HTTP 503; attempts: 3\).*the same command continues"):
            await retriever.search("a", 2)
        assert len(asked) == 3


async def test_a_service_that_is_gone(corpus: Corpus) -> None:
    with threaded(app_of(Numbered(), version=version_of(Numbered(), corpus))) as url:
        retriever = http.build(settings(url), corpus, untold)
        assert len(await retriever.search("a", 2)) == 2
    with pytest.raises(InfrastructureError, match="is not there"):
        await retriever.search("a", 2)
    with pytest.raises(InfrastructureError, match="is not there"):
        http.build(settings(url), corpus, untold)


def test_what_is_no_retrieval_service(corpus: Corpus) -> None:
    app = FastAPI()

    @app.get("/version")
    def version() -> dict[str, object]:
        return version_of(Numbered(), corpus).model_dump() | {"service": "2"}

    with threaded(app) as url, pytest.raises(InfrastructureError, match=r"no retrieval service of version 1 \(service: "):
        http.build(settings(url), corpus, untold)


async def test_a_token(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    with threaded(app_of(Numbered(), LIMITS, "s3cret", version_of(Numbered(), corpus))) as url:
        monkeypatch.setenv("TAEC_TEST_TOKEN", "s3cret")
        retriever = http.build(settings(url, token_env="TAEC_TEST_TOKEN"), corpus, untold)
        assert len(await retriever.search("a", 2)) == 2
        monkeypatch.setenv("TAEC_TEST_TOKEN", "wrong")
        with pytest.raises(UsageError, match=r"refuses the token: see retriever.token_env"):
            http.build(settings(url, token_env="TAEC_TEST_TOKEN"), corpus, untold)
        with pytest.raises(UsageError, match="refuses the token"):
            http.build(settings(url), corpus, untold)
        monkeypatch.setenv("TAEC_TEST_TOKEN", "")
        with pytest.raises(UsageError, match="is empty"):
            http.build(settings(url, token_env="TAEC_TEST_TOKEN"), corpus, untold)
