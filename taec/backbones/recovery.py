"""Tool calls that a model wrote as text instead of making them: hermes tags, Kimi's section tokens, bare JSON objects."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pydantic import JsonValue

HERMES = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|\Z)", re.DOTALL)
KIMI = re.compile(
    r"<\|tool_call_begin\|>\s*(?:functions\.)?([\w.-]+?)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*(.*?)\s*(?:<\|tool_call_end\|>|\Z)",
    re.DOTALL,
)
KIMI_SECTION = re.compile(r"<\|tool_calls_section_(?:begin|end)\|>")
FENCE = re.compile(r"\A\s*```(?:json)?\s*(.*?)\s*```\s*\Z", re.DOTALL)
MARKS = ("<tool_call>", "<|tool_call", "<function=", "[TOOL_CALLS]")


@dataclass(frozen=True, slots=True)
class Written:
    """A call as text: its name and the arguments as they stood, an object or text."""

    name: str
    arguments: JsonValue


def looks_like_a_call(text: str, names: Collection[str]) -> bool:
    """Whether a text was probably meant to be a call of one of the tools."""
    if any(mark in text for mark in MARKS):
        return True
    bare = FENCE.sub(r"\1", text).strip()
    return bare.startswith(("{", "[")) and '"arguments"' in bare and any(f'"{name}"' in bare for name in names)


def recover(text: str, names: Collection[str]) -> tuple[str, list[Written]]:
    """What is left of the text, and the calls of known tools in it. One call that cannot be read leaves everything as text."""
    for pattern in (KIMI, HERMES):
        if pattern.search(text):
            calls = list(_matched(pattern, text))
            left = KIMI_SECTION.sub("", pattern.sub("", text)).strip()
            return (left, calls) if _known(calls, names) else (text, [])
    try:
        value = json.loads(FENCE.sub(r"\1", text), strict=False)
    except (ValueError, RecursionError):
        return text, []
    calls = [_written(item) for item in (value if isinstance(value, list) else [value])]
    return ("", calls) if _known(calls, names) else (text, [])


def _known(calls: list[Written], names: Collection[str]) -> bool:
    return bool(calls) and all(call.name in names for call in calls)


def _matched(pattern: re.Pattern[str], text: str) -> Iterator[Written]:
    for found in pattern.finditer(text):
        if pattern is KIMI:
            yield Written(found.group(1).rpartition(".")[2], found.group(2))
            continue
        try:
            yield _written(json.loads(found.group(1), strict=False))
        except (ValueError, RecursionError):
            yield Written("", found.group(1))


def _written(value: JsonValue) -> Written:
    if not isinstance(value, dict):
        return Written("", None)
    arguments = value.get("arguments", value.get("parameters"))
    return Written(str(value.get("name", "")) if arguments is not None else "", arguments)
