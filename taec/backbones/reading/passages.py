"""Answers from running text: sentences that speak of what is asked, and in them the value of the asked kind."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from taec.backbones.reading.evidence import Candidate, found_words, weights
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.questions import Asked
from taec.backbones.reading.values import Span, spans
from taec.backbones.reading.vocabulary import MEASURES, NUMBERS
from taec.backbones.reading.words import best_likeness, content, likeness, plain, stem, stems

_LOOKED_AT = 15
_LOOKED_AT_RARE = 60
"""Sentences searched for a value: more where values of the kind are rare enough to speak for themselves."""
_RARE = frozenset({"phone", "money", "percent", "date", "time", "duration"})
_RARITY = 0.15
"""What being the only value of a rare kind on all pages adds to a confidence; shared where there are two or three."""
_LONGEST_NAME = 8
"""Words of a name beyond which it is rather a run of capitalised text."""
_NEIGHBOUR = 0.35
"""What an asked word counts when only the sentence before or after has it."""
_PREDICATE = re.compile(r"\b(?:is|are|was|were|means|called|named|include[sd]?|including)\b[:\s]+(.{2,80}?)(?=[.;,(]|$)")


_MEASURES = frozenset(stem(word) for word in MEASURES)


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence and how much of what is asked it speaks of: 0..1 in itself, and with its neighbours."""

    sheet: int
    place: int
    own: float
    total: float


def rank(asked: Asked, sheets: Sequence[Sheet], shares: Sequence[float]) -> list[Scored]:
    """Sentences of all sheets by weighted share of the asked words, best first."""
    heavy = weights(asked.content, asked.scope, sheets)
    whole = sum(heavy.values()) or 1.0
    found = []
    for index, (sheet, share) in enumerate(zip(sheets, shares, strict=True)):
        known = found_words(asked, sheet)
        hits = [_hits(known, sentence) for sentence in sheet.sentence_stems]
        on_page = {word: 1.0 for word, matches in known.items() if matches}
        for place, own in enumerate(hits):
            near: dict[str, float] = {}
            for other in hits[max(0, place - 1) : place] + hits[place + 1 : place + 2]:
                for word, alike in other.items():
                    near[word] = max(near.get(word, 0.0), alike)
            strength = sum(heavy[word] * alike for word, alike in own.items())
            around = sum(
                heavy[word] * max(_NEIGHBOUR * near.get(word, 0.0), 0.2 * on_page.get(word, 0.0)) for word in heavy if word not in own
            )
            total = (strength + around) / whole * (0.55 + 0.45 * share)
            found.append(Scored(index, place, strength / whole, total))
    return sorted(found, key=lambda scored: -scored.total)


def from_passages(asked: Asked, sheets: Sequence[Sheet], ranked: Sequence[Scored], needed: str) -> list[Candidate]:
    """Values of the asked kind in the best sentences, best first. At least three in four words of `needed` have to be in the sentence."""
    looked_at = ranked[: _LOOKED_AT_RARE if asked.kind in _RARE else _LOOKED_AT]
    found = [
        candidate
        for scored in looked_at
        if scored.own > 0 and _speaks_of(needed, sheets[scored.sheet].sentence_stems[scored.place])
        for candidate in _values(asked, sheets[scored.sheet], scored)
    ]
    if asked.kind in _RARE and 0 < len(values := {candidate.value for candidate in found}) <= 3:
        found = [replace(candidate, confidence=candidate.confidence + _RARITY / len(values)) for candidate in found]
    return sorted(found, key=lambda candidate: -candidate.confidence)


def _values(asked: Asked, sheet: Sheet, scored: Scored) -> list[Candidate]:
    sentence = sheet.sentences[scored.place]
    if sheet.is_form and sheet.in_field(sentence):
        return []
    legible = 0.4 + 0.6 * sentence.score
    marks = _marks(asked, sentence.text)
    head = _head(asked)
    result = []
    for span in spans(asked.kind, sentence.text):
        if _asked_already(asked, span.text):
            continue
        confidence = scored.total * legible * (0.6 + 0.4 * _nearness(span, marks)) * _fitness(asked, head, span, sentence.text)
        result.append(Candidate(_tidy(span.text), confidence, scored.sheet, "passage", asked.focus or asked.kind, sentence.lines))
    if asked.kind == "name" and not result:
        for match in _PREDICATE.finditer(sentence.text):
            if not _asked_already(asked, match.group(1)):
                result.append(
                    Candidate(_tidy(match.group(1)), 0.6 * scored.total * legible, scored.sheet, "passage", asked.focus, sentence.lines)
                )
    return result


def _hits(known: Mapping[str, Mapping[str, float]], sentence: Sequence[str]) -> dict[str, float]:
    words = set(sentence)
    return {
        word: best
        for word, matches in known.items()
        if (best := max((alike for seen, alike in matches.items() if seen in words), default=0.0))
    }


def _marks(asked: Asked, text: str) -> list[int]:
    """Character positions of asked words in a sentence."""
    wanted = asked.sought
    return [
        match.start() for match in re.finditer(r"\w+", text) if any(likeness(word, stem(plain(match.group(0)))) > 0.7 for word in wanted)
    ]


def _nearness(span: Span, marks: Sequence[int]) -> float:
    """1 beside the asked words, falling with the mean distance to the three nearest of them."""
    nearest = sorted(min(abs(mark - span.start), abs(mark - span.end)) for mark in marks)[:3]
    return 1 / (1 + sum(nearest) / len(nearest) / 40) if nearest else 0.0


def _speaks_of(needed: str, sentence: Sequence[str]) -> bool:
    words = content(needed)
    return sum(best_likeness(word, sentence) >= 0.7 for word in words) >= 0.75 * len(words)


def _head(asked: Asked) -> str:
    """The noun that the answer is one of: the last word of the asked phrase before `of`."""
    parts = re.split(r"\bof\b", asked.focus)
    words = stems(parts[0])
    if words and words[-1] in _MEASURES and len(parts) > 1:
        words = stems(parts[1])
    return words[-1] if words else ""


def _fitness(asked: Asked, head: str, span: Span, text: str) -> float:
    """How well a span fits its kind: a count stands before its noun, a name beside the noun it is one of."""
    before, after = stems(text[max(0, span.start - 40) : span.start]), stems(text[span.end : span.end + 40])
    beside = any(likeness(head, word) > 0.7 for word in (*before[-3:], *after[:3])) if head else False
    if asked.kind in ("number", "name", "place"):
        inside = asked.kind != "number" and any(likeness(head, word) > 0.7 for word in stems(span.text))
        base = 1.0 if beside or inside else 0.7
        if asked.kind == "number" and not beside and re.fullmatch(r"\d|one", span.text):
            base *= 0.6
        if asked.kind != "number" and len(span.text.split()) > _LONGEST_NAME:
            base *= 0.5
        if asked.kind == "name" and len(span.text) < 3:
            base *= 0.5
        if asked.kind == "number" and re.fullmatch(r"(?:19|20)\d\d", span.text) and head != "year":
            base *= 0.5
        if asked.kind == "name" and span.start == 0:
            base *= 0.7
        return base * (0.85 if asked.kind == "name" else 1.0)
    return 0.6 if asked.kind == "date" and span.text[-4:] == span.text else 1.0


def _asked_already(asked: Asked, value: str) -> bool:
    """What the question itself says answers nothing."""
    words = content(value)
    if not words:
        return plain(value).strip() not in NUMBERS
    return sum(word in asked.content for word in words) >= 0.6 * len(words)


def _tidy(value: str) -> str:
    return re.sub(r"\s+", " ", value).strip(" ,;:")
