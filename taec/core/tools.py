"""Tools that a system offers to the acting model: one definition gives the schema text, the parsing and the faults."""

import copy
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

Arguments_co = TypeVar("Arguments_co", bound=BaseModel, covariant=True)


class ToolFault(Exception):
    """A call that cannot be carried out as written; its text goes back to the model."""


@dataclass(frozen=True, slots=True)
class Tool(Generic[Arguments_co]):
    """A named tool whose arguments are a pydantic model: field descriptions are what the model reads."""

    name: str
    description: str
    arguments: type[Arguments_co]

    def schema(self) -> dict[str, JsonValue]:
        """The JSON schema of the arguments, limited to the keywords that every provider accepts."""
        full = self.arguments.model_json_schema()
        definitions = full.pop("$defs", {})
        plain = _plain(full, definitions)
        assert isinstance(plain, dict)
        return plain

    def parse(self, arguments: dict[str, JsonValue]) -> Arguments_co:
        """Validated arguments. Raises ToolFault with one line for each thing wrong."""
        try:
            return self.arguments.model_validate(arguments)
        except ValidationError as error:
            faults = (f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}" for fault in error.errors())
            raise ToolFault(f"{self.name} was not carried out. " + "; ".join(faults)) from None


_KEPT = ("type", "properties", "required", "enum", "description", "items", "minimum", "maximum")


def _plain(node: JsonValue, definitions: dict[str, JsonValue]) -> JsonValue:
    """`node` with references inlined and only `_KEPT` keywords: providers refuse `$ref`, `title`, `default`, `anyOf`."""
    if not isinstance(node, dict):
        return copy.deepcopy(node)
    if isinstance(reference := node.get("$ref"), str):
        return _plain(definitions[reference.rsplit("/", 1)[-1]], definitions)
    result: dict[str, JsonValue] = {}
    for keyword in _KEPT:
        if keyword not in node:
            continue
        value = node[keyword]
        if keyword == "properties" and isinstance(value, dict):
            result[keyword] = {name: _plain(child, definitions) for name, child in value.items()}
        else:
            result[keyword] = _plain(value, definitions)
    return result
