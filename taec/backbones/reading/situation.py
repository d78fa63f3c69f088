"""Where the reader stands at one call: what it was asked, what it has read and noted, and what it would answer now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from taec.backbones.reading.answers import Assessment, Limits, assess
from taec.backbones.reading.comparisons import parts, winner
from taec.backbones.reading.evidence import Candidate, open_words, other_record
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.prompt import Prompt
from taec.backbones.reading.questions import Asked, ask
from taec.backbones.reading.summaries import Noted, noted
from taec.backbones.reading.values import magnitude
from taec.backbones.reading.words import squeezed

LABELS = 10
"""Labels of another record's form that are kept: enough to find its like, few enough for a summary."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One thing to find out: the question itself, or what it asks of one of two options (`case`)."""

    asked: Asked
    case: str
    assessment: Assessment
    codes: tuple[str, ...]
    """Identifiers of the subject, from notes, the question or an anchor page."""
    best: Candidate | None
    other_form: tuple[int, tuple[str, ...]] | None
    """A form of something else that has the asked field: its sheet and labels."""


@dataclass(frozen=True, slots=True)
class Situation:
    """`sheets` are the read pictures of the prompt in its order (`prompt.pictures`); `best` is the answer so far.

    `current` is the first inquiry that is still open, or the last one.
    """

    prompt: Prompt
    asked: Asked
    sheets: tuple[Sheet, ...]
    notes: Noted
    inquiries: tuple[Inquiry, ...]
    current: Inquiry
    best: Candidate | None

    @property
    def fresh(self) -> range:
        """Indices of the sheets that are new."""
        return range(len(self.prompt.kept), len(self.sheets))

    @property
    def missing(self) -> tuple[str, ...]:
        """Asked words that no page shows."""
        return open_words(self.current.asked, self.sheets)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the form that is needed, from a form of something else seen now or earlier."""
        now = self.current.other_form[1][:LABELS] if self.current.other_form else ()
        return tuple(dict.fromkeys((*now, *self.notes.labels)))[: 2 * LABELS]

    def found_on(self, sheet: int) -> float:
        """The confidence of the best finding on a sheet."""
        confidences = (
            candidate.confidence for inquiry in self.inquiries for candidate in inquiry.assessment.candidates if candidate.sheet == sheet
        )
        return max(confidences, default=0.0)


def stand(prompt: Prompt, sheets: Sequence[Sheet], limits: Limits) -> Situation:
    """Assess a prompt whose pictures were read as `sheets`."""
    asked = ask(prompt.question)
    notes = noted([node.summary for node in prompt.nodes], limits.sure)
    split = parts(asked)
    cases = asked.options if len(split) > 1 else ("",)
    inquiries = tuple(_inquire(part, case, sheets, notes, limits) for part, case in zip(split, cases, strict=True))
    current = next((one for one in inquiries if one.best is None or one.best.confidence < limits.sure), inquiries[-1])
    return Situation(prompt, asked, tuple(sheets), notes, inquiries, current, _best(asked, inquiries))


def _inquire(asked: Asked, case: str, sheets: Sequence[Sheet], notes: Noted, limits: Limits) -> Inquiry:
    known = tuple(code for who, code in notes.codes if who == case)
    found = assess(asked, sheets, known, bool(notes.labels), limits)
    candidates = tuple(replace(candidate, case=case) for candidate in found.candidates)
    if case:
        candidates = tuple(candidate for candidate in candidates if magnitude(candidate.value) is not None)
    found = replace(found, candidates=candidates)
    earlier = [candidate for candidate in notes.candidates if candidate.case == case]
    other = other_record(asked, sheets, found.belonging.shares, limits.label)
    codes = tuple(dict.fromkeys((*known, *found.belonging.codes)))
    return Inquiry(asked, case, found, codes, _surest([*candidates, *earlier]), other)


def _surest(candidates: Sequence[Candidate]) -> Candidate | None:
    """The candidate of highest confidence. What was read earlier stands against a field that looks blank now, at fewer pixels."""
    if any(candidate.means == "earlier" for candidate in candidates):
        candidates = [candidate for candidate in candidates if candidate.means != "blank"]
    merged: dict[str, Candidate] = {}
    for candidate in candidates:
        known = merged.get(key := squeezed(candidate.value))
        if known is None or candidate.confidence > known.confidence:
            merged[key] = candidate
    return max(merged.values(), key=lambda candidate: candidate.confidence, default=None)


def _best(asked: Asked, inquiries: Sequence[Inquiry]) -> Candidate | None:
    if len(inquiries) == 1:
        return inquiries[0].best
    values = [inquiry.best for inquiry in inquiries if inquiry.best is not None]
    return winner(asked, values) if len(values) == len(inquiries) else None
