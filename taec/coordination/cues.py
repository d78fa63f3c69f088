"""What a summary says of its own success, read from keyword cues (specification, section 2; paper, appendix A.1)."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from taec.coordination.text import CJK, is_cjk, sentences

Failure = Literal["", "no_result", "partial", "unclear"]


@dataclass(frozen=True, slots=True)
class Cues:
    """Phrases that mark a summary, English and Chinese in one list each, and the words that negate them."""

    no_result: tuple[str, ...]
    partial: tuple[str, ...]
    unclear: tuple[str, ...]
    confidence: tuple[str, ...]
    negations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One summary read by cues.

    `failure` is the kind of its failure cue ("" where it has none), `sentence` the first sentence that carries a confidence
    cue ("" unless `confident`), and `has_number` says that a number is stated anywhere in it, other than the number of a
    page, picture, figure or table and the digits inside a name ("F172").
    """

    failure: Failure
    confident: bool
    sentence: str
    has_number: bool


_LETTER = rf"[^\W{CJK}]"
_CLAUSE = re.compile(r"[,;:，；：()（）—–]|\b(?:but|however|although|though|whereas|while|yet)\b|但是?|然而|不过")
_JOINED = re.compile(r"\b(?:and|or)\b|并且|而且|或者?")
_REFERENCE = r"(?:pages?|pictures?|images?|figures?|figs?\.?|tables?|slides?|charts?|nos?\.|p\.|pp\.|[第图表页])\s*"
_NUMBER = re.compile(rf"(?P<reference>{_REFERENCE})?(?<![A-Za-z\d])\d[\d.,]*", re.IGNORECASE)
_NO_NEGATION_CJK = "仅但只同断少过"
_BETWEEN = r"(?:that|there|it|is|are|was|were|does|do|did|has|have|had)"


def read_summary(summary: str, cues: Cues) -> Reading:
    """Read one summary.

    Cues are matched on word boundaries in Latin text and as substrings in Chinese, case-folded, sentence by sentence, and a
    negated cue does not count: a confidence cue is negated by a negation up to three words (in Chinese two characters) before
    it in its clause ("not clearly stated", 不清楚) or straight after it ("clearly does not", 显示没有); a failure cue only by one
    up to two words before it that no "and" or "or" parts from it ("nothing is unclear", 没有不清楚). Of several failure cues
    `partial` wins over `no_result` over `unclear`: a summary that found a part says "not mentioned" of the rest.
    """
    parts = [(sentence, sentence.casefold().replace("’", "'")) for sentence in sentences(summary)]
    failures: tuple[tuple[Failure, tuple[str, ...]], ...] = (
        ("partial", cues.partial),
        ("no_result", cues.no_result),
        ("unclear", cues.unclear),
    )
    failure: Failure = next((kind for kind, words in failures if any(_fails(text, words, cues.negations) for _, text in parts)), "")
    sentence = next((original for original, text in parts if _assures(text, cues)), "")
    return Reading(failure, bool(sentence), sentence, states_number(summary))


def states_number(text: str) -> bool:
    """Whether `text` states a number that is not only a reference to a page, picture, figure or table."""
    return any(match["reference"] is None for match in _NUMBER.finditer(text))


def _fails(sentence: str, words: tuple[str, ...], negations: tuple[str, ...]) -> bool:
    before, _ = _negation(negations)
    for cue in _phrases(words).finditer(sentence):
        clause = _JOINED.split(_CLAUSE.split(sentence[: cue.start()])[-1])[-1]
        if not before(2).search(clause):
            return True
    return False


def _assures(sentence: str, cues: Cues) -> bool:
    before, after = _negation(cues.negations)
    for cue in _phrases(cues.confidence).finditer(sentence):
        ahead = _CLAUSE.split(sentence[: cue.start()])[-1]
        if not before(3).search(ahead) and not after.match(sentence[cue.end() :]):
            return True
    return False


class _Before:
    """A pattern for each number of words allowed between a negation and what it negates."""

    def __init__(self, latin: str, cjk: str) -> None:
        self._latin, self._cjk = latin, cjk

    def __call__(self, gap: int) -> re.Pattern[str]:
        return re.compile(rf"(?:{self._latin})(?:\s+[\w'%-]+){{0,{gap}}}\s*$|(?:{self._cjk})[{CJK}]{{0,2}}\s*$")
