"""A model as judge: the paper's prompt, a verdict in a tag, and no verdict at all rather than a guessed one."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated

from pydantic import Field

from taec.backbones import openai_chat
from taec.backbones.text import TextModel
from taec.core.questions import Question
from taec.core.settings import Settings as BaseSettings
from taec.core.trajectory import ModelCall
from taec.judges.base import Judge, Verdict

PROMPT = """You are an expert evaluation system for a question answering chatbot.

You are given the following information:
- the query
- a generated answer
- a reference answer

Your task is to evaluate the correctness of the generated answer.

## Query
{query}

## Reference Answer
{reference_answer}

## Generated Answer
{generated_answer}

Your response should be formatted as following:
<judge>True or False</judge>

If the generated answer is correct, please set "judge" to True. Otherwise, please set "judge" to False.

Please note that the generated answer may contain additional information beyond the reference answer."""
"""The paper's judge prompt (appendix B), word for word; the lines are ours, since the copy at hand has none."""

PROMPT_HASH = sha256(PROMPT.encode()).hexdigest()[:16]
TAG = re.compile(r"<judge>\s*(true|false)\s*</judge>", re.IGNORECASE)


class Settings(BaseSettings):
    """What a model judge can be told. `attempts` are the calls that one verdict may take."""

    name: str
    attempts: Annotated[int, Field(ge=1, le=10)]
    model: openai_chat.Settings


class ModelJudge(Judge):
    """Asks a served model for each answer. Its trouble leaves an answer without a verdict, to be judged again, never wrong."""

    batched = True

    def __init__(self, name: str, model: TextModel, attempts: int) -> None:
        self.name = name
        self.version = PROMPT_HASH
        self.model = model.model
        self._model = model
        self._attempts = attempts

    async def judge(self, items: Sequence[tuple[Question, str]]) -> list[Verdict]:
        """One verdict an item, in order. Raises InfrastructureError where the endpoint cannot be used."""
        return [await self._verdict(question, answer) for question, answer in items]

    async def close(self) -> None:
        await self._model.close()

    async def _verdict(self, question: Question, answer: str) -> Verdict:
        prompt = PROMPT.format(query=question.text, reference_answer=question.references[0], generated_answer=answer)
        calls: list[ModelCall] = []
        for _ in range(self._attempts):
            reply, call = await self._model.ask(prompt, "judge")
            calls.append(call)
            if (correct := verdict(reply.text)) is not None:
                return Verdict(correct, f"model {reply.model}", tuple(calls))
        outcomes = ", ".join("no tag" if call.outcome == "ok" else call.outcome for call in calls)
        return Verdict(None, f"no verdict in {len(calls)} calls: {outcomes}", tuple(calls))


def verdict(text: str) -> bool | None:
    """What the tag in a judge's reply says; None where there is no tag, or several that differ."""
    said = {match.casefold() for match in TAG.findall(text)}
    return said == {"true"} if len(said) == 1 else None
