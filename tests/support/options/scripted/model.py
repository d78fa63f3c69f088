"""A model that answers at once. SCRIPTED_HOLD=<calls>:<fifo> makes it write to the FIFO after so many calls, and never answer again."""

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, JsonValue

from taec.core.chat import Message, Reply, ToolCall, ToolChoice
from taec.core.errors import InfrastructureError
from taec.core.settings import Settings as Base
from taec.core.tools import Tool


class Settings(Base):
    name: Literal["script"]
    searches: int


class Script:
    """Searches `searches` times, summarises where it can, then answers with the number that the question asks for."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        calls, _, fifo = os.environ.get("SCRIPTED_HOLD", "").partition(":")
        self._calls_before_hold = int(calls) if calls else None
        self._fifo = fifo
        self._calls = 0

    async def reply(self, messages: Sequence[Message], tools: Sequence[Tool[BaseModel]], choice: ToolChoice) -> Reply:
        self._calls += 1
        await self._hold()
        text = "\n".join(message.text for message in messages)
        self._break(text)
        answer = _answer(text)
        names = {tool.name for tool in tools}
        searched = sum(call.name == "search" for message in messages for call in message.calls)
        if not names or "[empty]" in text:
            return Reply(text=answer, model="script-1")
        if "search" in names and searched < self._settings.searches:
            return _call("search", query=f"query {searched}")
        if "search" in names:
            return _call("answer", response=answer)
        if "summarize_and_memorize" in names and messages[-1].images:
            return _call(
                "summarize_and_memorize", summarize=f"It is clearly stated: {answer}", memorize=[{"picture": 1, "priority_score": 4}]
            )
        return _call("add_answer_node", parent_ids=["root"], answer=answer)

    def identity(self) -> Mapping[str, JsonValue]:
        return {"model": "script-1"}

    async def close(self) -> None:
        pass

    async def _hold(self) -> None:
        if self._calls_before_hold is None or self._calls <= self._calls_before_hold:
            return
        if self._calls == self._calls_before_hold + 1:
            await asyncio.to_thread(Path(self._fifo).write_text, "held")
        await asyncio.Event().wait()

    def _break(self, text: str) -> None:
        if "[raise]" in text:
            raise RuntimeError("the model broke")
        if "[down]" in text and "SCRIPTED_UP" not in os.environ:
            raise InfrastructureError("The model's service is down.")


def _answer(text: str) -> str:
    if "[empty]" in text:
        return ""
    number = re.search(r"number on page (\d+)", text)
    return "no idea" if "[wrong]" in text or number is None else number.group(1)


def _call(name: str, /, **arguments: JsonValue) -> Reply:
    return Reply(calls=(ToolCall("c1", name, arguments),), model="script-1")


def build(settings: Settings, cache: Path) -> Script:
    return Script(settings)
