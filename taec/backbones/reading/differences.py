"""Questions that take two numbers from the pages and ask how far apart they are."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from taec.backbones.reading.evidence import Candidate
from taec.backbones.reading.questions import Asked
from taec.backbones.reading.values import quantity, shown
from taec.backbones.reading.words import content, plain

_ASKS = re.compile(
    r"\b(?:by how (?:many|much)|how (?:many|much) (?:[\w ]*? )?(?:more|fewer|less|above|below|longer|higher|lower|greater|shorter)|"
    r"difference between|what is the (?:increase|decrease|change|growth))\b"
)
_BETWEEN = re.compile(r"\b(?:between|from)\s+(.+?)\s+(?:and|to)\s+([^,?]+)")
_APART = re.compile(r"\b(?:than|above|below|over|exceeds?|compared (?:to|with)|versus|vs)\b")
_DISCOUNT = 0.9


def asks_difference(text: str) -> bool:
    """The question asks how far apart two numbers are."""
    return bool(_ASKS.search(plain(text)))


def sides(text: str) -> tuple[str, str] | None:
    """The two things compared, each with the words of the question that belong to it; None where they cannot be told apart."""
    parts = _APART.split(text, maxsplit=1)
    if len(parts) == 2 and content(parts[1]):
        return parts[0], parts[1]
    if match := _BETWEEN.search(text):
        shared = text.replace(match.group(0), " ")
        return f"{shared} {match.group(1)}", f"{shared} {match.group(2)}"
    return None


def from_difference(asked: Asked, find: Callable[[Asked], Sequence[Candidate]]) -> list[Candidate]:
    """The distance between the numbers that `find` reads for either side."""
    if not asks_difference(asked.text) or (split := sides(asked.text)) is None:
        return []
    opening = asked.text[: match.start()] if (match := _ASKS.search(plain(asked.text))) else ""
    shared = set(content(split[0])) & set(content(split[1])) | set(content(opening))
    found: list[Candidate] = []
    for side in split:
        own = tuple(word for word in asked.content if word in content(side) or word in shared)
        values = [candidate for candidate in find(replace(asked, content=own)) if quantity(candidate.value) is not None]
        values = [candidate for candidate in values if all(quantity(candidate.value) != quantity(other.value) for other in found)]
        if not values:
            return []
        found.append(values[0])
    first, second = (quantity(candidate.value) or 0.0 for candidate in found)
    confidence = _DISCOUNT * min(candidate.confidence for candidate in found)
    return [Candidate(shown(abs(first - second)), confidence, found[0].sheet, "difference", asked.focus, found[0].lines)]
