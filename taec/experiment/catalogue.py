"""The configuration groups and their options, read from the folders themselves. Imports nothing heavy: `--help` needs it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from taec.core.spelling import nearest as nearest
from taec.core.spelling import suggestion as suggestion

Catalogue = Mapping[str, tuple[str, ...]]
"""Option names by group, both in alphabetical order."""


def catalogue(folders: Sequence[Path]) -> Catalogue:
    """Every group and option that the configuration folders hold together. A file `_x.yaml` holds what options share, and is none."""
    found: dict[str, set[str]] = {}
    for folder in folders:
        for group in sorted(path for path in folder.iterdir() if path.is_dir()):
            found.setdefault(group.name, set()).update(path.stem for path in group.glob("[!_]*.yaml"))
    return {group: tuple(sorted(found[group])) for group in sorted(found)}
