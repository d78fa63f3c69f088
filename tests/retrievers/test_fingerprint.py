from collections.abc import Callable
from hashlib import sha256

import pytest

from taec.core.errors import UsageError
from taec.retrievers.base import Retriever
from taec.retrievers.fingerprint import PROBES, expected_fingerprint, fingerprint

Build = Callable[[str, dict[str, str]], Retriever]


async def test_it_is_the_hash_of_the_pages_in_rank_order(build: Build, name: str) -> None:
    retriever = build(name, {f"d.pdf_p{number}": f"{PROBES[number % 8]} and more, {number}" for number in range(1, 20)})
    found = [hit.page_id for probe in PROBES for hit in await retriever.search(probe, 5)]
    assert len(PROBES) == 8
    assert await fingerprint(retriever) == sha256("\n".join(found).encode()).hexdigest()[:16]


async def test_another_index_has_another(build: Build, name: str) -> None:
    captions = {f"d.pdf_p{number}": f"{PROBES[number % 8]} {number}" for number in range(1, 20)}
    renamed = {page.replace("d.pdf", "e.pdf"): caption for page, caption in captions.items()}
    assert await fingerprint(build(name, captions)) != await fingerprint(build(name, renamed))


async def test_another_fingerprint_than_expected_is_refused_and_both_are_told(build: Build) -> None:
    retriever = build("bm25", {"a.pdf_p1": "annual revenue table", "a.pdf_p2": "figure caption"})
    found = await fingerprint(retriever)
    assert await expected_fingerprint(retriever, None) == await expected_fingerprint(retriever, found) == found
    with pytest.raises(UsageError, match=f"fingerprint is {found}, run.expected_fingerprint is {'0' * 16}"):
        await expected_fingerprint(retriever, "0" * 16)
