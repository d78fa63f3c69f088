from collections.abc import Callable

import pytest

from taec.retrievers.base import Retriever

CAPTIONS = {"a.pdf_p1": "fuel pump", "a.pdf_p2": "annual revenue", "a.pdf_p3": "petrol injection device"}
Build = Callable[[str, dict[str, str]], Retriever]


async def test_scores_are_sums_of_reciprocal_ranks(build: Build) -> None:
    parts = [await build(name, CAPTIONS).search("fuel pump", 3) for name in ("dense", "bm25")]
    expected: dict[str, float] = {}
    for hits in parts:
        for rank, hit in enumerate(hits, start=1):
            expected[hit.page_id] = expected.get(hit.page_id, 0) + 1 / (60 + rank)
    fused = {hit.page_id: hit.score for hit in await build("fusion", CAPTIONS).search("fuel pump", 3)}
    assert fused == pytest.approx(expected, abs=1e-6)
    assert fused["a.pdf_p1"] == pytest.approx(2 / 61, abs=1e-6)
