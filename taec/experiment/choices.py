"""Whether an override chooses an option that there is, and which one was probably meant."""

from collections.abc import Iterator, Sequence

from hydra.core.override_parser.types import Override

from taec.experiment.catalogue import Catalogue, nearest, suggestion


def is_choice(override: Override, groups: Catalogue) -> bool:
    """Whether the override chooses an option of a group (a mapping sets values in its node instead)."""
    return override.key_or_group in groups and not isinstance(override.value(), dict)


def repaired(override: Override, groups: Catalogue) -> tuple[str | None, list[str]]:
    """The choice as it is to be composed, the nearest option where it is wrong (None where none is near), and its faults."""
    if override.is_delete():
        return str(override.input_line), []
    group, options = override.key_or_group, groups[override.key_or_group]
    name = str(override.get_value_element_as_str())
    faults = list(_faults(override, name, options))
    known = name if name in options else nearest(name, options)
    return (None if known is None else f"{group}={known}"), faults


def _faults(override: Override, name: str, options: Sequence[str]) -> Iterator[str]:
    group, text, value = override.key_or_group, override.input_line, override.value()
    if override.package is not None:
        yield f"{text}: the place of a group is fixed; write {group}={name}"
    if override.is_add() or override.is_force_add():
        yield f"{text}: a group takes no +; write {group}={name}"
    if isinstance(value, list):
        several = ",".join(str(each) for each in value)
        yield f"{text}: {group} takes one option; for one run each write -m {group}={several}"
    elif name not in options:
        yield f"{text}: there is no such {group}; {suggestion(name, options)}"
