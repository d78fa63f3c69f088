"""From a chat request to the messages and tools that a backbone gets, and from its reply to a completion."""

import base64
import binascii
import io
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from PIL import Image, UnidentifiedImageError
from pydantic import BaseModel, JsonValue

from taec.core.chat import Message, Part, Reply, ToolCall, ToolChoice
from taec.core.images import EncodedImage
from taec.core.tools import Tool
from taec.serving.requests import ChatRequest, ContentPart, NamedChoice, WireCall, WireMessage

LARGEST = 50_000_000
"""Pixels of an image: Pillow decodes lazily, and a small file may claim to be enormous."""


class RequestFault(Exception):
    """A request that cannot be served as written; its text goes back to the client."""


@dataclass(frozen=True, slots=True)
class OfferedTool(Tool[BaseModel]):
    """A tool of which only the schema is known: whoever offered it parses the calls."""

    given: dict[str, JsonValue] = field(default_factory=dict)

    def schema(self) -> dict[str, JsonValue]:
        return self.given


def messages(request: ChatRequest) -> list[Message]:
    """The messages in order. Raises RequestFault where an image or a call cannot be read."""
    return [_message(message) for message in request.messages]


def tools(request: ChatRequest) -> tuple[list[Tool[BaseModel]], ToolChoice]:
    """The tools on offer and how free the choice among them is. Raises RequestFault where the chosen one is not offered."""
    offered: list[Tool[BaseModel]] = [
        OfferedTool(tool.function.name, tool.function.description, BaseModel, tool.function.parameters) for tool in request.tools
    ]
    choice = request.tool_choice
    if not isinstance(choice, NamedChoice):
        return offered, choice
    chosen = [tool for tool in offered if tool.name == choice.function.name]
    if not chosen:
        raise RequestFault(f"tool_choice names '{choice.function.name}', which is not among the tools")
    return chosen, "required"


def completion(reply: Reply) -> dict[str, JsonValue]:
    """The reply in the form of OpenAI's chat completions. Tokens are left out: a model without tokens has none to report."""
    message: dict[str, JsonValue] = {"role": "assistant", "content": reply.text or None}
    if reply.calls:
        message["tool_calls"] = [_call(call) for call in reply.calls]
    choice: JsonValue = {"index": 0, "message": message, "finish_reason": "tool_calls" if reply.calls else "stop", "logprobs": None}
    return {
        "id": f"chatcmpl-{uuid4().hex}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": reply.model,
        "choices": [choice],
    }


def _call(call: ToolCall) -> JsonValue:
    written = json.dumps(dict(call.arguments), ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": written}}


def _message(message: WireMessage) -> Message:
    if message.role == "tool":
        return Message("tool", _parts(message.content), call_id=message.tool_call_id)
    if message.role == "assistant":
        return Message("assistant", _parts(message.content), tuple(_read_call(call) for call in message.tool_calls or ()))
    return Message("user" if message.role == "user" else "system", _parts(message.content))


def _read_call(call: WireCall) -> ToolCall:
    try:
        arguments = json.loads(call.function.arguments)
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise RequestFault(f"the arguments of the call {call.id} are not a JSON object in a text")
    return ToolCall(call.id, call.function.name, arguments)


def _parts(content: str | Sequence[ContentPart] | None) -> tuple[Part, ...]:
    if content is None:
        return ()
    if isinstance(content, str):
        return (content,) if content else ()
    return tuple(_image(part) if part.type == "image_url" else part.text for part in content)


def _image(part: ContentPart) -> EncodedImage:
    url = part.image_url.url if part.image_url else ""
    head, comma, data = url.partition(",")
    if not (comma and head.startswith("data:image/") and head.endswith(";base64")):
        raise RequestFault("an image has to be a data URL: data:image/jpeg;base64,...; nothing is fetched from elsewhere")
    try:
        raw = base64.b64decode(data, validate=True)
        with Image.open(io.BytesIO(raw)) as image:
            width, height = image.size
    except (binascii.Error, UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
        raise RequestFault(f"an image cannot be read: {error}") from None
    if width * height > LARGEST:
        raise RequestFault(f"an image has {width} x {height} pixels, {LARGEST} at most")
    return EncodedImage(raw, width, height, width * height)
