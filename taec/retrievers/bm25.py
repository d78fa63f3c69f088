"""BM25 over one text per page (specification, section 9), by bm25s."""

import logging
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from filelock import FileLock
from pydantic import Field

from taec.core.errors import InfrastructureError
from taec.core.pages import Hit
from taec.core.progress import Stage
from taec.core.settings import Settings as BaseSettings
from taec.core.text import TOKEN
from taec.retrievers.base import Corpus, IndexIdentity
from taec.retrievers.identity import identify
from taec.retrievers.ranking import best, check_k

if TYPE_CHECKING:
    import bm25s


class Settings(BaseSettings):
    """BM25 over captions."""

    name: Literal["bm25"]
    """The registry name."""
    k1: float = Field(ge=0)
    """How slowly repeats of a term stop counting."""
    b: float = Field(ge=0, le=1)
    """How much long captions are discounted."""


class Bm25:
    """Only pages that share a token with the query are hits: a score of zero says nothing about a page."""

    def __init__(self, identity: IndexIdentity, index: "bm25s.BM25 | None", page_ids: tuple[str, ...]) -> None:
        self.identity = identity
        self._index = index
        self._page_ids = page_ids

    async def search(self, query: str, k: int) -> list[Hit]:
        """At most `k` hits. Raises ValueError for `k` below 1."""
        check_k(k)
        words = tokens(query)
        if self._index is None or not words:
            return []
        return [hit for hit in best(self._index.get_scores(words), self._page_ids, k) if hit.score > 0]


def build(settings: Settings, corpus: Corpus, stage: Stage) -> Bm25:
    """The index of `corpus`: opened by memory mapping where its folder holds it, or built in memory (0.3 ms a page) and kept there.

    Raises InfrastructureError where it cannot be kept.
    """
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets its own logger to DEBUG, past the level of the root
    identity = identify(settings, corpus, {"bm25s": bm25s.__version__}, f"bm25 lucene k1={settings.k1:g} b={settings.b:g}")
    folder = corpus.folder / f"bm25-{identity.digest[:16]}"
    return Bm25(identity, _kept(settings, corpus, folder), tuple(corpus.captions))


def tokens(text: str) -> list[str]:
    """Words and numbers, case-folded, and each Chinese, Japanese or Korean character for itself; "1,250" and "1250" are one token."""
    return [token.replace(",", "") if token[0].isdigit() else token for token in TOKEN.findall(text.casefold())]


def _kept(settings: Settings, corpus: Corpus, folder: Path) -> "bm25s.BM25 | None":
    """None for a corpus without a token, which bm25s refuses."""
    pages = len(corpus.captions)
    if (found := _opened(folder, pages)) is not None:
        return found
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_suffix(".lock")):
            if (found := _opened(folder, pages)) is not None:
                return found
            index = _index(settings, [tokens(caption) for caption in corpus.captions.values()])
            if index is not None:
                partial = folder.with_suffix(".part")
                shutil.rmtree(partial, ignore_errors=True)
                index.save(partial, show_progress=False)
                shutil.rmtree(folder, ignore_errors=True)  # it could not be opened
                partial.rename(folder)
            return index
    except OSError as error:
        raise InfrastructureError(f"The index {folder} cannot be written: {error}") from error


def _opened(folder: Path, pages: int) -> "bm25s.BM25 | None":
    import bm25s

    try:
        index = bm25s.BM25.load(folder, mmap=True, show_progress=False)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return index if index.scores["num_docs"] == pages else None


def _index(settings: Settings, corpus: Sequence[list[str]]) -> "bm25s.BM25 | None":
    if not any(corpus):
        return None
    import bm25s

    # Okapi with the idf of Lucene, which is never negative: terms of more than half the pages do not count against a page
    index = bm25s.BM25(k1=settings.k1, b=settings.b, method="lucene")
    index.index(corpus, show_progress=False)
    return index
