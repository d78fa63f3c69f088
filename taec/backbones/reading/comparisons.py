"""Either-or questions: which of two things has more of something, or which of two the pages speak of."""

import re
from collections.abc import Sequence

from taec.backbones.reading.evidence import Candidate, holds
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.passages import Scored
from taec.backbones.reading.questions import Asked, ask
from taec.backbones.reading.values import magnitude
from taec.backbones.reading.vocabulary import COMPARATIVES
from taec.backbones.reading.words import content

_DISCOUNT = 0.8
_COMPARED = re.compile(rf"\b(?:{'|'.join(COMPARATIVES)})\s+([^:,?]+)")


def parts(asked: Asked) -> tuple[Asked, ...]:
    """The two questions behind a comparison (`which had the higher X: A or B` asks the X of A and of B), or the question itself."""
    field = _COMPARED.search(asked.text)
    if len(asked.options) != 2 or field is None or asked.wants_more is None:
        return (asked,)
    return tuple(ask(f"What was the {field.group(1).strip()} recorded for {option}?") for option in asked.options)


def winner(asked: Asked, values: Sequence[Candidate]) -> Candidate:
    """The option whose value is larger, or smaller where the question asks for less; as sure as the less sure of the two values."""
    order = sorted(values, key=lambda candidate: magnitude(candidate.value) or 0.0)
    best = order[0] if asked.wants_more is False else order[-1]
    confidence = min(candidate.confidence for candidate in values)
    return Candidate(best.case, confidence, best.sheet, "comparison", best.about, best.lines)


def chosen(asked: Asked, sheets: Sequence[Sheet], ranked: Sequence[Scored]) -> list[Candidate]:
    """Each option by the best sentence that names it."""
    found = []
    for option in asked.options:
        words = content(option)
        for scored in ranked[:20]:
            sentence = sheets[scored.sheet].sentences[scored.place]
            if words and holds(Sheet([sheets[scored.sheet].lines[line] for line in sentence.lines]), option) >= 0.8:
                found.append(Candidate(option, _DISCOUNT * scored.total, scored.sheet, "passage", asked.focus, sentence.lines))
                break
    return found
