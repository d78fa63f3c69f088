"""Requirements whose weights move: at every summary the acting model reports which are settled (specification, section 3).

Where they come from is the same as elsewhere: the small text model, or the question's own words. What a report changes is the agent's
matter (`taec/systems/agent/loop.py`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from taec.core.settings import Settings as BaseSettings
from taec.requirements import keywords, llm
from taec.requirements.base import Slots, SlotSource


class Settings(BaseSettings):
    """What `conf/requirements/semantic.yaml` holds; `slots` says which of the two sources names the requirements."""

    name: Literal["semantic"]
    slots: Literal["llm", "keywords"]
    llm: llm.Settings
    keywords: keywords.Settings


class Semantic(SlotSource):
    """Another source's requirements, tracked."""

    tracks_resolution = True

    def __init__(self, source: SlotSource) -> None:
        self._source = source

    async def slots(self, question: str) -> Slots:
        return await self._source.slots(question)

    def identity(self) -> Mapping[str, JsonValue]:
        return self._source.identity()

    async def close(self) -> None:
        await self._source.close()


def build(settings: Settings, cache: Path) -> Semantic:
    """The source of requirements for a run. Raises UsageError where the text model's key is missing."""
    if settings.slots == "keywords":
        return Semantic(keywords.build(settings.keywords, cache))
    return Semantic(llm.make(settings.llm, cache, "requirements.llm.model"))
