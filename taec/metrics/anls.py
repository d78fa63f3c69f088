"""ANLS, the similarity of an answer to its nearest reference (Biten et al., "Scene Text Visual Question Answering", 2019, section 5)."""

from collections.abc import Iterable

from rapidfuzz.distance import Levenshtein

THRESHOLD = 0.5
"""Similarities that are not above this count as 0: the answer is another one, not a misspelt one (the paper's tau)."""


def anls(answer: str, references: Iterable[str]) -> float:
    """The highest thresholded similarity to any reference, in 0..1, letter case and outer white space aside; no reference gives 0."""
    said = answer.strip().lower()
    return max((thresholded(known.strip().lower(), said) for known in references), default=0.0)


def thresholded(reference: str, answer: str) -> float:
    """1 less the Levenshtein distance as a share of the longer text, 0 where that is not above the threshold. Two empty texts give 1."""
    longer = max(len(reference), len(answer))
    similarity = 1 - Levenshtein.distance(reference, answer) / longer if longer else 1.0
    return similarity if similarity > THRESHOLD else 0.0
