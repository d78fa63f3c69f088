"""Captions embedded without a network: WordLlama's 256 dimensions, carried in its wheel."""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from taec.retrievers.base import Corpus
from taec.retrievers.embedders.base import Vectors, unit

if TYPE_CHECKING:
    from wordllama.inference import WordLlamaInference

TEXTS_AT_ONCE = 8
"""A batch is padded to its longest text, so larger ones are slower on pages of mixed length."""


class WordLlamaEmbedder:
    """WordLlama `l2_supercat`. A text's vector does not depend on the batch it is in."""

    dimensions = 256
    batch = 512
    content = ""
    words = "wordllama-256"

    def __init__(self, captions: Mapping[str, str]) -> None:
        self.libraries: Mapping[str, str] = {"wordllama": version("wordllama")}
        self._captions = captions
        self._model = load(self.dimensions)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (texts, 256); a text without tokens gives the zero vector."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        chunks = [list(texts[start : start + TEXTS_AT_ONCE]) for start in range(0, len(texts), TEXTS_AT_ONCE)]
        if len(chunks) == 1:
            return unit(self._embed(chunks[0]))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return unit(np.concatenate(list(pool.map(self._embed, chunks))))

    def _embed(self, texts: list[str]) -> Vectors:
        return np.asarray(self._model.embed(texts, norm=False), np.float32)

    def embed_pages(self, page_ids: Sequence[str]) -> Vectors:
        return self.embed([self._captions[page_id] for page_id in page_ids])

    async def embed_query(self, query: str) -> Vectors:
        return self.embed([query])


def build(corpus: Corpus) -> WordLlamaEmbedder:
    """The embedder of the captions of `corpus`."""
    return WordLlamaEmbedder(corpus.captions)


@cache
def load(dimensions: int) -> "WordLlamaInference":
    """The model in its wheel; it does not change, so one serves all."""
    with _root_logger_kept():
        import wordllama
        from wordllama import WordLlama

    # its own folder as cache: the loader looks for `tokenizer/` while the wheel has `tokenizers/`, and would then go to the network
    folder = Path(wordllama.__file__).parent
    return WordLlama.load(cache_dir=folder, dim=dimensions, disable_download=True)


@contextmanager
def _root_logger_kept() -> Iterator[None]:
    """WordLlama configures the root logger when it is imported, which would print every library's messages."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
