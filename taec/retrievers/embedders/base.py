"""The embedder contract: queries and pages go in, unit vectors come out."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
"""Shape (texts or pages, dimensions); every row has length 1, or is zero where there is nothing to embed."""


class Embedder(Protocol):
    """Gives a query or a page the same vector whatever else is embedded with it."""

    words: str
    """Which vectors these are, for people: the model and the number of dimensions."""
    libraries: Mapping[str, str]
    """Versions of what computes the vectors here; their major numbers belong to an index's identity."""
    content: str
    """Digest of what is embedded of a page besides its caption; empty where captions are all."""
    dimensions: int
    batch: int
    """Pages that `embed_pages` is best given at once: a killed build loses no more."""

    def embed_pages(self, page_ids: Sequence[str]) -> Vectors:
        """Vectors of pages of the corpus that the embedder was built for. Raises InfrastructureError where they cannot be had."""
        ...

    async def embed_query(self, query: str) -> Vectors:
        """The vector of one query, shape (1, dimensions). Raises InfrastructureError where it cannot be had."""
        ...


def unit(vectors: Vectors) -> Vectors:
    """`vectors` at length 1; a zero vector stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return scaled
