"""The configuration groups and their options, read from the folders themselves. Imports nothing heavy: `--help` needs it."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

Catalogue = Mapping[str, tuple[str, ...]]
"""Option names by group, both in alphabetical order."""


def catalogue(folders: Sequence[Path]) -> Catalogue:
    """Every group and option that the configuration folders hold together."""
    found: dict[str, set[str]] = {}
    for folder in folders:
        for group in sorted(path for path in folder.iterdir() if path.is_dir()):
            found.setdefault(group.name, set()).update(path.stem for path in group.glob("*.yaml"))
    return {group: tuple(sorted(found[group])) for group in sorted(found)}


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was probably meant to be, letter case aside."""
    spellings = {candidate.casefold(): candidate for candidate in known}
    close = difflib.get_close_matches(name.casefold(), spellings, n=1, cutoff=0.5)
    return spellings[close[0]] if close else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """`did you mean 'x'? Known: x, y, z`, as the end of a message."""
    names = list(known)
    close = nearest(name, names)
    hint = f"did you mean '{close}'? " if close else ""
    return f"{hint}Known: {', '.join(names)}" if names else f"{hint}None is known."
