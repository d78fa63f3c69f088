"""Captions embedded without a network: WordLlama's 256 dimensions, carried in its wheel.

The files are read by the libraries that WordLlama reads them with. Its own loader looks for one of them where the wheel does not have it
and would then go to the network, and importing it takes longer than embedding a hundred pages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from taec.retrievers.base import Corpus
from taec.retrievers.embedders.base import Vectors, unit

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIMENSIONS = 256


@dataclass(frozen=True, slots=True)
class Model:
    """WordLlama `l2_supercat`: a vector for each token, shape (tokens, 256), and what makes tokens of text."""

    vectors: Vectors
    tokenizer: "Tokenizer"

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of each text."""
        return [found.ids for found in self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]


class WordLlamaEmbedder:
    """A text's vector is the mean of its tokens', as `WordLlamaInference.embed` has it to the last bit."""

    dimensions = DIMENSIONS
    batch = 512
    content = ""
    words = f"wordllama-{DIMENSIONS}"

    def __init__(self, captions: Mapping[str, str]) -> None:
        self.libraries: Mapping[str, str] = {"wordllama": version("wordllama")}
        self._captions = captions
        self._model = load()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (texts, 256); a text without tokens gives the zero vector."""
        means = np.zeros((len(texts), self.dimensions), np.float32)
        for mean, tokens in zip(means, self._model.tokens(texts), strict=True):
            if tokens:
                np.divide(self._model.vectors[tokens].sum(axis=0), len(tokens), out=mean)
        return unit(means)

    def embed_pages(self, page_ids: Sequence[str]) -> Vectors:
        return self.embed([self._captions[page_id] for page_id in page_ids])

    async def embed_query(self, query: str) -> Vectors:
        return self.embed([query])


def build(corpus: Corpus) -> WordLlamaEmbedder:
    """The embedder of the captions of `corpus`."""
    return WordLlamaEmbedder(corpus.captions)


@cache
def load() -> Model:
    """The model in WordLlama's wheel; it does not change, so one serves all."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    package = find_spec("wordllama")
    assert package is not None
    assert package.origin is not None
    folder = Path(package.origin).parent
    vectors = load_file(folder / "weights" / f"l2_supercat_{DIMENSIONS}.safetensors")["embedding.weight"]
    tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Model(vectors.astype(np.float32), tokenizer)
