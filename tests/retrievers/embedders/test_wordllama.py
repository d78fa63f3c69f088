import logging

import numpy as np
import pytest

from taec.retrievers.embedders.wordllama import WordLlamaEmbedder


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


def test_the_root_logger_is_left_as_it_was(embedder: WordLlamaEmbedder) -> None:
    root = logging.getLogger()
    before = (list(root.handlers), root.level)
    WordLlamaEmbedder({})
    assert (list(root.handlers), root.level) == before
