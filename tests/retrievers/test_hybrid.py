from collections.abc import Callable

import pytest

from taec.retrievers.base import Retriever

CAPTIONS = {
    "a.pdf_p1": "fuel pump of the engine",
    "a.pdf_p2": "qzxv",
    "a.pdf_p3": "wkjq",
    "b.pdf_p1": "annual revenue",
    "b.pdf_p3": "contents",
    "c.pdf_p1": "garden flowers",
}
NONE = ("retriever.weights.neighbours=0", "retriever.weights.document=0", "retriever.weights.contents=0")
Build = Callable[..., Retriever]


async def scores(retriever: Retriever, query: str = "fuel pump") -> dict[str, float]:
    return {hit.page_id: hit.score for hit in await retriever.search(query, len(CAPTIONS))}


def weights(**values: float) -> tuple[str, ...]:
    return (*NONE, *(f"retriever.weights.{name}={value}" for name, value in values.items()))


async def test_without_weights_it_is_the_dense_retriever(build: Build) -> None:
    assert await scores(build("hybrid", CAPTIONS, overrides=NONE)) == pytest.approx(await scores(build("dense", CAPTIONS)), abs=2e-6)


async def test_neighbours_are_the_pages_before_and_after_in_the_same_document(build: Build) -> None:
    own = await scores(build("dense", CAPTIONS))
    found = await scores(build("hybrid", CAPTIONS, overrides=weights(neighbours=0.4)))
    best = {
        "a.pdf_p1": own["a.pdf_p2"],
        "a.pdf_p2": max(own["a.pdf_p1"], own["a.pdf_p3"]),
        "a.pdf_p3": own["a.pdf_p2"],
    }
    expected = {page: 0.6 * own[page] + 0.4 * best.get(page, own[page]) for page in CAPTIONS}
    assert found == pytest.approx(expected, abs=2e-6)
    assert found["a.pdf_p2"] > found["a.pdf_p3"]


async def test_a_document_counts_by_the_mean_of_its_other_pages(build: Build) -> None:
    own = await scores(build("dense", CAPTIONS))
    found = await scores(build("hybrid", CAPTIONS, overrides=weights(document=0.5)))
    assert found["a.pdf_p3"] == pytest.approx(0.5 * own["a.pdf_p3"] + 0.25 * (own["a.pdf_p1"] + own["a.pdf_p2"]), abs=2e-6)
    assert found["c.pdf_p1"] == own["c.pdf_p1"]


async def test_links_join_both_pages_and_unknown_pages_are_left_out(build: Build) -> None:
    links = {"b.pdf_p3": ("a.pdf_p1", "gone.pdf_p1", "b.pdf_p3"), "gone.pdf_p2": ("a.pdf_p1",)}
    own = await scores(build("dense", CAPTIONS))
    found = await scores(build("hybrid", CAPTIONS, links, weights(contents=0.3)))
    expected = own | {
        "b.pdf_p3": 0.7 * own["b.pdf_p3"] + 0.3 * own["a.pdf_p1"],
        "a.pdf_p1": 0.7 * own["a.pdf_p1"] + 0.3 * own["b.pdf_p3"],
    }
    assert found == pytest.approx(expected, abs=2e-6)


def test_the_identity_follows_links_and_weights(build: Build) -> None:
    linked = {"b.pdf_p3": ("a.pdf_p1",)}
    found = [build("hybrid", CAPTIONS, links, overrides) for links in ({}, linked) for overrides in ((), weights(document=0.1))]
    assert len({retriever.identity.digest for retriever in found}) == 4


def test_weights_leave_the_page_a_share(build: Build) -> None:
    with pytest.raises(ValueError, match="sum to less than 1"):
        build("hybrid", CAPTIONS, overrides=weights(neighbours=0.5, contents=0.5))
