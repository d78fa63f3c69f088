from collections.abc import Callable

import pytest

from taec.retrievers.base import Retriever
from taec.retrievers.bm25 import tokens

Build = Callable[[str, dict[str, str]], Retriever]


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
