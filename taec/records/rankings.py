"""What a retriever returned for a question: one JSON object a line of `rankings.jsonl`."""

from pydantic import BaseModel, ConfigDict

from taec.core.questions import Question


class Ranking(BaseModel):
    """Page ids best first, beside the labels that rankings are broken down by. `retriever` is the name it has in the tables.

    `scores` are measures by name, 0..1 (`taec.metrics.ranking`), empty while none is computed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    retriever: str
    question_id: str
    question: str
    pages: tuple[str, ...]
    gold: tuple[str, ...]
    stand_ins: tuple[str, ...]
    hop: str
    sources: tuple[str, ...]
    documents: tuple[str, ...]
    scores: dict[str, float] = {}


def make_ranking(retriever: str, question: Question, pages: tuple[str, ...]) -> Ranking:
    """The record of one search with a question's own words."""
    return Ranking(
        retriever=retriever,
        question_id=question.id,
        question=question.text,
        pages=pages,
        gold=tuple(sorted(question.gold)),
        stand_ins=tuple(sorted(question.stand_ins)),
        hop=question.hop,
        sources=question.sources,
        documents=question.documents,
    )
