"""From our messages and tools to the body of a chat request, in the form that every provider accepts."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue

from taec.backbones.profile import MessageSettings, RequestSettings
from taec.core.chat import Message, ToolCall, ToolChoice
from taec.core.errors import SystemFailure
from taec.core.images import EncodedImage
from taec.core.tools import Tool

Object = dict[str, JsonValue]
NOTHING = "(no content)"
"""Stands where a text would be empty: Moonshot refuses empty texts."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What kind of request one is: providers refuse kinds of request, not single ones."""

    tools: bool
    choice: ToolChoice
    images: bool


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it is sent. `tokens` is a rough size: text characters by four, and the profile's number for each image."""

    body: bytes
    tokens: int
    shape: Shape


def compose(
    model: str,
    messages: Sequence[Message],
    tools: Sequence[Tool[BaseModel]],
    choice: ToolChoice,
    request: RequestSettings,
    rules: MessageSettings,
    image_tokens: int,
) -> Request:
    """The request for one call. Raises SystemFailure where messages break the protocol or the body is over the cap."""
    body: Object = {"model": model, "messages": list(written(messages, rules)), request.token_limit: request.max_tokens}
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if tools:
        body["tools"] = [described(tool, strict=request.strict_tools) for tool in tools]
        body["tool_choice"] = request.tool_choice.get(choice, choice)
        if request.parallel_tool_calls is not None:
            body["parallel_tool_calls"] = request.parallel_tool_calls
    body |= {name: value for name, value in (request.thinking | request.extra_body).items() if value is not None}
    data = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")
    if len(data) > rules.max_body_bytes:
        raise SystemFailure(
            "body_too_large", f"the request has {len(data)} bytes, the profile allows {rules.max_body_bytes}; it was not sent"
        )
    images = sum(len(message.images) for message in messages)
    tokens = sum(len(message.text) for message in messages) // 4 + images * image_tokens
    return Request(data, max(1, tokens), Shape(bool(tools), choice, bool(images)))


def described(tool: Tool[BaseModel], *, strict: bool) -> Object:
    """A tool as the model reads it."""
    function: Object = {"name": tool.name, "description": tool.description, "parameters": tool.schema()}
    return {"type": "function", "function": function | ({"strict": True} if strict else {})}


def written(messages: Sequence[Message], rules: MessageSettings) -> list[Object]:
    """The messages in order. Raises SystemFailure("message_protocol") where a provider would refuse or silently drop a part."""
    check(messages)
    names = {call.id: call.name for message in messages for call in message.calls}
    found: list[Object] = []
    for message in messages:
        one = _one(message, names, rules)
        if one is None:
            continue
        if rules.merge_users and found and found[-1]["role"] == one["role"] == "user":
            found[-1]["content"] = [*_parts(found[-1]["content"]), *_parts(one["content"])]
        else:
            found.append(one)
    return found


def check(messages: Sequence[Message]) -> None:
    """Images in user messages only, every call answered once and in order, nothing between a turn's calls and their results."""
    waiting: list[str] = []
    for message in messages:
        if message.images and message.role != "user":
            raise SystemFailure("message_protocol", f"an image stands in a {message.role} message")
        if message.role == "tool":
            if not waiting or waiting.pop(0) != message.call_id:
                raise SystemFailure("message_protocol", f"a result for the call '{message.call_id}', which is not the next to be answered")
        elif waiting:
            raise SystemFailure("message_protocol", f"the call '{waiting[0]}' has no result before the next message")
        waiting += [call.id for call in message.calls]
    if waiting:
        raise SystemFailure("message_protocol", f"the call '{waiting[0]}' has no result")


def _one(message: Message, names: Mapping[str, str], rules: MessageSettings) -> Object | None:
    if message.role == "assistant":
        return _assistant(message, rules)
    if message.role == "tool":
        result: Object = {"role": "tool", "tool_call_id": message.call_id, "content": message.text or NOTHING}
        return result | ({"name": names[message.call_id]} if rules.tool_names else {})
    if not message.images:
        return {"role": message.role, "content": message.text} if message.text else None
    return {"role": "user", "content": [_part(part) for part in message.parts if part]}


def _assistant(message: Message, rules: MessageSettings) -> Object | None:
    """The model's own turn with the vendor's fields where they were; without a content rather than with an empty one."""
    turn: Object = {"role": "assistant"}
    if message.text:
        turn["content"] = message.text
    if message.calls:
        turn["tool_calls"] = [_call(call, rules) for call in message.calls]
    if len(turn) == 1:
        return None
    return turn | _kept(message.extras, rules)


def _call(call: ToolCall, rules: MessageSettings) -> JsonValue:
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
    return {**_kept(call.extras, rules), "id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _kept(extras: Mapping[str, JsonValue], rules: MessageSettings) -> Object:
    return {name: value for name, value in extras.items() if name in rules.replayed}


def _parts(content: JsonValue) -> list[JsonValue]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _part(part: object) -> JsonValue:
    if isinstance(part, EncodedImage):
        return {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{base64.b64encode(part.jpeg).decode('ascii')}"}}
    return {"type": "text", "text": str(part)}
