"""From everything read to the best answer: which means of finding it apply to a question, and what they find."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from taec.backbones.reading.comparisons import chosen
from taec.backbones.reading.differences import asks_difference, from_difference
from taec.backbones.reading.evidence import Belonging, Candidate, belonging, from_fields, pinned
from taec.backbones.reading.headings import from_headings
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.lists import from_lists
from taec.backbones.reading.passages import Scored, from_passages, rank
from taec.backbones.reading.questions import Asked
from taec.backbones.reading.tables import from_tables
from taec.backbones.reading.vocabulary import NEGATIONS

_NEARLY = 0.95
"""The confidence of a name found in prose, at most, in parts of the confidence at which the reader answers."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Values of the reader's configuration: least label match, least anchor strength, gain of confidence in prose,
    confidence at which it answers.

    The gain makes up for paraphrase: a question rarely repeats the words of the sentence that answers it, as it does those of a form.
    """

    label: float
    anchor: float
    prose: float
    sure: float


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a set of sheets gives: candidates best first, how they belong to the question's subject, sentences by relevance."""

    candidates: tuple[Candidate, ...]
    belonging: Belonging
    ranked: tuple[Scored, ...]

    @property
    def best(self) -> Candidate | None:
        return self.candidates[0] if self.candidates else None


def assess(asked: Asked, sheets: Sequence[Sheet], known_codes: Sequence[str], on_form: bool, limits: Limits) -> Assessment:
    """Read `sheets` for an answer; `known_codes` are identifiers of the subject that earlier pages gave.

    `on_form` says that forms with the asked field were seen before: then running text is not searched for it, nor where one is seen now
    and the subject has an identifier.
    """
    ties = belonging(asked, sheets, known_codes, limits.anchor)
    ranked = rank(asked, sheets, ties.shares)
    fields = from_fields(asked, sheets, ties.shares, limits.label)
    candidates = [*fields, *from_lists(asked, sheets, ties.shares)]
    if asked.options:
        candidates += chosen(asked, sheets, ranked)
    elif not (on_form or (fields and ties.codes)):
        candidates += _read(asked, sheets, ties, ranked, limits)
    candidates.sort(key=lambda candidate: -candidate.confidence)
    return Assessment(tuple(candidates), ties, tuple(ranked[:40]))


def _read(asked: Asked, sheets: Sequence[Sheet], ties: Belonging, ranked: Sequence[Scored], limits: Limits) -> list[Candidate]:
    """What tables and running text give, for the whole question or for the two sides of a difference."""
    record = bool(ties.codes) or pinned(asked)
    needed = asked.focus if record else ""

    def values(part: Asked) -> list[Candidate]:
        order = ranked if part is asked else rank(part, sheets, ties.shares)
        prose = [_raised(candidate, asked, limits) for candidate in _prose(part, sheets, order, needed)]
        found = [_of_subject(candidate, ties) for candidate in (*from_tables(part, sheets, ties.shares, record), *prose)]
        return sorted(found, key=lambda candidate: -candidate.confidence)

    if asks_difference(asked.text):
        return from_difference(asked, values)
    return values(asked)


def _prose(asked: Asked, sheets: Sequence[Sheet], ranked: Sequence[Scored], needed: str) -> list[Candidate]:
    """Headings and running text; about one record among many (`needed`) only text that speaks of the asked thing."""
    headings = [] if needed else from_headings(asked, sheets, ranked)
    return _named(asked, [*headings, *_passages(asked, sheets, ranked, needed)])


def _of_subject(candidate: Candidate, ties: Belonging) -> Candidate:
    """Where identifiers of the subject are known, what a page of something else says counts for little."""
    return replace(candidate, confidence=candidate.confidence * ties.shares[candidate.sheet]) if ties.codes else candidate


def _raised(candidate: Candidate, asked: Asked, limits: Limits) -> Candidate:
    """Prose gains confidence, but a name found by words around it never so much that it ends the search."""
    ceiling = _NEARLY * limits.sure if asked.kind in ("name", "place", "person") else 1.0
    return replace(candidate, confidence=min(ceiling, limits.prose * candidate.confidence))


def _passages(asked: Asked, sheets: Sequence[Sheet], ranked: Sequence[Scored], needed: str) -> list[Candidate]:
    return _yes(asked, sheets, ranked) if asked.kind == "yes_no" else from_passages(asked, sheets, ranked, needed)


def _named(asked: Asked, found: list[Candidate]) -> list[Candidate]:
    """The candidates, and where several answers are wanted the best of them together."""
    found.sort(key=lambda candidate: -candidate.confidence)
    return [_several(found, asked.count), *found] if asked.count > 1 and found else found


def _several(found: Sequence[Candidate], count: int) -> Candidate:
    """The best `count` different values, those of the best one's sentence first."""
    first = found[0]
    if first.means == "heading":
        together = [candidate for candidate in found if candidate.means == "heading"]
    else:
        together = [candidate for candidate in found if candidate.lines == first.lines and candidate.sheet == first.sheet]
    values = list(dict.fromkeys(candidate.value for candidate in [*together, *found]))[:count]
    return replace(first, value="; ".join(values))


def _yes(asked: Asked, sheets: Sequence[Sheet], ranked: Sequence[Scored]) -> list[Candidate]:
    """Yes where a sentence says what is asked, No where it denies it."""
    if not ranked:
        return []
    best = ranked[0]
    sentence = sheets[best.sheet].sentences[best.place]
    words = set(sentence.text.casefold().replace("n't", " not").split())
    denied = bool(words & NEGATIONS) and not set(asked.text.casefold().split()) & NEGATIONS
    return [Candidate("No" if denied else "Yes", 0.8 * best.total, best.sheet, "passage", asked.text.rstrip(" ?"), sentence.lines)]
