from collections.abc import Callable
from hashlib import sha256

from taec.retrievers.base import Retriever
from taec.retrievers.fingerprint import PROBES, fingerprint

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
