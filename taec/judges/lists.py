"""Lists: every item has to be named, in any order, and nothing beside them."""

import re
from collections.abc import Sequence

from taec.judges.base import Verdict
from taec.judges.references import Reading, Reference, Span, overlaps, spans
from taec.judges.text import Text
from taec.judges.words import FUNCTION_WORDS

_SEPARATOR = re.compile(r";|\n|,(?!\d{3}(?!\d))|\.(?=\s|$)|\||•|\s-\s|/(?!\d)|(?<![^\W_])(?:and|or|as well as)(?![^\W_])|和|及|与")
_SPLITS = (re.compile(r"\s*[;\n]\s*"), re.compile(r"\s*,\s+(?:and )?\s*"), re.compile(r"\s+and\s+"))


def judge_list(items: Sequence[Reference], answer: Reading, question: Reading) -> Verdict:
    """Whether the answer names all items and no further one, and the rule that said so."""
    places = place(items, answer)
    if places is None:
        return Verdict(False, "list_missing")
    if _extra_numbers(items, places, answer, question) or _extra_parts(items, places, answer, question):
        return Verdict(False, "list_extra")
    return Verdict(True, "list")


def place(items: Sequence[Reference], answer: Reading) -> list[Span] | None:
    """A place in the answer for every item, no two overlapping; None where one is missing.

    Longer items choose first, so `Senior Manager of Marketing` alone does not also say `Manager of Marketing`.
    """
    taken: list[Span] = []
    for item in sorted(items, key=lambda item: len(item.text.words), reverse=True):
        free = [span for span in spans(item, answer) if not overlaps(span, taken)]
        if not free:
            return None
        taken.append(free[0])
    return taken


def split_items(alias: str, count: int) -> tuple[str, ...]:
    """The items of a list written as one text, () where it does not fall into `count` parts."""
    for pattern in _SPLITS:
        parts = tuple(part for part in pattern.split(alias.strip()) if part)
        if len(parts) == count:
            return parts
    return ()


def parts(answer: Text, kept_whole: Sequence[Span] = ()) -> list[Span]:
    """The answer cut at list separators that stand outside the places to keep whole."""
    cuts = [match.span() for match in _SEPARATOR.finditer(answer.canonical) if not overlaps(match.span(), kept_whole)]
    edges = [0, *(edge for cut in cuts for edge in cut), len(answer.canonical)]
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if answer.canonical[start:end].strip()]


def _extra_parts(items: Sequence[Reference], places: Sequence[Span], answer: Reading, question: Reading) -> bool:
    """Whether a part without an item is short enough to be one and says something that the question does not."""
    known = FUNCTION_WORDS | set(question.text.words)
    longest = max(len(item.text.words) for item in items)
    for part in parts(answer.text, places):
        words = [token.text for token in answer.text.tokens if overlaps((token.start, token.end), [part])]
        own = [word for word in words if word not in known and not word.isdigit()]
        if own and len(words) <= longest + 1 and not overlaps(part, places):
            return True
    return False


def _extra_numbers(items: Sequence[Reference], places: Sequence[Span], answer: Reading, question: Reading) -> bool:
    """Whether a list of nothing but numbers has a number too many that is not the question's."""
    if any(item.kind != "number" for item in items):
        return False
    asked = {one.value for one in question.quantities}
    return any(one.value not in asked and not overlaps((one.start, one.end), places) for one in answer.quantities)
