"""What differs between configurations: key by key as one would type them, what is common to all left out."""

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from pydantic import JsonValue

from taec.experiment.config import OUTSIDE_IDENTITY, BudgetSettings

Nodes = Mapping[str, JsonValue]
"""A resolved configuration: the values of each group under its name."""
Own = Callable[[str, str], Mapping[str, JsonValue] | None]
"""What an option of a group says by itself, given group and option; None where that is not known."""
Outside = Callable[[str, str], frozenset[str]]
"""The fields of the settings behind a group's module that say how fast or by whose leave, not what."""


class Absent(Enum):
    """The value of a key that one side does not have."""

    ABSENT = "–"


Value = JsonValue | Absent


@dataclass(frozen=True, slots=True)
class Entry:
    """A key that differs, with its value on every side."""

    key: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """What differs in one group. `options` is what each side chose in it, "" where it offers no choice. Where the choices differ,
    `hidden` keys are left out: there every side keeps to what its option says."""

    name: str
    options: tuple[str, ...]
    entries: tuple[Entry, ...]
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Differences:
    """What differs group by group, and the keys that differ without saying what is run (where, how fast, at what limit)."""

    groups: tuple[Group, ...]
    outside: tuple[str, ...] = ()

    def key(self, name: str) -> Entry | None:
        """The entry of a key."""
        return next((entry for group in self.groups for entry in group.entries if entry.key == name), None)


def differences(sides: Sequence[Nodes], own: Own, outside: Outside) -> Differences:
    """What differs between resolved configurations."""
    groups, aside = [], list[str]()
    for name in dict.fromkeys(node for side in sides for node in side):
        entries = sorted(_entries([_leaves(side[name], name) if name in side else {} for side in sides]), key=lambda each: each.key != name)
        if name in OUTSIDE_IDENTITY:
            aside += [entry.key for entry in entries if Absent.ABSENT not in entry.values]
            continue
        if not entries:
            continue
        options = tuple(_option(side.get(name)) for side in sides)
        fields = _outside_fields(name, [side.get(name) for side in sides], outside)
        aside += [entry.key for entry in entries if _is_below(entry, fields)]
        group = _group(name, options, [entry for entry in entries if not _is_below(entry, fields)], own)
        groups += [group] if group.entries else []
    return Differences(tuple(groups), tuple(dict.fromkeys(".".join(key.split(".")[:2]) for key in aside)))


def table_differences(sides: Sequence[Mapping[str, Mapping[str, JsonValue]]], known: Differences) -> Differences:
    """What differs between other facts, by group; what `known` shows with the same values is not told twice, and of different options
    only what all sides have."""
    groups = []
    for name in dict.fromkeys(node for side in sides for node in side):
        entries = _entries([_leaves(dict(side.get(name, {})), name) for side in sides])
        partial = any(group.name == name and len(set(group.options)) > 1 for group in known.groups)
        fresh = tuple(each for each in entries if not _is_told(each, known) and not (partial and Absent.ABSENT in each.values))
        groups += [Group(name, ("",) * len(sides), fresh)] if fresh else []
    return Differences(tuple(groups))


def unified(sides: tuple[Nodes, Nodes], names: tuple[str, str]) -> str:
    """A unified diff of two resolved configurations as YAML with sorted keys, without the nodes that say nothing of what is run."""
    from yaml import safe_dump

    kept = [{name: node for name, node in side.items() if name not in OUTSIDE_IDENTITY} for side in sides]
    texts = [safe_dump(side, sort_keys=True, allow_unicode=True, width=120).splitlines() for side in kept]
    return "\n".join(difflib.unified_diff(texts[0], texts[1], names[0], names[1], lineterm=""))


def written(value: Value, base: Value = Absent.ABSENT) -> str:
    """A value as one would type it. A long list is told by what it has more and less than the list of the base."""
    if isinstance(value, Absent):
        return value.value
    if isinstance(value, list) and isinstance(base, list) and value != base and len(value) + len(base) > 6:
        more = [f"+{written(each)}" for each in value if each not in base]
        less = [f"-{written(each)}" for each in base if each not in value]
        return f"{len(value)} items: {' '.join(more + less) or 'in another order'}"
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]" if len(value) <= 6 else f"{len(value)} items"
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def _group(name: str, options: tuple[str, ...], entries: Sequence[Entry], own: Own) -> Group:
    if len(set(options)) == 1:
        return Group(name, options, tuple(entries))
    says = [{name: option, **_leaves(dict(own(name, option) or {}), name)} for option in options]
    kept = tuple(each for each in entries if each.key == name or not _is_own(each, says))
    return Group(name, options, kept, len(entries) - len(kept))


def _is_own(entry: Entry, says: Sequence[Mapping[str, JsonValue]]) -> bool:
    """Whether every side keeps to its option's own value."""
    return all(value == said.get(entry.key, Absent.ABSENT) for value, said in zip(entry.values, says, strict=True))


def _is_told(entry: Entry, known: Differences) -> bool:
    found = known.key(entry.key)
    return found is not None and found.values == entry.values


def _outside_fields(group: str, nodes: Sequence[JsonValue], outside: Outside) -> set[str]:
    modules = {str(node.get("module", node.get("name"))) for node in nodes if isinstance(node, dict)}
    fields = BudgetSettings.outside_identity if group == "budget" else frozenset().union(*(outside(group, name) for name in modules))
    return {f"{group}.{field}" for field in fields}


def _is_below(entry: Entry, fields: set[str]) -> bool:
    return any(entry.key == field or entry.key.startswith(f"{field}.") for field in fields)


def _option(node: JsonValue | None) -> str:
    return str(node.get("name", "")) if isinstance(node, dict) else ""


def _entries(sides: Sequence[Mapping[str, JsonValue]]) -> Iterator[Entry]:
    for key in dict.fromkeys(key for side in sides for key in side):
        values = tuple(side.get(key, Absent.ABSENT) for side in sides)
        if any(value != values[0] for value in values[1:]):
            yield Entry(key, values)


def _leaves(node: JsonValue, prefix: str) -> dict[str, JsonValue]:
    """Every value below a node by its key; an option's name by its group, as it is chosen."""
    if not isinstance(node, dict):
        return {prefix: node}
    found: dict[str, JsonValue] = {}
    for name, value in node.items():
        key = prefix if name == "name" and "." not in prefix else f"{prefix}.{name}"
        found |= _leaves(value, key)
    return found
