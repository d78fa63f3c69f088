"""What every retriever owes to the systems, checked for each of them."""

from collections.abc import Callable

import pytest

from taec.retrievers.base import Retriever

CAPTIONS = {
    "report.pdf_p1": "Annual report on airline safety",
    "report.pdf_p2": "Revenue by quarter: 1,250 million dollars",
    "report.pdf_p3": "",
    "manual.pdf_p1": "How to replace the fuel pump of the engine",
    "manual.pdf_p2": "安全操作规程 第一章",
    "copy.pdf_p1": "How to replace the fuel pump of the engine",
    "z.pdf_p10": "Contents and index",
}
Build = Callable[..., Retriever]
OPTIONS = ("dense", "bm25", "hybrid", "fusion", "late_wordllama", "dense_endpoint")


@pytest.fixture
def retriever(build: Build, name: str) -> Retriever:
    return build(name, CAPTIONS)


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("airline safety report", "report.pdf_p1"),
        ("revenue 1250 million", "report.pdf_p2"),
        ("安全", "manual.pdf_p2"),
        ("INDEX", "z.pdf_p10"),
    ],
)
async def test_the_page_that_speaks_of_it_comes_first(retriever: Retriever, name: str, query: str, page: str) -> None:
    if name in ("dense_transformers", "colqwen2_5"):
        pytest.skip("random weights know nothing")
    assert (await retriever.search(query, 3))[0].page_id == page


async def test_hits_are_best_first_without_repeats_and_no_more_than_asked(retriever: Retriever) -> None:
    for k in (1, 3, len(CAPTIONS), 50):
        hits = await retriever.search("safety of the engine and the fuel pump, annual revenue index 安全", k)
        assert 1 <= len(hits) <= min(k, len(CAPTIONS))
        assert len({hit.page_id for hit in hits}) == len(hits)
        assert {hit.page_id for hit in hits} <= set(CAPTIONS)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_fewer_hits_are_the_first_of_more(retriever: Retriever) -> None:
    many = await retriever.search("fuel pump of the airline report index", len(CAPTIONS))
    for k in range(1, len(CAPTIONS)):
        assert await retriever.search("fuel pump of the airline report index", k) == many[:k]


@pytest.mark.parametrize("query", ["", "  \n\t"])
async def test_an_empty_query_gives_no_hits(retriever: Retriever, query: str) -> None:
    assert await retriever.search(query, 5) == []


@pytest.mark.parametrize("k", [0, -1])
async def test_asking_for_no_hits_is_an_error(retriever: Retriever, k: int) -> None:
    for query in ("safety", ""):
        with pytest.raises(ValueError, match="at least one"):
            await retriever.search(query, k)


async def test_ties_stand_in_collection_order(build: Build, name: str) -> None:
    captions = {f"{number}.pdf_p1": "the same words" for number in (9, 1, 5, 3, 7, 2)} | {"other.pdf_p1": "different content"}
    retriever = build(name, captions)
    hits = await retriever.search("same words", 7)
    same = [hit.page_id for hit in hits if captions[hit.page_id] == "the same words"]
    assert same == list(captions)[:6]
    assert await retriever.search("same words", 3) == hits[:3]


async def test_answers_are_the_same_when_asked_again_and_when_built_again(build: Build, name: str) -> None:
    first = build(name, CAPTIONS)
    hits = await first.search("replace the pump", 5)
    again = build(name, CAPTIONS)
    assert await first.search("replace the pump", 5) == hits == await again.search("replace the pump", 5)
    assert first.identity == again.identity


def test_the_identity_follows_captions_and_kind(build: Build) -> None:
    changed = CAPTIONS | {"report.pdf_p3": "no longer empty"}
    identities = [build(name, captions).identity for name in OPTIONS for captions in (CAPTIONS, changed)]
    assert len({identity.digest for identity in identities}) == 2 * len(OPTIONS)
    assert {identity.pages for identity in identities} == {len(CAPTIONS)}


@pytest.mark.parametrize("captions", [{}, {"a.pdf_p1": "", "a.pdf_p2": " - "}], ids=["no pages", "no tokens"])
async def test_a_corpus_with_nothing_to_find_is_no_error(build: Build, name: str, captions: dict[str, str]) -> None:
    hits = await build(name, captions).search("anything", 5)
    assert {hit.page_id for hit in hits} <= set(captions)


async def test_odd_queries_are_no_error(retriever: Retriever) -> None:
    for query in ("?!", "\x00", "qzxv wkjq", "🛩", "word " * 5000):
        assert len(await retriever.search(query, 2)) <= 2
