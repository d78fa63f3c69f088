"""Whether an override sets a key that there is, and which one was probably meant."""

from collections.abc import Iterable, Iterator, Mapping

from hydra.core.override_parser.types import Override
from pydantic import JsonValue

from taec.experiment.catalogue import nearest, suggestion
from taec.records.provenance import redacted

Node = Mapping[str, JsonValue]


def key_fault(override: Override, known: Node, groups: Iterable[str]) -> str | None:
    """What is wrong with the key of an override, given the composed configuration and the groups; None where it fits.

    `groups` are asked for beside the first names of `known`: not every group has a node of its own (`ablation`, `experiment`).
    A new key (`+key=value`) fits here: whether the option knows it is for its settings to say.
    """
    (text,), path = redacted([str(override.input_line)]), override.key_or_group.split(".")
    if override.package is not None:
        return f"{text}: '{override.key_or_group}' is no group; {suggestion(override.key_or_group, known)}"
    parent, depth = _deepest(known, path)
    exists = depth == len(path)
    if override.is_add() and exists and not isinstance(override.value(), dict | list):
        return f"{text}: the key exists; write {text.removeprefix('+')}"
    if exists or override.is_add() or override.is_force_add():
        return None
    siblings = [str(name) for name in parent] if isinstance(parent, dict) else []
    if depth == 0 and len(path) == 1:
        siblings += [group for group in groups if group not in siblings]
    return f"{text}: there is no key '{override.key_or_group}'; {_hint(path, depth, siblings, known)}"


def _deepest(known: Node, path: list[str]) -> tuple[JsonValue, int]:
    """The last node on `path` that there is, and how many of its names lead there; the parent of the last name if all do."""
    node: JsonValue = dict(known)
    for depth, name in enumerate(path):
        if isinstance(node, dict) and name in node:
            node = node[name]
        elif isinstance(node, list) and name.isdecimal() and int(name) < len(node):
            node = node[int(name)]
        else:
            return node, depth
    return node, len(path)


def _hint(path: list[str], depth: int, siblings: list[str], known: Node) -> str:
    """The nearest key: beside the wrong name, else anywhere under its last name."""
    before = "".join(f"{name}." for name in path[:depth])
    if close := nearest(path[depth], siblings):
        return f"did you mean '{'.'.join([before + close, *path[depth + 1 :]])}'? Known: {', '.join(siblings)}"
    leaves = {name.rsplit(".", 1)[-1]: name for name in _leaves(known, "")}
    if close := nearest(path[-1], leaves):
        return f"did you mean '{leaves[close]}'?"
    return f"known: {', '.join(siblings)}" if siblings else f"'{before.removesuffix('.')}' holds a single value"


def _leaves(node: Node, prefix: str) -> Iterator[str]:
    for name, value in node.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"
