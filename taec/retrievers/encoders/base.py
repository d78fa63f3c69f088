"""The encoder contract: queries and pages go in, one vector a token comes out."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from taec.retrievers.embedders.base import Vectors


class Encoder(Protocol):
    """Gives a query or a page the same vectors whatever else is encoded with it."""

    words: str
    """Which vectors these are, for people: the model and the number of dimensions."""
    libraries: Mapping[str, str]
    """Versions of what computes the vectors; their major numbers belong to an index's identity."""
    content: str
    """Digest of what is encoded of a page besides its caption; empty where captions are all."""
    dimensions: int
    batch: int
    """Pages that `encode_pages` is best given at once: a killed build loses no more."""

    def encode_pages(self, page_ids: Sequence[str]) -> Sequence[Vectors]:
        """For each page its token vectors, shape (tokens, dimensions), at length 1; a page may have none."""
        ...

    async def encode_query(self, query: str) -> Vectors:
        """The token vectors of a query, shape (tokens, dimensions); it may have none. A vector's length is what its token counts."""
        ...
