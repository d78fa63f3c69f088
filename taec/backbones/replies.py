"""From an endpoint's completion to a reply, believing nothing: any field may be missing, of another type, or wrong.

Every reply has one outcome, the gravest thing about it; everything noticed is counted beside it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from pydantic import BaseModel, JsonValue

from taec.backbones.profile import MessageSettings, ReplySettings
from taec.backbones.recovery import looks_like_a_call, recover
from taec.core.chat import Incident, Reply, ToolCall, Usage
from taec.core.tools import Tool, ToolFault

Object = Mapping[str, JsonValue]
SHOWN = 200
"""Characters of unreadable arguments that are kept for people to read."""
GRAVITY = (
    "refusal", "content_filter", "unknown_tool", "malformed_tool_call", "truncated", "unreadable_arguments", "invalid_arguments",
    "empty_response", "unparsed_tool_call", "no_tool_call", "recovered_tool_call", "several_calls", "repaired_arguments", "repaired_id",
)  # fmt: skip
"""Outcomes, the gravest first. What a model has to be told stands before what was put right without it."""
MALFORMED = ("malformed", "function_call_filter", "unexpected_tool_call", "missing_thought_signature", "too_many_tool_calls")


@dataclass(slots=True)
class Reading:
    """A completion while it is read."""

    tools: Sequence[Tool[BaseModel]]
    replies: ReplySettings
    replayed: tuple[str, ...]
    noticed: list[Incident] = field(default_factory=list)

    def notice(self, kind: str, detail: str = "") -> None:
        self.noticed.append(Incident(kind, detail))

    @property
    def outcome(self) -> str:
        kinds = {incident.kind for incident in self.noticed}
        return next((kind for kind in GRAVITY if kind in kinds), "ok")


def read(
    completion: Object, asked_for: str, tools: Sequence[Tool[BaseModel]], wanted: bool, replies: ReplySettings, rules: MessageSettings
) -> Reply:
    """The reply in a completion of the model `asked_for`; `wanted` says whether a call was to be made."""
    reading = Reading(tools, replies, rules.replayed)
    choices = completion.get("choices")
    choice = _object(choices[0]) if isinstance(choices, list) and choices else {}
    message = _object(choice.get("message"))
    text, finish = _text(message.get("content")), str(choice.get("finish_reason") or "").lower()
    calls = _calls(message, reading)
    if not calls and text and replies.recover_calls:
        text, calls = _recovered(text, reading)
    _notice_end(reading, text, calls, finish, str(message.get("refusal") or ""), wanted)
    usage, thought = _usage(completion.get("usage"))
    if thought:
        reading.notice("thought", f"{thought} tokens")
    return Reply(
        text=text,
        calls=tuple(calls),
        model=str(completion.get("model") or asked_for),
        outcome=reading.outcome,
        usage=usage,
        incidents=tuple(reading.noticed),
        extras=_extras(message, rules.replayed),
    )


def _notice_end(reading: Reading, text: str, calls: Sequence[ToolCall], finish: str, refusal: str, wanted: bool) -> None:
    """What the end of the turn says. Whether there is a call is for the calls to say, never for the finish reason."""
    if finish == "length":
        reading.notice("truncated")
    if len(calls) > 1:
        reading.notice("several_calls", ", ".join(call.name for call in calls))
    if calls:
        return
    if refusal:
        reading.notice("refusal", refusal[:SHOWN])
    elif finish == "content_filter":
        reading.notice("content_filter")
    elif any(mark in finish for mark in MALFORMED) or finish == "error":
        reading.notice("malformed_tool_call", finish)
    elif not text:
        reading.notice("empty_response", finish)
    elif wanted and looks_like_a_call(text, [tool.name for tool in reading.tools]):
        reading.notice("unparsed_tool_call", text[:SHOWN])
    elif wanted:
        reading.notice("no_tool_call")


def _calls(message: Object, reading: Reading) -> list[ToolCall]:
    listed = message.get("tool_calls")
    found: list[ToolCall] = []
    for item in listed if isinstance(listed, list) else []:
        call, function = _object(item), _object(_object(item).get("function"))
        if not function:
            reading.notice("malformed_tool_call", "a call without a function")
            continue
        name = str(function.get("name") or "")
        identity = _identity(call.get("id"), found, reading)
        found.append(_call(identity, name, function.get("arguments"), _extras(call, reading.replayed), reading, first=not found))
    return found


def _recovered(text: str, reading: Reading) -> tuple[str, list[ToolCall]]:
    left, written = recover(text, [tool.name for tool in reading.tools])
    calls: list[ToolCall] = []
    for item in written:
        calls.append(_call(_minted(), item.name, item.arguments, {}, reading, first=not calls))
    if calls:
        reading.notice("recovered_tool_call", text[:SHOWN])
    return left, calls


def _identity(value: JsonValue, earlier: Sequence[ToolCall], reading: Reading) -> str:
    """The id as it came, however it looks: ids carry signatures and counters. Only an empty or repeated one is replaced."""
    if isinstance(value, str) and value and all(value != call.id for call in earlier):
        return value
    reading.notice("repaired_id", "repeated" if value else "empty")
    return _minted()


def _minted() -> str:
    return f"call_{uuid4().hex[:24]}"


def _call(identity: str, name: str, raw: JsonValue, extras: Object, reading: Reading, *, first: bool) -> ToolCall:
    """One call with its arguments read; only the first is carried out, so only its faults are the reply's."""
    tool = next((tool for tool in reading.tools if tool.name == name), None)
    arguments, fault, repaired = read_arguments(raw, reading.replies.max_argument_characters)
    if tool and not fault:
        unwrapped = unwrap(arguments, tool.schema())
        if isinstance(unwrapped, dict) and unwrapped != arguments:
            arguments, repaired = unwrapped, True
    if first and tool is None:
        reading.notice("unknown_tool", name[:SHOWN])
    elif first and fault:
        reading.notice("unreadable_arguments", f"{name}: {fault}: {str(raw)[:SHOWN]}")
    elif first and tool and (wrong := _wrong(tool, arguments)):
        reading.notice("invalid_arguments", wrong[:SHOWN])
    if repaired:
        reading.notice("repaired_arguments", name)
    return ToolCall(identity, name, arguments, fault, extras)


def _wrong(tool: Tool[BaseModel], arguments: dict[str, JsonValue]) -> str:
    try:
        tool.parse(arguments)
    except ToolFault as fault:
        return str(fault)
    return ""


def read_arguments(raw: JsonValue, longest: int) -> tuple[dict[str, JsonValue], str, bool]:
    """Arguments as an object, why they cannot be read, and whether they were put right: a missing text, an object instead of a
    text, or a text inside a text (vLLM's hermes parser writes those)."""
    if raw is None or raw == "":
        return {}, "", True
    if isinstance(raw, dict):
        return raw, "", True
    if not isinstance(raw, str):
        return {}, "not a JSON object", False
    if len(raw) > longest:
        return {}, f"{len(raw)} characters, {longest} at most", False
    try:
        value = _loads(raw)
        inner = _loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError) as error:
        return {}, f"not JSON: {error}", False
    return (inner, "", inner is not value) if isinstance(inner, dict) else ({}, "not a JSON object", False)


def unwrap(value: JsonValue, schema: JsonValue) -> JsonValue:
    """`value` with the parts parsed that the schema wants as an array or object and the model wrote as JSON in a text."""
    wanted = _object(schema)
    if isinstance(value, str) and wanted.get("type") in ("array", "object"):
        try:
            parsed = _loads(value)
        except (ValueError, RecursionError):
            return value
        value = parsed if isinstance(parsed, list if wanted["type"] == "array" else dict) else value
    if isinstance(value, list):
        return [unwrap(item, wanted.get("items")) for item in value]
    if isinstance(value, dict):
        properties = _object(wanted.get("properties"))
        return {name: unwrap(item, properties.get(name)) for name, item in value.items()}
    return value


def _loads(text: str) -> JsonValue:
    """JSON with line breaks allowed in texts, and without the NaN and Infinity that only Python knows."""
    value: JsonValue = json.loads(text, strict=False, parse_constant=_no_constant)
    return value


def _no_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is no JSON value")


def _usage(value: JsonValue) -> tuple[Usage | None, int]:
    """Tokens and how many of them were thinking. Where the total is above prompt and completion, thinking was left out of the latter."""
    usage = _object(value)
    prompt, completion, total = (usage.get(name) for name in ("prompt_tokens", "completion_tokens", "total_tokens"))
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return None, 0
    hidden = max(0, total - prompt - completion) if isinstance(total, int) else 0
    told = _object(usage.get("completion_tokens_details")).get("reasoning_tokens")
    return Usage(prompt, completion + hidden), max(hidden, told if isinstance(told, int) else 0)


def _text(content: JsonValue) -> str:
    """The text of a content that is a text, a list of parts, or nothing."""
    if isinstance(content, list):
        return "".join(str(_object(part).get("text") or "") if isinstance(part, dict) else str(part or "") for part in content).strip()
    return content.strip() if isinstance(content, str) else ""


def _extras(source: Object, names: Sequence[str]) -> Object:
    return {name: source[name] for name in names if source.get(name) is not None}


def _object(value: JsonValue) -> Object:
    return value if isinstance(value, dict) else {}
