"""What options say by themselves, so that a comparison of different options can leave it out. Composes only where options differ."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import JsonValue

from taec.comparison.differences import Own
from taec.core.errors import TaecError
from taec.experiment.registry import KINDS, settings_class


def own_values(folders: Sequence[Path]) -> Own:
    """Looks an option up among the shipped ones and those of further configuration folders."""

    @lru_cache
    def own(group: str, option: str) -> Mapping[str, JsonValue] | None:
        from taec.experiment.compose import Composer

        composer = Composer(folders)
        if option not in composer.groups.get(group, ()):
            return None
        try:
            return composer.configuration([f"{group}={option}"]).resolved[group]
        except TaecError:
            return None

    return own


def outside_fields(group: str, module: str) -> frozenset[str]:
    """Looks the fields up in the settings of an option's module."""
    if group not in KINDS:
        return frozenset()
    try:
        return settings_class(group, module).outside_identity
    except TaecError:
        return frozenset()
