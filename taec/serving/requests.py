"""A chat request as it comes over the wire."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class _Wire(BaseModel):
    """What this endpoint has no use for (temperature, token limits, vendor fields) is accepted and ignored."""

    model_config = ConfigDict(extra="ignore")


class ImageUrl(_Wire):
    """Where an image is: a data URL."""

    url: str


class ContentPart(_Wire):
    """One part of a content that is a list."""

    type: Literal["text", "image_url"]
    text: str = ""
    image_url: ImageUrl | None = None


class FunctionCall(_Wire):
    """Name and arguments of a call; arguments are JSON in a text."""

    name: str
    arguments: str


class WireCall(_Wire):
    """A tool call of an assistant message."""

    id: str = Field(min_length=1)
    function: FunctionCall


class WireMessage(_Wire):
    """One message."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[ContentPart] | None = None
    tool_calls: list[WireCall] | None = None
    tool_call_id: str = ""


class Function(_Wire):
    """A tool's name, description and argument schema."""

    name: str = Field(min_length=1)
    description: str = ""
    parameters: dict[str, JsonValue] = Field(default_factory=dict)


class WireTool(_Wire):
    """A tool that is offered."""

    type: Literal["function"]
    function: Function


class Named(_Wire):
    """The name of a function."""

    name: str


class NamedChoice(_Wire):
    """A choice of one function."""

    type: Literal["function"]
    function: Named


class ChatRequest(_Wire):
    """The body of a request for one completion."""

    model: str
    messages: list[WireMessage] = Field(min_length=1)
    tools: list[WireTool] = Field(default_factory=list)
    tool_choice: Literal["auto", "required", "none"] | NamedChoice = "auto"
    stream: Literal[False] = Field(default=False, description="streaming is not offered")
    n: Literal[1] = 1
