"""Requirements from one call of a small text model (paper, appendix A.2; specification, section 3, variant `llm`)."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from taec.backbones import openai_chat, text
from taec.backbones.text import TextModel
from taec.coordination.keywords import content_words
from taec.core.settings import Settings as BaseSettings
from taec.requirements.base import Slots, SlotSource
from taec.requirements.cache import SlotCache

PROMPT = """Extract 2-4 information slot keywords needed to answer the question.

Each keyword is a short phrase of one to four words, in the language of the question and as it would stand in a document.
Reply with a JSON list of strings and nothing else.

Question: {question}"""
"""The first line is the paper's task; the form is ours, since the paper does not give it."""

PROMPT_HASH = sha256(PROMPT.encode()).hexdigest()[:16]
FALLBACK = "keywords (after llm failed)"
LONGEST = 80
"""Characters of a keyword; what is longer is prose."""

_LIST = re.compile(r"\[.*\]", re.DOTALL)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s*")


class Settings(BaseSettings):
    """What `conf/requirements/llm.yaml` holds."""

    name: Literal["llm"]
    limit: Annotated[int, Field(ge=1, le=4, description="keyword phrases kept of a question")]
    model: openai_chat.Settings


class Llm(SlotSource):
    """Asks once a question; the answer is kept on disk by question, model and prompt."""

    def __init__(self, model: TextModel, cache: SlotCache, limit: int) -> None:
        self._model = model
        self._cache = cache
        self._limit = limit

    async def slots(self, question: str) -> Slots:
        """At most `limit` phrases. Where the model fails or says nothing usable, the question's own content words; that is not kept."""
        key = "\n".join([self._model.model, PROMPT_HASH, question])
        if known := self._cache.get(key):
            return Slots(known[: self._limit], "llm (cached)")
        reply, call = await self._model.ask(PROMPT.format(question=" ".join(question.split())), "requirements")
        found = keywords(reply.text) if not reply.failure else ()
        if not found:
            return Slots(content_words(question, self._limit), FALLBACK, (call,))
        self._cache.put(key, found)
        return Slots(found[: self._limit], "llm", (call,))

    def identity(self) -> Mapping[str, JsonValue]:
        return {"model": self._model.model, "prompt": PROMPT_HASH}

    async def close(self) -> None:
        await self._model.close()


def keywords(reply: str) -> tuple[str, ...]:
    """The keywords of a reply: a JSON list wherever it stands, else a line or a comma each; none where the reply is prose."""
    if (listed := _LIST.search(reply)) and (parsed := _parsed(listed.group())) is not None:
        found = parsed
    else:
        lines = [_BULLET.sub("", line) for line in reply.splitlines() if line.strip()]
        found = re.split(r"[,;、，；]", lines[0]) if len(lines) == 1 else lines
    cleaned = [" ".join(word.strip(" \t\"'`.").split()) for word in found]
    if any(len(word) > LONGEST for word in cleaned):
        return ()
    first: dict[str, str] = {}
    for word in cleaned:
        if word:
            first.setdefault(word.casefold(), word)
    return tuple(first.values())


def _parsed(text: str) -> list[str] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else None


def build(settings: Settings, cache: Path) -> Llm:
    """The source of requirements for a run. Raises UsageError where its key is missing."""
    return make(settings, cache, "requirements.model")


def make(settings: Settings, cache: Path, node: str) -> Llm:
    """The same under another configuration node, which faults are told under."""
    return Llm(text.build(settings.model, node), SlotCache(cache / "slots.sqlite"), settings.limit)
