"""Dense retrieval: a FAISS index of unit vectors searched by inner product (specification, section 9)."""

import logging
import os
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal

import numpy as np

from taec.core.errors import InfrastructureError
from taec.core.pages import Hit
from taec.core.progress import Stage
from taec.core.settings import Settings as BaseSettings
from taec.retrievers.base import Corpus, IndexIdentity
from taec.retrievers.embedder import Embedder, WordLlamaEmbedder
from taec.retrievers.identity import identify
from taec.retrievers.ranking import best, check_k

if TYPE_CHECKING:
    import faiss


class Settings(BaseSettings):
    """Dense retrieval over captions."""

    name: Literal["dense"]
    """The registry name."""
    embedder: Literal["wordllama"]
    """What turns captions and queries into vectors."""


class Dense:
    """Exact search: every page is scored. Scores are cosines, rounded."""

    def __init__(self, identity: IndexIdentity, index: "faiss.Index", page_ids: tuple[str, ...], embedder: Embedder) -> None:
        self.identity = identity
        self._index = index
        self._page_ids = page_ids
        self._embedder = embedder

    async def search(self, query: str, k: int) -> list[Hit]:
        """At most `k` hits. Raises ValueError for `k` below 1."""
        check_k(k)
        if not query.strip() or not self._page_ids:
            return []
        found, positions = self._index.search(self._embedder.embed([query]), len(self._page_ids))
        scores = np.empty(len(self._page_ids), np.float32)
        scores[positions[0]] = found[0]
        return best(scores, self._page_ids, k)


def build(settings: Settings, corpus: Corpus, stage: Stage) -> Dense:
    """The index of `corpus`, read from its folder or built and kept there. Raises InfrastructureError where it cannot be kept."""
    faiss = _faiss()
    embedder = WordLlamaEmbedder()
    libraries = {"faiss": faiss.__version__, "wordllama": embedder.version}
    identity = identify(settings, corpus, libraries, f"dense {settings.embedder}-{embedder.dimensions} faiss-flat-ip")
    file = corpus.folder / f"dense-{identity.digest[:16]}.faiss"
    index = _read(file, identity.pages, embedder.dimensions)
    if index is None:
        index = faiss.IndexFlatIP(embedder.dimensions)
        index.add(embedder.embed(list(corpus.captions.values())))
        _keep(index, file)
    return Dense(identity, index, tuple(corpus.captions), embedder)


def _read(file: Path, pages: int, dimensions: int) -> "faiss.Index | None":
    """The kept index, or None where there is none that can be used."""
    try:
        index = _faiss().deserialize_index(np.frombuffer(file.read_bytes(), np.uint8))
    except (OSError, RuntimeError):
        return None
    return index if (index.ntotal, index.d) == (pages, dimensions) else None


def _keep(index: "faiss.Index", file: Path) -> None:
    partial = file.with_suffix(f".{os.getpid()}.partial")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(_faiss().serialize_index(index).tobytes())
        partial.replace(file)
    except OSError as error:
        raise InfrastructureError(f"The index {file} cannot be written: {error}") from error


def _faiss() -> ModuleType:
    """FAISS, without its messages about the processor."""
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)
    import faiss

    module: ModuleType = faiss
    return module
