import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taec.core.progress import untold
from taec.retrievers.base import Retriever
from taec.retrievers.embedders.base import Vectors, unit
from taec.retrievers.late_interaction import max_sim
from taec.retrievers.tokens import kept_tokens

Build = Callable[..., Retriever]


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.integers(1, 6), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_scores_are_those_of_the_definition(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], words: int, rows: int, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    pages = [unit(chance.standard_normal((length, 8), np.float32)).astype(np.float16).astype(np.float32) for length in lengths]
    ids = [str(number) for number in range(len(pages))]

    def encode(page_ids: Sequence[str]) -> list[Vectors]:
        return [pages[int(page_id)] for page_id in page_ids]

    query = unit(chance.standard_normal((words, 8), np.float32))
    tokens = kept_tokens(tmp_path_factory.mktemp("late"), ids, 8, 4, encode, untold)
    expected = [sum(max(float(row @ word) for row in page) for word in query) if len(page) else 0 for page in pages]
    assert max_sim(tokens, query, rows) == pytest.approx(expected, abs=1e-5)


async def test_the_chunk_changes_no_score(build: Build, tmp_path: Path) -> None:
    captions = {f"a.pdf_p{number}": "fuel pump " * number + f"number {number}" for number in range(20)}
    found = []
    for rows in (1, 7, 10_000):
        hits = await build("late_wordllama", captions, overrides=(f"retriever.chunk={rows}",)).search("pump 7", 20)
        found.append({hit.page_id: hit.score for hit in hits})
    assert found[0] == pytest.approx(found[2], abs=2e-4)
    assert found[1] == pytest.approx(found[2], abs=2e-4)
    assert len(list((tmp_path / "index").glob("late-*/tokens.f16"))) == 1


async def test_searches_at_the_same_time_agree_with_one_after_the_other(build: Build) -> None:
    retriever = build("late_wordllama", {f"a.pdf_p{number}": f"fuel pump number {number}" for number in range(30)})
    queries = [f"pump number {number}" for number in range(8)]
    together = await asyncio.gather(*(retriever.search(query, 3) for query in queries))
    assert together == [await retriever.search(query, 3) for query in queries]
