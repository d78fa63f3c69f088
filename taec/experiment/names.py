"""What a table calls runs: by their system, and by whatever else differs where that is not enough."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from taec.experiment.config import OUTSIDE_IDENTITY, Config


def names(configs: Sequence[Config]) -> list[str]:
    """A name for each run, different ones for different runs: `taec-A`, or `react retriever=bm25` beside another `react`."""
    found = []
    for config in configs:
        alike = [other for other in configs if other.label == config.label]
        values = [dict(_scalars(other.resolved, "")) for other in alike]
        own = dict(_scalars(config.resolved, ""))
        differing = [key for key in own if any(other.get(key) != own[key] for other in values)]
        found.append(" ".join([config.label, *(f"{_as_typed(key)}={own[key]}" for key in _telling(differing))]))
    return found


def _as_typed(key: str) -> str:
    """The key of an override: an option is chosen by its group."""
    return key.removesuffix(".name") if key.count(".") == 1 else key


def _telling(differing: Sequence[str]) -> Iterator[str]:
    """The keys without those that an option's name stands for: two options of a group differ in much."""
    named = {key.removesuffix(".name") for key in differing if key.count(".") == 1 and key.endswith(".name")}
    for key in differing:
        node = key.split(".")[0]
        if node not in named or key == f"{node}.name":
            yield key


def _scalars(node: Mapping[str, JsonValue], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in node.items():
        if not prefix and name in OUTSIDE_IDENTITY:
            continue
        if isinstance(value, dict):
            yield from _scalars(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", str(value)
