"""Dense and BM25 results merged by reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from taec.core.pages import Hit
from taec.core.progress import Stage
from taec.core.settings import Settings as BaseSettings
from taec.retrievers import bm25, dense
from taec.retrievers.base import Corpus, IndexIdentity, Retriever
from taec.retrievers.identity import identify
from taec.retrievers.ranking import best, check_k


class Settings(BaseSettings):
    """Fusion of `dense` and `bm25`, each with its own settings."""

    name: Literal["hybrid"]
    """The registry name."""
    constant: int = Field(ge=1)
    """What is added to every rank: the larger, the less the first ranks stand out."""
    depth: int = Field(ge=1)
    """How many hits of each retriever are fused; a larger k takes k."""
    dense: dense.Settings
    """Settings of the dense part."""
    bm25: bm25.Settings
    """Settings of the lexical part."""


class Hybrid:
    """Scores are the sum over the parts of 1 / (constant + rank), ranks from 1."""

    def __init__(self, identity: IndexIdentity, parts: Sequence[Retriever], page_ids: tuple[str, ...], constant: int, depth: int) -> None:
        self.identity = identity
        self._parts = parts
        self._page_ids = page_ids
        self._positions = {page_id: position for position, page_id in enumerate(page_ids)}
        self._constant = constant
        self._depth = depth

    async def search(self, query: str, k: int) -> list[Hit]:
        """At most `k` hits. Raises ValueError for `k` below 1."""
        check_k(k)
        scores = np.zeros(len(self._page_ids), np.float32)
        for part in self._parts:
            for rank, hit in enumerate(await part.search(query, max(k, self._depth)), start=1):
                scores[self._positions[hit.page_id]] += 1 / (self._constant + rank)
        return [hit for hit in best(scores, self._page_ids, k) if hit.score > 0]


def build(settings: Settings, corpus: Corpus, stage: Stage) -> Hybrid:
    """Both indices of `corpus`."""
    parts = (dense.build(settings.dense, corpus, stage), bm25.build(settings.bm25, corpus, stage))
    words = f"rrf({', '.join(part.identity.name for part in parts)}) constant={settings.constant} depth={settings.depth}"
    identity = identify(settings, corpus, {}, words, tuple(part.identity.digest for part in parts))
    return Hybrid(identity, parts, tuple(corpus.captions), settings.constant, settings.depth)
