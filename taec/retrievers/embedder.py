"""Text embeddings that work without a network: WordLlama's 256 dimensions, carried in its wheel."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

BATCH = 8
"""Texts embedded at once. A batch is padded to its longest text, so larger ones are slower on pages of mixed length."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    dimensions: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (texts, dimensions); a text without tokens gives the zero vector."""
        ...


class WordLlamaEmbedder:
    """WordLlama `l2_supercat`. A text's vector does not depend on the batch it is in."""

    dimensions = 256

    def __init__(self) -> None:
        with _root_logger_kept():
            import wordllama
            from wordllama import WordLlama

        self.version: str = wordllama.__version__
        # its own folder as cache: the loader looks for `tokenizer/` while the wheel has `tokenizers/`, and would then go to the network
        folder = Path(wordllama.__file__).parent
        self._model = WordLlama.load(cache_dir=folder, dim=self.dimensions, disable_download=True)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (texts, 256); a text without tokens gives the zero vector."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        vectors: NDArray[np.float32] = self._model.embed(list(texts), norm=False, batch_size=BATCH)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: NDArray[np.float32] = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        return unit


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
