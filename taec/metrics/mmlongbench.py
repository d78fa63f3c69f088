"""MMLongBench-Doc's rule-based score (Ma et al., 2024; `eval/eval_score.py` of its repository), without running what a model wrote.

Upstream evaluates lists with `eval`; here only literals are read, and what is none scores 0, as an error does upstream. Upstream's
oddities are part of the score and kept: an `Int` reference that is no number is never met, a float may be a hundredth or a hundred
times its reference, and a list of numbers is compared as text. What differs from upstream's pipeline is the input: there a model first
extracts a short answer from the reply (and `Not answerable` from any refusal), here the answer is scored as it was given.
"""

import ast
import re
import warnings
from collections.abc import Sequence
from math import isclose

from taec.metrics.anls import thresholded

TOLERANCE = 0.01
"""A float within this share of the reference is right."""

LONGEST = 10_000
"""Characters beyond which an answer is read as no list: the parser's memory grows with what it is given."""

_PARENTHESIS = re.compile(r"\s*\([^)]*\)")
_QUOTES = re.compile(r"^['\"]|['\"]$")
_EXACT = re.compile(
    r".*https://.*|.*\.py|.*ipynb|page.*|.*[ap]\.m\..*|\d+(-\d+|\s\d+)?|\d{4}[-\s]\d{2}([-\s]\d{2})?|[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}",
    re.DOTALL,
)
"""Links, files, pages, times, telephone numbers, dates and addresses: near is wrong."""


def score(answer: str, reference: str, answer_format: str, items: Sequence[str] = ()) -> float:
    """The score of an answer in 0..1, by the format of its reference (`Int`, `Float`, `Str`, `List`, `None`).

    `items` are those of a `List` reference. Partial scores come from ANLS, for texts and for lists of texts.
    """
    match answer_format:
        case "Int":
            return float(_whole_number(answer, reference))
        case "Float":
            return float(_number(answer, reference))
        case "List":
            return _list(answer, items or (reference,))
        case _:
            return _text(cleaned(answer), cleaned(reference))


def cleaned(text: str) -> str:
    """In small letters, without what stands in parentheses, one quote at either end, dollar signs before and percent signs after."""
    text = _PARENTHESIS.sub("", text.lower().strip()).strip()
    return _QUOTES.sub("", text).strip().lstrip("$").strip().rstrip("%").strip()


def _text(said: str, known: str) -> float:
    return float(said == known) if _EXACT.fullmatch(known) else thresholded(known, said)


def _whole_number(answer: str, reference: str) -> bool:
    """Whether both are the same whole number; what follows the point of the answer is cut off."""
    try:
        return int(reference) == int(float(answer))
    except (ValueError, OverflowError):
        return False


def _number(answer: str, reference: str) -> bool:
    """Whether the answer is the reference, a hundredth or a hundred times it, within 1 % or rounded to the shorter of both."""
    try:
        said, known = float(cleaned(answer)), float(cleaned(reference))
    except ValueError:
        return False
    return any(_near(said, value) for value in (known / 100, known, known * 100))


def _near(said: float, known: float) -> bool:
    digits = max(min(_decimals(said), _decimals(known)), 2)
    return isclose(said, known, rel_tol=TOLERANCE) or round(said, digits) == round(known, digits)


def _decimals(number: float) -> int:
    _, point, decimals = str(number).partition(".")
    return len(decimals) if point else 3


def _list(answer: str, items: Sequence[str]) -> float:
    """Both sorted: texts score as the least similar pair, numbers and whatever has to be exact all or nothing."""
    said = _read(answer)
    if said is None or len(said) != len(items):
        return 0.0
    said, known = sorted(map(cleaned, said)), sorted(map(cleaned, items))
    if _is_number(known[0]) or _EXACT.fullmatch(known[0]):
        return float("-".join(said) == "-".join(known))
    return min(thresholded(one, other) for one, other in zip(known, said, strict=True))


def _read(answer: str) -> list[str] | None:
    """The items of an answer spelt as a list; any other answer is its one item; None where a list cannot be read."""
    if not answer.startswith("["):
        return [answer]
    if len(answer) > LONGEST:
        return None
    try:
        with warnings.catch_warnings():  # of odd escapes in what a model wrote
            warnings.simplefilter("ignore")
            value = ast.literal_eval(answer)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
