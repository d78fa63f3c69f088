"""Where a question's requirements (slots) come from (specification, section 3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from taec.core.trajectory import ModelCall


@dataclass(frozen=True, slots=True)
class Slots:
    """At most four keyword phrases.

    `source` says how they were made (`keywords`, `llm`, `llm (cached)`, `keywords (after llm failed)`), `calls` are the model calls
    that were made for it now.
    """

    keywords: tuple[str, ...]
    source: str
    calls: tuple[ModelCall, ...] = ()


class SlotSource(Protocol):
    """Names the pieces of information that an answer needs."""

    tracks_resolution: bool = False
    """Whether the acting model reports at every summary which requirements are settled, so that their weights move."""

    async def slots(self, question: str) -> Slots:
        """The requirements of a question. A model that fails is no error: the slots' `source` says what served instead."""
        ...

    def identity(self) -> Mapping[str, JsonValue]:
        """Facts for the manifest beyond the settings: the hash of a prompt."""
        return {}

    async def close(self) -> None:
        """Release connections."""
        return
