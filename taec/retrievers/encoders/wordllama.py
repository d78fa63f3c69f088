"""Captions by token without a network: WordLlama's static token vectors, a stand-in for a late-interaction model."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from taec.retrievers.base import Corpus
from taec.retrievers.embedders.base import Vectors, unit
from taec.retrievers.embedders.wordllama import load


class WordLlamaTokens:
    """WordLlama `l2_supercat`, 256 dimensions. A token has one vector wherever it stands, so a page keeps each of its tokens once.

    The model is trained for means of its vectors, which makes rare words long: in a query they count by that length.
    """

    dimensions = 256
    batch = 512
    content = ""
    words = "wordllama-tokens-256"

    def __init__(self, captions: Mapping[str, str]) -> None:
        self.libraries: Mapping[str, str] = {"wordllama": version("wordllama")}
        self._captions = captions
        self._model = load(self.dimensions)
        self._vectors = unit(self._model.embedding)

    def encode_pages(self, page_ids: Sequence[str]) -> Sequence[Vectors]:
        return [self._vectors[np.unique(self._tokens(self._captions[page_id]))] for page_id in page_ids]

    async def encode_query(self, query: str) -> Vectors:
        found: Vectors = self._model.embedding[self._tokens(query)]
        return found

    def _tokens(self, text: str) -> NDArray[np.int64]:
        return np.array(self._model.tokenizer.encode(text, add_special_tokens=False).ids, np.int64)


def build(corpus: Corpus) -> WordLlamaTokens:
    """The encoder of the captions of `corpus`."""
    return WordLlamaTokens(corpus.captions)
