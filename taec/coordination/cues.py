"""What a summary says of its own success, read from keyword cues (specification, section 2; paper, appendix A.1)."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from taec.core.text import CJK, is_cjk, sentences

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


_CLAUSE = re.compile(r"[,;:，；：()（）—–]|\b(?:but|however|although|though|whereas|while|yet)\b|但是?|然而|不过")
_JOINED = re.compile(r"\b(?:and|or)\b|并且|而且|或者?|且")
_REFERENCE = r"(?:\b(?:pages?|pictures?|images?|figures?|figs?\.?|tables?|slides?|charts?|nos?\.|pp?\.)|[第图表页])\s*\d+(?:\s*[-–]\s*\d+)?"
_NUMBER = re.compile(rf"(?P<reference>{_REFERENCE})|(?<![^\W{CJK}])\d", re.IGNORECASE)
_AUXILIARY = r"(?:that|there|it|is|are|was|were|does|do|did|has|have|had)"
_NEVER = "(?!)"


def read_summary(summary: str, cues: Cues) -> Reading:
    """Read one summary.

    Cues are matched case-folded, on word boundaries in Latin text and as substrings in Chinese, sentence by sentence. A negated
    cue does not count. A confidence cue is negated by a negation up to three words (in Chinese two characters) before it in its
    clause ("not clearly stated", 不清楚) or right after it ("clearly does not", 显示没有); a failure cue only by one up to two
    words before it with no "and" or "or" between ("nothing is unclear", 没有不清楚). A contraction ("doesn't") is a negation
    where "not" is; "not only" and 不仅 are none.

    Of several kinds of failure `partial` wins over `no_result` over `unclear`: a summary that found a part says "not mentioned"
    of the rest.
    """
    parts = [(sentence, sentence.casefold().replace("’", "'")) for sentence in sentences(summary)]
    kinds: tuple[tuple[Failure, tuple[str, ...]], ...] = (
        ("partial", cues.partial),
        ("no_result", cues.no_result),
        ("unclear", cues.unclear),
    )
    failure: Failure = next((kind for kind, phrases in kinds if any(_fails(text, phrases, cues.negations) for _, text in parts)), "")
    sentence = next((original for original, text in parts if _assures(text, cues.confidence, cues.negations)), "")
    return Reading(failure, bool(sentence), sentence, states_number(summary))


def states_number(text: str) -> bool:
    """Whether `text` states a number that is not a mere reference to a page, picture, figure or table."""
    return any(match["reference"] is None for match in _NUMBER.finditer(text))


def _fails(sentence: str, phrases: tuple[str, ...], negations: tuple[str, ...]) -> bool:
    negated = _negation_before(negations, 2)
    return any(not negated.search(_JOINED.split(_clause_before(sentence, cue))[-1]) for cue in _any_of(phrases).finditer(sentence))


def _assures(sentence: str, phrases: tuple[str, ...], negations: tuple[str, ...]) -> bool:
    before, after = _negation_before(negations, 3), _negation_after(negations)
    return any(
        not before.search(_clause_before(sentence, cue)) and not after.match(sentence, cue.end())
        for cue in _any_of(phrases).finditer(sentence)
    )


def _clause_before(sentence: str, cue: re.Match[str]) -> str:
    return _CLAUSE.split(sentence[: cue.start()])[-1]


@lru_cache(maxsize=64)
def _any_of(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Matches any of the phrases; the end of a phrase that is no CJK character has to be the end of a word."""
    return re.compile(
        "|".join(_bounded(phrase.casefold()) for phrase in sorted(phrases, key=len, reverse=True) if phrase.strip()) or _NEVER
    )


def _bounded(phrase: str) -> str:
    words = phrase.split()
    left = "" if is_cjk(words[0][0]) else rf"(?<![^\W{CJK}])"
    right = "" if is_cjk(words[-1][-1]) else rf"(?![^\W{CJK}])"
    return left + r"\s+".join(map(re.escape, words)) + right


@lru_cache(maxsize=64)
def _negation_before(negations: tuple[str, ...], gap: int) -> re.Pattern[str]:
    """Matches a clause whose end is a negation, with at most `gap` Latin words or two CJK characters after it."""
    latin, cjk = _negation(negations)
    return re.compile(rf"{latin}(?:\s+[\w'-]+){{0,{gap}}}\s*$|{cjk}[{CJK}]{{0,2}}\s*$")


@lru_cache(maxsize=64)
def _negation_after(negations: tuple[str, ...]) -> re.Pattern[str]:
    """Matches what follows a cue where that is a negation, with only auxiliaries or two CJK characters before it."""
    latin, cjk = _negation(negations)
    return re.compile(rf"(?:\s+{_AUXILIARY})*\s+{latin}|[{CJK}]{{0,2}}{cjk}")


def _negation(negations: tuple[str, ...]) -> tuple[str, str]:
    """One pattern for the Latin and one for the CJK negations."""
    folded = [word.casefold() for word in negations if word.strip()]
    latin = [_bounded(word) for word in folded if not is_cjk(word[0])] + ([r"\b\w+n't\b"] if "not" in folded else [])
    cjk = [re.escape(word) for word in folded if is_cjk(word[0])]
    latin_pattern = rf"(?:{'|'.join(latin) or _NEVER})(?!\s+(?:only|just|merely)\b)"
    return latin_pattern, rf"(?:{'|'.join(cjk) or _NEVER})(?![仅但只同断少])"
