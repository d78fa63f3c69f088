"""Where the reader stands at one call: what it was asked, what it has read and noted, and what it would answer now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from taec.backbones.reading.answers import Assessment, Limits, assess, winner
from taec.backbones.reading.evidence import Candidate, open_words, other_record
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.prompt import Prompt
from taec.backbones.reading.questions import Asked, ask
from taec.backbones.reading.summaries import Noted, noted
from taec.backbones.reading.words import squeezed

LABELS = 10
"""Labels of another record's form that are kept: enough to find its like, few enough for a summary."""


@dataclass(frozen=True, slots=True)
class Situation:
    """`sheets` are the read pictures of the prompt in its order (`prompt.pictures`); `best` is the answer so far."""

    prompt: Prompt
    asked: Asked
    sheets: tuple[Sheet, ...]
    assessment: Assessment
    notes: Noted
    best: Candidate | None
    other_form: tuple[int, tuple[str, ...]] | None
    """A form of something else that has the asked field: its sheet and labels."""

    @property
    def fresh(self) -> range:
        """Indices of the sheets that are new."""
        return range(len(self.prompt.kept), len(self.sheets))

    @property
    def missing(self) -> tuple[str, ...]:
        """Asked words that no page shows."""
        return open_words(self.asked, self.sheets)


def stand(prompt: Prompt, sheets: Sequence[Sheet], limits: Limits) -> Situation:
    """Assess a prompt whose pictures were read as `sheets`."""
    asked = ask(prompt.question)
    notes = noted([node.summary for node in prompt.nodes], limits.sure)
    assessment = assess(asked, sheets, notes.codes, bool(notes.labels), limits)
    other = other_record(asked, sheets, assessment.belonging.shares, limits.label)
    return Situation(prompt, asked, tuple(sheets), assessment, notes, _best(asked, assessment, notes, limits.sure), other)


def codes(situation: Situation) -> tuple[str, ...]:
    """Identifiers of the subject, from notes, the question or its anchor page."""
    ties = situation.assessment.belonging
    return tuple(dict.fromkeys((*situation.notes.codes, *ties.codes)))


def form_labels(situation: Situation) -> tuple[str, ...]:
    """Labels of the form that is needed, from a form of something else seen now or earlier."""
    now = situation.other_form[1][:LABELS] if situation.other_form else ()
    return tuple(dict.fromkeys((*now, *situation.notes.labels)))[: 2 * LABELS]


def anchor_codes(situation: Situation) -> tuple[tuple[str, ...], int] | None:
    """The identifiers that a fresh anchor page gives for the subject, two at most, and that page's index."""
    ties = situation.assessment.belonging
    if ties.anchor is None or ties.anchor not in situation.fresh:
        return None
    return ties.codes[:2], ties.anchor


def _best(asked: Asked, assessment: Assessment, notes: Noted, sure: float) -> Candidate | None:
    candidates = [*assessment.candidates, *notes.candidates]
    if len(asked.options) == 2:
        candidates += _joined(asked, assessment, notes, sure)
    if any(candidate.means == "earlier" for candidate in candidates):
        candidates = [candidate for candidate in candidates if candidate.means != "blank"]
    merged: dict[str, Candidate] = {}
    for candidate in candidates:
        known = merged.get(key := squeezed(candidate.value))
        if known is None or candidate.confidence > known.confidence:
            merged[key] = candidate
    return max(merged.values(), key=lambda candidate: candidate.confidence, default=None)


def _joined(asked: Asked, assessment: Assessment, notes: Noted, sure: float) -> list[Candidate]:
    """A comparison whose two values were read at different searches."""
    parts = dict(notes.parts)
    for candidate in assessment.candidates:
        parts |= dict(candidate.gathered)
    if set(parts) != set(asked.options):
        return []
    pairs = tuple(parts.items())
    return [replace(Candidate("", sure, -1, "comparison", asked.focus), value=winner(asked, pairs), gathered=pairs)]
