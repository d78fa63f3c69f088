"""From composed data to a checked configuration, with every fault told in words."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from pydantic import JsonValue, ValidationError
from pydantic_core import ErrorDetails

from taec.core.errors import UsageError
from taec.core.settings import Settings
from taec.experiment import registry
from taec.experiment.catalogue import nearest, suggestion
from taec.experiment.config import Config, PlainSettings

Data = Mapping[str, JsonValue]
Node = TypeVar("Node", bound=Settings)


def check(data: Data) -> Config:
    """The configuration that `data` describes. Raises UsageError naming every fault, each with the value given and what is allowed."""
    faults: list[str] = []
    options: dict[str, Settings] = {}
    for kind in registry.KINDS:
        try:
            options[kind] = _option(kind, data.get(kind))
        except UsageError as error:
            faults.extend(error.faults)
    try:
        rest = {node: values for node, values in data.items() if node not in registry.KINDS}
        plain = validated(PlainSettings, rest, ())
    except UsageError as error:
        faults.extend(error.faults)
    if faults:
        raise UsageError(*faults)
    return Config(options, plain)


def _option(kind: str, node: JsonValue) -> Settings:
    if not isinstance(node, dict) or not isinstance(name := node.get("name"), str):
        raise UsageError(f"{kind}: no option is chosen; choose one with {kind}=<name>")
    module = node.get("module", name)
    return validated(registry.settings_class(kind, str(module)), node, (kind,))


def validated(model: type[Node], data: Data, prefix: tuple[str, ...]) -> Node:
    """`data` as settings of type `model`; `prefix` is where it stands, for messages. Raises UsageError naming every fault."""
    # JSON in strict mode: a list may become a tuple and text a path, but "3" is no number and true is no 1.
    try:
        return model.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        details = error.errors(include_url=False)
        raise UsageError(*_explained(details, data, prefix)) from None


def _explained(details: Sequence[ErrorDetails], data: Data, prefix: tuple[str, ...]) -> Iterator[str]:
    unknown = {_place(detail, data) for detail in details if detail["type"] == "extra_forbidden"}
    for detail in details:
        place = _place(detail, data)
        path = ".".join(str(part) for part in (*prefix, *place))
        if detail["type"] == "missing":
            yield f"{path}: is missing"
        elif detail["type"] == "extra_forbidden":
            *parent, name = place
            siblings = [key for key in _at(data, parent) if (*parent, key) not in unknown]
            yield f"{path}: no such key; {suggestion(str(name), siblings)}"
        else:
            yield f"{path}{_given(path, detail['input'])}: {_allowed(detail)}".removeprefix(": ")


def _place(detail: ErrorDetails, data: Data) -> tuple[str | int, ...]:
    """Where a fault is in `data`. pydantic also names, on the way, which of several settings a node was taken for."""
    if not detail["loc"]:
        return ()  # the settings as a whole
    *parents, name = detail["loc"]
    node: JsonValue = dict(data)
    found: list[str | int] = []
    for part in parents:
        if isinstance(node, list) or (isinstance(node, dict) and part in node):
            found.append(part)
            node = node[int(part)] if isinstance(node, list) else node[str(part)]
    return (*found, name)


def _at(data: Data, path: Sequence[str | int]) -> Data:
    node: JsonValue = dict(data)
    for part in path:
        node = node.get(str(part), {}) if isinstance(node, dict) else {}
    return node if isinstance(node, dict) else {}


def _given(path: str, value: object) -> str:
    """The value, unless it may be a secret that was typed in the wrong place."""
    return (
        ""
        if isinstance(value, dict | list) or "api_key" in path or "passwords" in path or "@" in str(value)
        else f"={json.dumps(value, ensure_ascii=False)}"
    )


def _allowed(detail: ErrorDetails) -> str:
    """pydantic's message, in the words of a person who typed a value."""
    if detail["type"] == "value_error":
        return detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "union_tag_invalid":
        known = re.findall("'([^']*)'", detail["ctx"]["expected_tags"])
        return f"{detail['ctx']['tag']} is none of {', '.join(known)}"
    said = re.sub(r"^\w+ should ", "must ", detail["msg"])
    if detail["type"] == "literal_error" and (close := nearest(str(detail["input"]), re.findall("'([^']*)'", detail["ctx"]["expected"]))):
        return f"{said}; did you mean '{close}'?"
    return said
