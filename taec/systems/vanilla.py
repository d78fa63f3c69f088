"""Vanilla: one retrieval with the question, its pages in one prompt, one call (paper, A.8)."""

from typing import Literal

from taec.core.chat import Message, Part
from taec.core.images import ImageRef
from taec.core.settings import Settings as Base
from taec.core.trajectory import Search
from taec.systems import prompts
from taec.systems.base import Budgets, Session
from taec.systems.bounds import USUAL_REPLY, Bounds, Course, instructions


class Settings(Base):
    """Nothing beyond the protocol's budgets."""

    name: Literal["vanilla"]


class Vanilla:
    """The single-pass system."""

    async def answer(self, session: Session) -> None:
        """See `System.answer`."""
        budgets = session.services.budgets
        hits = await session.candidates(session.question, budgets.pages)
        pages = tuple(hit.page_id for hit in hits)
        session.record_search(Search(session.question, len(hits), pages))
        parts: list[Part] = [prompts.question_line(session.question)]
        for number, page in enumerate(pages, start=1):
            parts += [prompts.PICTURE.format(number=number), ImageRef(page, budgets.fresh_pixels)]
        reply = await session.call([Message.system(prompts.VANILLA_SYSTEM), Message.user(*parts)])
        if text := reply.text.strip():
            session.trajectory.answer, session.trajectory.ending = text, "answered"
        else:
            session.trajectory.failure = "no_answer" if reply.outcome == "ok" else reply.outcome


def build(settings: Settings) -> Vanilla:
    """The system; it has no settings of its own."""
    return Vanilla()


def bounds(settings: Settings, budgets: Budgets, reply_tokens: int) -> Bounds:
    """One call with one search's pages; replies have `reply_tokens` at most."""
    text, pages = instructions(prompts.VANILLA_SYSTEM, ()), budgets.pages
    pixels = pages * budgets.fresh_pixels
    return Bounds(Course(1, pages, 0, text, 1), Course(1, pages, pixels, text, USUAL_REPLY), Course(1, pages, pixels, text, reply_tokens))
