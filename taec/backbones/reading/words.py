"""Words as OCR gives them: splitting, stemming, and comparison that forgives misread letters and lost spaces."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from taec.backbones.reading.vocabulary import ABBREVIATIONS, FUNCTION_WORDS

_WORD = re.compile(r"\d+(?:[.,/:]\d+)+|[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]")
_CONFUSED = str.maketrans("odqilsbz", "00011582")
"""Letters that OCR takes for digits, or the other way round, in codes and serial numbers."""


def plain(text: str) -> str:
    """`text` case-folded, with compatibility forms, dashes and quotes made plain."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\u2010-\u2015\u2212]", "-", text).replace("\u2019", "'")


def split(text: str) -> list[str]:
    """Words in order, case-folded. A number with its points, commas or slashes is one word; so is each CJK character."""
    return _WORD.findall(plain(text))


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """`word` without the commonest English endings; numbers and short words stay as they are."""
    if len(word) < 4 or any(letter.isdigit() for letter in word):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending, shortest in (("ing", 6), ("ed", 5), ("es", 5), ("s", 4)):
        if word.endswith(ending) and len(word) >= shortest and not (ending == "s" and word.endswith(("ss", "us", "is"))):
            word = word[: -len(ending)]
            break
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def stems(text: str) -> list[str]:
    """Stems of all words in order."""
    return [stem(word) for word in split(text)]


def content(text: str) -> list[str]:
    """Stems of the words that carry meaning, in order, each once."""
    return list(
        dict.fromkeys(
            stem(word) for word in split(text) if word not in FUNCTION_WORDS and (len(word) > 1 or not word.isascii() or word.isdigit())
        )
    )


def squeezed(text: str) -> str:
    """Letters and digits only: what is left when OCR loses the spaces."""
    return "".join(split(text))


def code_form(word: str) -> str:
    """A code with confusable letters and digits made one: `O-32O` and `0-320` are alike."""
    return word.translate(_CONFUSED)


@lru_cache(maxsize=200_000)
def likeness(asked: str, seen: str) -> float:
    """How surely the OCR word `seen` is `asked`, 0..1. Both are stems."""
    if asked == seen:
        return 1.0
    if any(letter.isdigit() for letter in asked):
        return 0.9 if code_form(asked) == code_form(seen) else 0.0
    if ABBREVIATIONS.get(seen) == asked or ABBREVIATIONS.get(asked) == seen:
        return 0.9
    shorter, longer = sorted((asked, seen), key=len)
    if len(shorter) < 4:
        return 0.0
    if len(longer) - len(shorter) > 2:
        return 0.7 if len(asked) >= 5 and asked in seen else 0.0
    matcher = SequenceMatcher(None, asked, seen, autojunk=False)
    if matcher.real_quick_ratio() < 0.78 or matcher.quick_ratio() < 0.78:
        return 0.0
    ratio = matcher.ratio()
    return ratio * 0.95 if ratio >= (0.78 if asked[0] == seen[0] else 0.83) else 0.0


def label_likeness(asked: str, seen: str) -> float:
    """As `likeness`, for printed labels, where words are cut short (`Max`, `Gross Wt.`)."""
    shorter, longer = sorted((asked, seen), key=len)
    cut = len(shorter) >= 3 and longer.startswith(shorter) and len(longer) - len(shorter) >= 3
    return max(likeness(asked, seen), 0.75 if cut else 0.0)


def best_likeness(asked: str, vocabulary: Iterable[str]) -> float:
    """The likeness of `asked` to the nearest of `vocabulary`."""
    return max((likeness(asked, seen) for seen in vocabulary), default=0.0)
