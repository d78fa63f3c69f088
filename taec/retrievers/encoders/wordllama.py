"""Captions by token without a network: WordLlama's static token vectors, a stand-in for a late-interaction model."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from taec.retrievers.base import Corpus
from taec.retrievers.embedders.base import Vectors, unit
from taec.retrievers.embedders.wordllama import DIMENSIONS, load


class WordLlamaTokens:
    """WordLlama `l2_supercat`, 256 dimensions. A token has one vector wherever it stands, so a page keeps each of its tokens once.

    The model is trained for means of its vectors, which makes rare words long: in a query they count by that length.
    """

    dimensions = DIMENSIONS
    batch = 512
    content = ""
    words = f"wordllama-tokens-{DIMENSIONS}"

    def __init__(self, captions: Mapping[str, str]) -> None:
        self.libraries: Mapping[str, str] = {"wordllama": version("wordllama")}
        self._captions = captions
        self._model = load()
        self._vectors = unit(self._model.vectors)

    def encode_pages(self, page_ids: Sequence[str]) -> Sequence[Vectors]:
        return [self._vectors[np.unique(tokens)] for tokens in self._tokens([self._captions[page_id] for page_id in page_ids])]

    async def encode_query(self, query: str) -> Vectors:
        found: Vectors = self._model.vectors[self._tokens([query])[0]]
        return found

    def _tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        return [np.array(tokens, np.int64) for tokens in self._model.tokens(texts)]  # no tokens are no indices but for their type


def build(corpus: Corpus) -> WordLlamaTokens:
    """The encoder of the captions of `corpus`."""
    return WordLlamaTokens(corpus.captions)
