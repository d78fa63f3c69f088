import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taec.retrievers.embedders.base import Vectors, unit
from taec.retrievers.exact import AT_ONCE, BLOCK, QUERIES, ROWS, Asked, Nearest, load_faiss, most_queries
from taec.retrievers.ranking import Scores, best


def scores_one_by_one(rows: Vectors, query: Vectors) -> Scores:
    """By the same code as the search: other arithmetic rounds a score that lies between two sixth decimals the other way."""
    faiss = load_faiss()
    return np.array([faiss.knn(query, row[None], 1, metric=faiss.METRIC_INNER_PRODUCT)[0][0, 0] for row in rows], np.float32)


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 400), st.integers(1, 500), st.integers(1, 30), st.integers(0, 2**32 - 1))
async def test_hits_are_those_of_scoring_every_page_and_sorting(pages: int, k: int, distinct: int, seed: int) -> None:
    """Few distinct vectors, so that ties run over the end of what is asked for."""
    chance = np.random.default_rng(seed)
    rows = unit(chance.integers(-2, 3, (distinct, 4)).astype(np.float32))
    drawn = chance.integers(0, distinct, pages)
    query = unit(chance.integers(-2, 3, (1, 4)).astype(np.float32))
    ids = [f"p{number}" for number in range(pages)]
    assert await Nearest(rows[drawn], ids).hits(query, k) == best(scores_one_by_one(rows, query)[drawn], ids, k)


@pytest.fixture(scope="module")
def large() -> Vectors:
    return unit(np.random.default_rng(0).standard_normal((AT_ONCE // 64 + 1, 64), np.float32))


async def test_searches_at_the_same_time_agree_with_one_after_the_other(large: Vectors) -> None:
    nearest = Nearest(large, [f"p{number}" for number in range(len(large))])
    queries = [large[number : number + 1] for number in range(0, 320, 10)]
    together = await asyncio.gather(*(nearest.hits(query, 5) for query in queries))
    assert together == [await nearest.hits(query, 5) for query in queries]
    assert [hits[0].page_id for hits in together] == [f"p{number}" for number in range(0, 320, 10)]


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 2 * ROWS + 9), st.sampled_from([3, 64, 250]), st.lists(st.integers(1, 120), min_size=1, max_size=QUERIES), st.data())
async def test_what_a_query_finds_does_not_depend_on_its_batch(pages: int, dimensions: int, depths: list[int], data: st.DataObject) -> None:
    """To the last bit of a score, with equal vectors, in several blocks, and with its neighbours' depths."""
    chance = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    rows = unit(chance.standard_normal((data.draw(st.integers(1, pages)), dimensions), np.float32))
    nearest = Nearest(rows[chance.integers(0, len(rows), pages)], [f"p{number}" for number in range(pages)])
    asked = [Asked(query, k) for query, k in zip(unit(chance.standard_normal((len(depths), dimensions), np.float32)), depths, strict=True)]
    assert nearest.search(asked) == [nearest.search([each])[0] for each in asked]


@pytest.mark.parametrize("dimensions", [64, 2048, 7999])
def test_a_score_is_the_same_to_the_last_bit_whatever_it_is_compared_together_with(dimensions: int) -> None:
    """What the limits of blocks and batches rest on: FAISS compares pairs by one code below them."""
    chance, faiss = np.random.default_rng(0), load_faiss()
    rows = min(ROWS, BLOCK // dimensions)
    block = unit(chance.standard_normal((rows, dimensions), np.float32))
    queries = unit(chance.standard_normal((most_queries(dimensions), dimensions), np.float32))
    scores, places = faiss.knn(queries, block, rows, metric=faiss.METRIC_INNER_PRODUCT)
    for query, found, order in zip(queries, scores, places, strict=True):
        assert found[:99].tolist() == scores_one_by_one(block[order[:99]], query[None]).tolist()
