import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from taec.retrievers.embedders.base import unit
from taec.retrievers.embedders.wordllama import WordLlamaEmbedder


@pytest.fixture
def root_logger() -> Iterator[None]:
    """As it is now, also afterwards: importing the library sets it up."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture(scope="module")
def embedder() -> WordLlamaEmbedder:
    return WordLlamaEmbedder({})


def test_vectors_are_unit_and_zero_without_tokens(embedder: WordLlamaEmbedder) -> None:
    vectors = embedder.embed(["fuel pump", "", "安全"])
    assert vectors.shape == (3, embedder.dimensions)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 1], abs=1e-6)
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_a_vector_does_not_depend_on_its_batch(embedder: WordLlamaEmbedder) -> None:
    texts = ["word " * length for length in (1, 400, 7, 60, 3, 9, 1200, 2, 5, 8)]
    together = embedder.embed(texts)
    assert all(np.array_equal(vector, embedder.embed([text])[0]) for text, vector in zip(texts, together, strict=True))


@pytest.mark.usefixtures("root_logger")
def test_vectors_are_those_that_the_library_gives(embedder: WordLlamaEmbedder) -> None:
    import wordllama

    theirs = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, dim=embedder.dimensions, disable_download=True)
    texts = ["Fuel pump, 12 V", "安全", "naïve ﬁne\u00a0print", "a " * 900, "\U0001f600 <s> [PAD] \x00"]
    assert np.array_equal(embedder.embed(texts), unit(np.concatenate([theirs.embed([text]) for text in texts])))
