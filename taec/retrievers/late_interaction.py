"""Late interaction: one vector a token, and exact MaxSim over all pages (Khattab and Zaharia 2020; ColPali, Faysse et al. 2024)."""

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from pydantic import Discriminator, Field, Tag

from taec.core.pages import Hit
from taec.core.progress import Stage
from taec.core.settings import Settings as BaseSettings
from taec.retrievers.base import Corpus, IndexIdentity
from taec.retrievers.embedders.base import Vectors
from taec.retrievers.encoders import colqwen, wordllama
from taec.retrievers.encoders.base import Encoder
from taec.retrievers.identity import identify
from taec.retrievers.option import Name, kind
from taec.retrievers.ranking import Scores, best, check_k
from taec.retrievers.tokens import Chunk, Tokens, kept_tokens

DECIMALS = 4
"""Scores are sums over a query's tokens, so their last bits differ earlier than those of one cosine."""
_ONE_AT_A_TIME = threading.Lock()

EncoderSettings: TypeAlias = Annotated[
    Annotated[Literal["wordllama"], Tag("wordllama")] | Annotated[colqwen.Settings, Tag("colqwen")], Discriminator(kind)
]


class Settings(BaseSettings):
    """Late interaction over page images or captions."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"module", "chunk"})

    name: Name
    module: Literal["late_interaction"]
    """The code behind the option."""
    encoder: EncoderSettings
    """What turns pages and queries into token vectors."""
    chunk: int = Field(ge=1)
    """Token vectors that are compared at once: what a search needs of memory is this, whatever the index."""


class LateInteraction:
    """The score of a page is the sum, over the tokens of the query, of the highest inner product with any token of the page."""

    def __init__(self, identity: IndexIdentity, tokens: Tokens, page_ids: tuple[str, ...], encoder: Encoder, chunk: int) -> None:
        self.identity = identity
        self._tokens = tokens
        self._page_ids = page_ids
        self._encoder = encoder
        self._chunk = chunk

    async def search(self, query: str, k: int) -> list[Hit]:
        """At most `k` hits. Raises ValueError for `k` below 1, InfrastructureError where the index is gone."""
        check_k(k)
        if not query.strip() or not self._page_ids:
            return []
        vectors = await self._encoder.encode_query(query)
        if not len(vectors):
            return []
        scores = await asyncio.to_thread(max_sim, self._tokens, vectors, self._chunk)
        return best(scores, self._page_ids, k, DECIMALS)


def max_sim(tokens: Tokens, query: Vectors, rows: int) -> Scores:
    """The score of every page for the token vectors of a query, comparing about `rows` token vectors at once on every core.

    A page without tokens scores 0. Searches of one process go one after the other: each uses every core, and memory stays that of one.
    Raises InfrastructureError where the index cannot be read.
    """
    from threadpoolctl import threadpool_limits

    scores = np.zeros(len(tokens.ends), np.float32)

    def scored(chunk: Chunk) -> tuple[Chunk, Scores]:
        return chunk, _scores(chunk, query)

    # one core a chunk: several cores on one product of this shape wait for each other longer than they compute
    with _ONE_AT_A_TIME, threadpool_limits(1, "blas"), ThreadPoolExecutor(os.cpu_count()) as pool:
        for chunk, found in pool.map(scored, tokens.chunks(rows)):
            scores[chunk.first : chunk.first + len(found)] = found
    return scores


def _scores(chunk: Chunk, query: Vectors) -> Scores:
    similarity = query @ chunk.read().T  # one row a query token: four times as fast as the other way round
    starts = chunk.starts[:-1] - chunk.starts[0]
    filled = np.diff(chunk.starts) > 0
    scores = np.zeros(len(starts), np.float32)
    if filled.any():
        scores[filled] = np.maximum.reduceat(similarity, starts[filled], axis=1).sum(axis=0)
    return scores


def build(settings: Settings, corpus: Corpus, stage: Stage) -> LateInteraction:
    """The index of `corpus`: opened where its folder holds it (no page is encoded then), or built and kept there.

    Several processes may do this at the same time: one builds. A build that was killed goes on where it was. Raises UsageError where the
    model is missing, InfrastructureError where the index cannot be kept.
    """
    encoder: Encoder = wordllama.build(corpus) if settings.encoder == "wordllama" else colqwen.build(settings.encoder, corpus)
    parts = (encoder.content,) if encoder.content else ()
    identity = identify(settings, corpus, encoder.libraries, f"late interaction {encoder.words} exact MaxSim", parts)
    page_ids = tuple(corpus.captions)
    folder = corpus.folder / f"late-{identity.digest[:16]}"
    tokens = kept_tokens(folder, page_ids, encoder.dimensions, encoder.batch, encoder.encode_pages, stage)
    return LateInteraction(identity, tokens, page_ids, encoder, settings.chunk)
