"""Messages between a system and the acting model, independent of any provider."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Self

from pydantic import JsonValue

from taec.core.images import EncodedImage, ImageRef

Role = Literal["system", "user", "assistant", "tool"]
ToolChoice = Literal["auto", "required", "none"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as the model wrote it. `fault` says why the arguments could not be read (then `arguments` is empty).

    `extras` are a provider's own fields of the call (a thought signature), replayed untouched at the same place.
    """

    id: str
    name: str
    arguments: Mapping[str, JsonValue]
    fault: str = ""
    extras: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint reported them; thinking counts as completion, also where the endpoint leaves it out of that number."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Incident:
    """Something worth counting that happened on the way to a reply: a wait, a call repaired. `kind` groups, `detail` is for people."""

    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model answered. `outcome` is `ok` or the name of what was wrong with the reply (`empty_response`, ...).

    `failure` is set where no reply came at all: what the endpoint said. Such a call ends its question, with `outcome` as the reason.
    `extras` are a provider's own fields of the assistant message, replayed untouched.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    model: str = ""
    outcome: str = "ok"
    usage: Usage | None = None
    failure: str = ""
    incidents: tuple[Incident, ...] = ()
    extras: Mapping[str, JsonValue] = field(default_factory=dict)


Part = str | ImageRef | EncodedImage
"""Text, an image by reference (inside a system), or an encoded image (what a backbone gets)."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message. Images stand in user messages only: several providers drop or refuse them in tool messages."""

    role: Role
    parts: tuple[Part, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    extras: Mapping[str, JsonValue] = field(default_factory=dict)

    @classmethod
    def system(cls, text: str) -> Self:
        return cls("system", (text,))

    @classmethod
    def user(cls, *parts: Part) -> Self:
        return cls("user", parts)

    @classmethod
    def assistant(cls, reply: Reply) -> Self:
        """The reply as it is replayed in the next prompt."""
        return cls("assistant", (reply.text,) if reply.text else (), reply.calls, extras=reply.extras)

    @classmethod
    def tool(cls, call: ToolCall, text: str) -> Self:
        """The result of `call`; every call of an assistant message is answered exactly once."""
        return cls("tool", (text,), call_id=call.id)

    @property
    def text(self) -> str:
        """The text parts, one a line."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def images(self) -> tuple[EncodedImage, ...]:
        return tuple(part for part in self.parts if isinstance(part, EncodedImage))
