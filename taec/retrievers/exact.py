"""Exact nearest pages by FAISS over vectors that may be a memory mapping."""

import asyncio
import logging
from collections.abc import Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taec.core.pages import Hit
from taec.retrievers.embedders.base import Vectors
from taec.retrievers.ranking import Scores, rounded
from taec.retrievers.together import Together

MARGIN = 32
"""Pages asked for beyond k, so that ties at the end are seen. FAISS keeps up to 100 results in a heap, which costs next to nothing."""
AT_ONCE = 1_000_000
"""Numbers compared in about a millisecond: more of them are searched in a thread (FAISS lets go of the interpreter's lock)."""
BLOCK = 2_097_152
"""Numbers of a block of vectors: it stays in the processor's cache (8 MB) while one query after the other is compared with it."""
ROWS, QUERIES, PRODUCT = 4_096, 16, 127_999
"""The most rows of a block, queries of a batch, and numbers of a batch. FAISS compares by BLAS from 128,000 numbers of queries on, and,
with fewer queries than threads, from 10,000 rows on (1.15; 28 ms of processor time where it takes 8 otherwise): below, a pair's score is
the same to the last bit whatever it is compared together with."""


class Asked(NamedTuple):
    """A query, shape (dimensions,), and how many pages are wanted."""

    query: Vectors
    k: int


class Nearest:
    """The pages of the highest inner product with a query, ties in collection order.

    Searches at the same time share a pass over the vectors; what a query finds does not depend on the others.
    """

    def __init__(self, vectors: Vectors, page_ids: Sequence[str]) -> None:
        self._vectors = vectors
        self._page_ids = page_ids
        self._together = Together(self.search, most_queries(vectors.shape[1]), _one_thread)

    async def hits(self, query: Vectors, k: int) -> list[Hit]:
        """The `k` best pages for `query` (shape (1, dimensions))."""
        asked = Asked(query[0], k)
        return self.search([asked])[0] if self._vectors.size <= AT_ONCE else await self._together.ask(asked)

    def search(self, asked: Sequence[Asked]) -> list[list[Hit]]:
        """What each finds. Scores tie as rounded, so whoever may have missed one that ties with its k-th is searched again, deeper."""
        depth = max(k for _, k in asked) + MARGIN
        found = self._search(asked, depth)
        while again := [place for place, hits in enumerate(found) if hits is None]:
            depth *= 8
            for place, hits in zip(again, self._search([asked[place] for place in again], depth), strict=True):
                found[place] = hits
        return [hits for hits in found if hits is not None]

    def _search(self, asked: Sequence[Asked], depth: int) -> list[list[Hit] | None]:
        """The hits among the `depth` best pages of every block, None for who needs more of a block."""
        faiss, (pages, dimensions) = load_faiss(), self._vectors.shape
        queries = np.stack([query for query, _ in asked])
        rows = max(1, min(ROWS, BLOCK // dimensions))
        scores, positions, least = [], [], []
        for start in range(0, pages, rows):
            block = self._vectors[start : start + rows]
            kept = min(depth, len(block))
            values, places = faiss.knn(queries, block, kept, metric=faiss.METRIC_INNER_PRODUCT)
            scores.append(values)
            positions.append(places + start)
            least.append(values[:, -1] if kept < len(block) else np.full(len(asked), -np.inf, np.float32))
        return [
            self._hits(rounded(values), places, missed, k)
            for values, places, missed, (_, k) in zip(
                np.hstack(scores), np.hstack(positions), rounded(np.max(least, axis=0)).tolist(), asked, strict=True
            )
        ]

    def _hits(self, scores: NDArray[np.float64], positions: NDArray[np.int64], missed: float, k: int) -> list[Hit] | None:
        order = np.lexsort((positions, -scores))[:k]
        if missed >= scores[order[-1]]:
            return None
        return [Hit(self._page_ids[positions[place]], float(scores[place])) for place in order]


def most_queries(dimensions: int) -> int:
    """Queries that may share a pass."""
    return max(1, min(QUERIES, PRODUCT // dimensions))


async def scores_of_all(vectors: Vectors, query: Vectors) -> Scores:
    """The inner product of every page with `query` (shape (1, dimensions)), in collection order."""
    if vectors.size <= AT_ONCE:
        return _scores(vectors, query)
    return await asyncio.to_thread(_scores, vectors, query)


def _scores(vectors: Vectors, query: Vectors) -> Scores:
    found: Scores = vectors @ query[0]
    return found


def _one_thread() -> None:
    """FAISS computes in the thread that calls it: threads of its own that wait for each other's turn on a busy processor cost more
    than they save."""
    load_faiss().omp_set_num_threads(1)


def load_faiss() -> ModuleType:
    """FAISS, without its messages about the processor."""
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)
    import faiss

    module: ModuleType = faiss
    return module
