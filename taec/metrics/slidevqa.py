"""SlideVQA's exact match and F1 of answers, by its authors' normalisation (Tanaka et al., "SlideVQA", 2023; their `evaluate.py`).

Upstream's script cannot run as it stands; this follows its functions for answers. Its oddities are part of the metric and kept: the unit
that follows `how many` or `which` is taken out of answers wherever its letters stand, but only where the question spells that in small
letters, and `and` is replaced inside of words too.
"""

import re
import string
from collections import Counter

REPLACEMENTS = (
    ("this is ", ""), ("it is ", ""), ("&", ","), ("and", ","), ("percent", ""), ("organisation", "organization"), ("because of", ""),
    ("because", ""), ("due to", ""), ("hours", "hrs"), ("minites", "min"),
)  # fmt: skip
"""Applied in this order; `minites` is upstream's spelling."""

NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_DIGITS = {word: str(value) for value, word in enumerate(NUMBERS)}
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def exact_match(question: str, answer: str, reference: str) -> float:
    """1 where both have the same normalised words in the same order, and any at all; else 0."""
    said, known = words(answer, question), words(reference, question)
    return float(bool(said) and said == known)


def f1(question: str, answer: str, reference: str) -> float:
    """The harmonic mean of precision and recall over normalised words, repeats counted, in 0..1."""
    said, known = Counter(words(answer, question)), Counter(words(reference, question))
    shared = (said & known).total()
    return 2 * shared / (said.total() + known.total()) if shared else 0.0


def words(text: str, question: str) -> list[str]:
    """The normalised words of an answer or reference to `question`."""
    text = text.lower()
    for written, meant in REPLACEMENTS:
        text = text.replace(written, meant)
    for asking in ("how many", "which"):
        text = text.replace(_unit(question, asking), "")
    text = _ARTICLES.sub(" ", text.translate(_NO_PUNCTUATION))
    if text.startswith(("yes", "no")):
        text = text.split()[0]
    return [_DIGITS.get(word, word) for word in text.split()]


def _unit(question: str, asking: str) -> str:
    """The word after the first `asking` in the question; "" where there is none, so that nothing is replaced."""
    _, _, after = question.partition(asking)
    return after.split()[0] if after.split() else ""
