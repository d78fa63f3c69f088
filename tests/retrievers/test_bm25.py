import math
from collections.abc import Callable
from pathlib import Path

import pytest

from taec.retrievers.base import Retriever
from taec.retrievers.bm25 import tokens

Build = Callable[..., Retriever]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fuel-Pump FUEL", ["fuel", "pump", "fuel"]),
        ("$1,250.50 in 2024.", ["1250.50", "in", "2024"]),
        ("安全 abc操作", ["安", "全", "abc", "操", "作"]),
        ("snake_case Straße", ["snake", "case", "strasse"]),
        ("?! \n", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


async def test_only_pages_that_share_a_token_are_hits(build: Build) -> None:
    retriever = build("bm25", {"a.pdf_p1": "fuel pump", "a.pdf_p2": "annual revenue", "a.pdf_p3": "fuel"})
    assert [hit.page_id for hit in await retriever.search("fuel unknown", 3)] == ["a.pdf_p3", "a.pdf_p1"]
    assert await retriever.search("unknown", 3) == []


async def test_scores_are_okapi_with_an_idf_that_is_never_negative(build: Build) -> None:
    captions = {"a.pdf_p1": "fuel fuel pump", "a.pdf_p2": "fuel of the year", "a.pdf_p3": "annual revenue of the company in the year"}
    lengths = {page: len(caption.split()) for page, caption in captions.items()}
    mean = sum(lengths.values()) / 3
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = {
        page: idf * count / (count + 1.5 * (1 - 0.75 + 0.75 * lengths[page] / mean)) for page, count in (("a.pdf_p1", 2), ("a.pdf_p2", 1))
    }
    hits = await build("bm25", captions).search("fuel", 3)
    assert {hit.page_id: hit.score for hit in hits} == pytest.approx(expected, abs=1e-5)


async def test_the_index_is_kept_and_a_damaged_one_is_built_again(build: Build, tmp_path: Path) -> None:
    captions = {"a.pdf_p1": "fuel pump", "a.pdf_p2": "annual revenue"}
    hits = await build("bm25", captions).search("pump", 2)
    (file,) = (tmp_path / "index").glob("bm25-*/data.csc.index.npy")
    written = file.stat().st_mtime_ns
    assert await build("bm25", captions).search("pump", 2) == hits
    assert file.stat().st_mtime_ns == written
    file.write_bytes(file.read_bytes()[:-4])
    assert await build("bm25", captions).search("pump", 2) == hits
    assert file.stat().st_mtime_ns != written
