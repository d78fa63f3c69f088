"""ReAct: think, search, observe, with every observation kept in the message history (paper, A.8)."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from taec.core.chat import Message, Part
from taec.core.images import ImageRef
from taec.core.settings import Settings as Base
from taec.core.tools import Tool
from taec.core.trajectory import Search
from taec.systems import prompts
from taec.systems.base import Budgets, Session
from taec.systems.bounds import CHARACTERS_A_TOKEN, USUAL_REPLY, Bounds, Course, Usual, growing, instructions, most_calls, usual
from taec.systems.calls import AnyTool, Step, answer_anyhow, answered, first_step


class SearchArguments(BaseModel):
    """Arguments of a search."""

    query: str = Field(min_length=1, description="What to look for, in words that differ from earlier searches.")


class AnswerArguments(BaseModel):
    """Arguments of the answer."""

    response: str = Field(min_length=1, description="The final answer, as short as the question allows.")


SEARCH = Tool("search", "Search the collection once. The found pages come back as pictures with their captions.", SearchArguments)
ANSWER = Tool("answer", "Give the final answer. This ends the work on the question.", AnswerArguments)
TOOLS: tuple[AnyTool, ...] = (SEARCH, ANSWER)


class Settings(Base):
    """Values and their provenance stand in `conf/system/react.yaml`."""

    name: Literal["react"]
    visual_budget: Annotated[int, Field(ge=0)]
    caption_characters: Annotated[int, Field(ge=0)]


class React:
    """The iterative system with a growing context."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def answer(self, session: Session) -> None:
        """See `System.answer`."""
        history = [Message.system(prompts.REACT_SYSTEM), Message.user(prompts.question_line(session.question))]
        searched: set[str] = set()
        while session.calls_left:
            reply = await session.call(self._within_budget(history, session), TOOLS)
            step = first_step(reply, TOOLS)
            if not isinstance(step, Step):
                session.trajectory.notice("unusable_reply")
                history += answered(reply, str(step))
            elif isinstance(step.arguments, AnswerArguments):
                session.trajectory.answer, session.trajectory.ending = step.arguments.response, "answered"
                return
            elif isinstance(step.arguments, SearchArguments):
                query = step.arguments.query
                if (key := " ".join(query.casefold().split())) in searched:
                    session.trajectory.notice("repeated_query")
                    history += answered(reply, prompts.REPEATED_QUERY)
                    continue
                searched.add(key)
                text, pictures = await self._observe(session, query)
                history += [*answered(reply, text), *pictures]
        await answer_anyhow(session, self._within_budget(history, session), ANSWER, "response")

    async def _observe(self, session: Session, query: str) -> tuple[str, list[Message]]:
        """The text of the tool result and the message with the pictures (none where nothing was found)."""
        budgets, store = session.services.budgets, session.services.store
        hits = await session.candidates(query, budgets.pages)
        pages = tuple(hit.page_id for hit in hits)
        session.record_search(Search(query, len(hits), pages))
        if not pages:
            return prompts.FOUND_NOTHING_NEW, []
        lines = [prompts.FOUND.format(count=len(pages)) if len(pages) > 1 else prompts.FOUND_ONE]
        parts: list[Part] = []
        for number, page in enumerate(pages, start=1):
            caption = store.page(page).caption[: self._settings.caption_characters]
            lines.append(prompts.CAPTION.format(number=number, caption=caption))
            parts += [prompts.PICTURE.format(number=number), ImageRef(page, budgets.fresh_pixels)]
        return "\n".join(lines), [Message.user(*parts)]

    def _within_budget(self, history: list[Message], session: Session) -> list[Message]:
        """The history with all its images at min(300K, B / n) pixels; as it is where B is 0."""
        images = sum(isinstance(part, ImageRef) for message in history for part in message.parts)
        if not (budget := self._settings.visual_budget) or not images:
            return history
        pixels = max(1, min(session.services.budgets.fresh_pixels, budget // images))
        return [
            replace(message, parts=tuple(replace(p, pixels=pixels) if isinstance(p, ImageRef) else p for p in message.parts))
            for message in history
        ]


def build(settings: Settings) -> React:
    """The system with its settings."""
    return React(settings)


PUBLISHED = Usual(calls=5.34, images=92.8)
"""Means a question on ViDoSeek with Gemini-3.5-Flash (paper, table 6)."""


def bounds(settings: Settings, budgets: Budgets, reply_tokens: int) -> Bounds:
    """An answer at once; the published means; a new search at every call, with all earlier pages in each."""
    fixed = instructions(prompts.REACT_SYSTEM, TOOLS)
    captions = budgets.pages * settings.caption_characters / CHARACTERS_A_TOKEN
    calls = most_calls(budgets)
    in_context = [budgets.pages * min(call, budgets.model_calls) for call in range(calls)]
    pixels = [images * budgets.fresh_pixels for images in in_context]
    if settings.visual_budget:
        pixels = [min(each, settings.visual_budget) for each in pixels]
    most = growing(calls, fixed, captions + reply_tokens)
    expected = usual(PUBLISHED, fixed, captions + USUAL_REPLY, budgets.fresh_pixels)
    return Bounds(Course(1, 0, 0, fixed, 1), expected, Course(calls, sum(in_context), sum(pixels), most, calls * reply_tokens))
