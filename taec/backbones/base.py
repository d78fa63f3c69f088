"""What a backbone is: messages and tools go in, a reply comes out; it knows nothing else."""

from collections.abc import Mapping, Sequence
from typing import Protocol

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
