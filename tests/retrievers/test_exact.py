import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taec.retrievers.embedders.base import Vectors, unit
from taec.retrievers.exact import AT_ONCE, nearest
from taec.retrievers.ranking import best


def by_scoring_all(vectors: Vectors, query: Vectors, ids: list[str], k: int) -> list[str]:
    return [hit.page_id for hit in best((vectors.astype(np.float64) @ query[0].astype(np.float64)).astype(np.float32), ids, k)]


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 400), st.integers(1, 500), st.integers(1, 30), st.integers(0, 2**32 - 1))
async def test_hits_are_those_of_scoring_every_page_and_sorting(pages: int, k: int, distinct: int, seed: int) -> None:
    """Few distinct vectors, so that ties run over the end of what is asked for."""
    chance = np.random.default_rng(seed)
    rows = unit(chance.integers(-2, 3, (distinct, 4)).astype(np.float32))
    vectors = rows[chance.integers(0, distinct, pages)]
    query = unit(chance.integers(-2, 3, (1, 4)).astype(np.float32))
    ids = [f"p{number}" for number in range(pages)]
    hits = await nearest(vectors, query, ids, k)
    assert [hit.page_id for hit in hits] == by_scoring_all(vectors, query, ids, k)


@pytest.fixture(scope="module")
def large() -> Vectors:
    return unit(np.random.default_rng(0).standard_normal((AT_ONCE // 64 + 1, 64), np.float32))


async def test_searches_at_the_same_time_agree_with_one_after_the_other(large: Vectors) -> None:
    ids = [f"p{number}" for number in range(len(large))]
    queries = [large[number : number + 1] for number in range(0, 320, 10)]
    together = await asyncio.gather(*(nearest(large, query, ids, 5) for query in queries))
    assert together == [await nearest(large, query, ids, 5) for query in queries]
    assert [hits[0].page_id for hits in together] == [f"p{number}" for number in range(0, 320, 10)]
