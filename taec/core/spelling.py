"""The known name that a misspelt one was probably meant to be."""

import difflib
from collections.abc import Iterable


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
