"""Where a question's requirements (slots) come from (specification, section 3)."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Slots:
    """At most four keyword phrases. `source` says how they were made (`keywords`, `llm`, `keywords (after llm failed)`)."""

    keywords: tuple[str, ...]
    source: str
    calls: int = 0


class SlotSource(Protocol):
    """Names the pieces of information that an answer needs."""

    async def slots(self, question: str) -> Slots: ...
