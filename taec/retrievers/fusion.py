"""Results of several retrievers merged by reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from pydantic import Discriminator, Field, JsonValue, Tag

from taec.core.pages import Hit
from taec.core.progress import Stage
from taec.core.settings import Settings as BaseSettings
from taec.retrievers import bm25, dense, hybrid, late_interaction
from taec.retrievers.base import Corpus, IndexIdentity, Retriever
from taec.retrievers.identity import identify
from taec.retrievers.option import Name, module
from taec.retrievers.ranking import best, check_k

Part: TypeAlias = Annotated[
    Annotated[dense.Settings, Tag("dense")]
    | Annotated[bm25.Settings, Tag("bm25")]
    | Annotated[hybrid.Settings, Tag("hybrid")]
    | Annotated[late_interaction.Settings, Tag("late_interaction")],
    Discriminator(module),
]


class Settings(BaseSettings):
    """Fusion of two or more retrievers, each with its own settings."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"module"})

    name: Name
    module: Literal["fusion"]
    """The code behind the option."""
    constant: int = Field(ge=1)
    """What is added to every rank: the larger, the less the first ranks stand out."""
    depth: int = Field(ge=1)
    """How many hits of each retriever are fused; a larger k takes k."""
    parts: dict[str, Part] = Field(min_length=2)
    """The retrievers, under any names."""

    def identity(self) -> dict[str, JsonValue]:
        return {**super().identity(), "parts": {name: part.identity() for name, part in self.parts.items()}}


class Fusion:
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


def build(settings: Settings, corpus: Corpus, stage: Stage) -> Fusion:
    """All indices of `corpus`, opened or built as their own modules do."""
    parts = [_built(part, corpus, stage) for part in settings.parts.values()]
    words = f"rrf({', '.join(part.identity.name for part in parts)}) constant={settings.constant} depth={settings.depth}"
    identity = identify(settings, corpus, {}, words, tuple(part.identity.digest for part in parts))
    return Fusion(identity, parts, tuple(corpus.captions), settings.constant, settings.depth)


def _built(settings: Part, corpus: Corpus, stage: Stage) -> Retriever:
    match settings:
        case dense.Settings():
            return dense.build(settings, corpus, stage)
        case bm25.Settings():
            return bm25.build(settings, corpus, stage)
        case hybrid.Settings():
            return hybrid.build(settings, corpus, stage)
        case late_interaction.Settings():
            return late_interaction.build(settings, corpus, stage)
