"""Exact nearest pages by FAISS over vectors that may be a memory mapping."""

import asyncio
import logging
from collections.abc import Sequence
from types import ModuleType

import numpy as np

from taec.core.pages import Hit
from taec.retrievers.embedders.base import Vectors
from taec.retrievers.ranking import Scores, rounded

MARGIN = 32
"""Pages asked for beyond k, so that ties at the end are seen. FAISS keeps up to 100 results in a heap, which costs next to nothing."""
AT_ONCE = 1_000_000
"""Numbers compared in about a millisecond: more of them are searched in a thread (FAISS lets go of the interpreter's lock)."""


async def nearest(vectors: Vectors, query: Vectors, page_ids: Sequence[str], k: int) -> list[Hit]:
    """The `k` pages of the highest inner product with `query` (shape (1, dimensions)), ties in collection order.

    Safe with searches at the same time: nothing is changed.
    """
    if vectors.size <= AT_ONCE:
        return _nearest(vectors, query, page_ids, k)
    return await asyncio.to_thread(_nearest, vectors, query, page_ids, k)


def _nearest(vectors: Vectors, query: Vectors, page_ids: Sequence[str], k: int) -> list[Hit]:
    """Scores tie as rounded, so more pages are asked for until the last one is below the k-th."""
    faiss, pages = load_faiss(), len(page_ids)
    k = min(k, pages)
    asked = min(pages, k + MARGIN)
    while True:
        found, positions = faiss.knn(query, vectors, asked, metric=faiss.METRIC_INNER_PRODUCT)
        scores = rounded(found[0])
        if asked == pages or scores[-1] < scores[k - 1]:
            break
        asked = min(pages, 8 * asked)
    order = np.lexsort((positions[0], -scores))[:k]
    return [Hit(page_ids[positions[0][place]], float(scores[place])) for place in order]


async def scores_of_all(vectors: Vectors, query: Vectors) -> Scores:
    """The inner product of every page with `query` (shape (1, dimensions)), in collection order."""
    if vectors.size <= AT_ONCE:
        return _scores(vectors, query)
    return await asyncio.to_thread(_scores, vectors, query)


def _scores(vectors: Vectors, query: Vectors) -> Scores:
    found: Scores = vectors @ query[0]
    return found


def load_faiss() -> ModuleType:
    """FAISS, without its messages about the processor."""
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)
    import faiss

    module: ModuleType = faiss
    return module
