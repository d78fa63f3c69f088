"""A row: one question's outcome, flat, with every counter of the protocol (specification, section 9)."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from taec.core.questions import Question
from taec.core.trajectory import Ending, ModelCall, Trajectory


class Row(BaseModel):
    """One line of `rows.jsonl`. Pages are page ids; bytes are base64 image bytes; pixels are sums over all images sent.

    `correct` is None while no judge has ruled. `covered` is None where the question has no gold pages: such a question is not
    part of coverage. A `failure` row stays in every denominator and counts as wrong.

    Tokens and US dollars are None where they are unknown: an endpoint that does not report, a price that is not configured. `cost` is
    for the answer with its requirement call; `judge_calls` and `judge_cost` are over all judgings of the row, and `batch` names the
    answers that the standing verdict was given together with. `scores` are official metrics by name, 0..1 (`taec.metrics.official`); rows
    that were made without them have none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    question_id: str
    question: str
    reference: str
    answerable: bool
    answer_format: str
    hop: str
    sources: tuple[str, ...]
    documents: tuple[str, ...]
    split: str
    gold: tuple[str, ...]
    stand_ins: tuple[str, ...]

    answer: str | None
    ending: Ending
    failure: str
    correct: bool | None
    rule: str

    covered: bool | None
    all_gold_covered: bool | None
    searches: int
    model_calls: int
    requirement_calls: int
    images: int
    context_bytes: int
    peak_call_bytes: int
    allocated_pixels: int
    sent_pixels: int
    admitted_pages: int
    distinct_pages: int
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float

    queries: tuple[str, ...]
    admitted: tuple[tuple[str, ...], ...]
    slots: tuple[str, ...]
    slot_source: str
    notices: dict[str, int]
    models: tuple[str, ...]
    code: str
    fingerprint: str

    requirement_prompt_tokens: int | None = None
    requirement_completion_tokens: int | None = None
    judge_calls: int = 0
    judge_prompt_tokens: int | None = None
    judge_completion_tokens: int | None = None
    cost: float | None = None
    judge_cost: float | None = None
    batch: str = ""
    scores: dict[str, float] = Field(default_factory=dict)

    @property
    def trouble(self) -> Literal["", "system", "judge"]:
        """Which kind of trouble this row records, if any."""
        if self.failure:
            return "system"
        return "judge" if self.correct is None else ""


def make_row(question: Question, trajectory: Trajectory, seconds: float, code: str, fingerprint: str) -> Row:
    """The unjudged row of a finished trajectory; `code` and `fingerprint` identify the code and the retriever that made it."""
    calls = trajectory.calls
    acting = [call for call in calls if call.purpose != "requirements"]
    slots = [call for call in calls if call.purpose == "requirements"]
    shown = set(trajectory.admitted)
    return Row(
        question_id=question.id,
        question=question.text,
        reference=question.references[0],
        answerable=question.answerable,
        answer_format=question.answer_format,
        hop=question.hop,
        sources=question.sources,
        documents=question.documents,
        split=question.split,
        gold=tuple(sorted(question.gold)),
        stand_ins=tuple(sorted(question.stand_ins)),
        answer=trajectory.answer,
        ending=trajectory.ending,
        failure=trajectory.failure,
        correct=None,
        rule="",
        covered=bool(shown & (question.gold | question.stand_ins)) if question.gold else None,
        all_gold_covered=question.gold <= shown if question.gold else None,
        searches=len(trajectory.searches),
        model_calls=len(acting),
        requirement_calls=len(slots),
        images=sum(len(call.images) for call in calls),
        context_bytes=sum(call.image_bytes for call in calls),
        peak_call_bytes=max((call.image_bytes for call in calls), default=0),
        allocated_pixels=sum(call.allocated_pixels for call in calls),
        sent_pixels=sum(call.sent_pixels for call in calls),
        admitted_pages=len(trajectory.admitted),
        distinct_pages=len(shown),
        prompt_tokens=_total([call.prompt_tokens for call in acting]),
        completion_tokens=_total([call.completion_tokens for call in acting]),
        seconds=round(seconds, 3),
        queries=tuple(search.query for search in trajectory.searches),
        admitted=tuple(search.admitted for search in trajectory.searches),
        slots=trajectory.slots,
        slot_source=trajectory.slot_source,
        notices=dict(trajectory.notices),
        models=tuple(dict.fromkeys(call.model for call in acting if call.model)),
        code=code,
        fingerprint=fingerprint,
        requirement_prompt_tokens=_total([call.prompt_tokens for call in slots]),
        requirement_completion_tokens=_total([call.completion_tokens for call in slots]),
    )


def counted_verdict(row: Row, calls: Sequence[ModelCall]) -> Row:
    """The row with the calls of one more judging counted."""
    if not calls:
        return row
    prompt = [row.judge_prompt_tokens] if row.judge_calls else []
    completion = [row.judge_completion_tokens] if row.judge_calls else []
    return row.model_copy(
        update={
            "judge_calls": row.judge_calls + len(calls),
            "judge_prompt_tokens": _total([*prompt, *(call.prompt_tokens for call in calls)]),
            "judge_completion_tokens": _total([*completion, *(call.completion_tokens for call in calls)]),
        }
    )


def _total(tokens: list[int | None]) -> int | None:
    """The sum, or None where any call went unreported: a partial sum would look like a total."""
    known = [count for count in tokens if count is not None]
    return sum(known) if known and len(known) == len(tokens) else None
