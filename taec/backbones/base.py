"""What a backbone is: messages and tools go in, a reply comes out; it knows nothing else."""

import math
from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from pydantic import BaseModel, JsonValue

from taec.core.chat import Message, Reply, ToolChoice
from taec.core.tools import Tool


class Backbone(Protocol):
    """An acting model. Images in the messages are encoded; page ids, captions and gold labels never reach it."""

    async def reply(self, messages: Sequence[Message], tools: Sequence[Tool[BaseModel]], choice: ToolChoice) -> Reply:
        """One model call. A reply that is wrong in some named way is a Reply; only an unusable service raises InfrastructureError."""
        ...

    def identity(self) -> Mapping[str, JsonValue]:
        """Facts for the manifest: model id, what was sent, what kind of model this is."""
        ...

    async def close(self) -> None:
        """Release connections and threads."""
        ...


@runtime_checkable
class Served(Protocol):
    """What a backbone may say beyond the contract where a service with limits of its own stands behind it."""

    @property
    def lanes(self) -> int:
        """Keys in use: `run.concurrency` holds for each."""
        ...

    @property
    def max_images(self) -> int | None:
        """Images that one prompt may hold, None where there is no limit."""
        ...


def lanes(backbone: Backbone) -> int:
    """How many keys a backbone works with; 1 where it has none."""
    return backbone.lanes if isinstance(backbone, Served) else 1


def image_limit(backbone: Backbone) -> float:
    """Images that one prompt may hold; infinity where there is no limit."""
    limit = backbone.max_images if isinstance(backbone, Served) else None
    return math.inf if limit is None else limit
