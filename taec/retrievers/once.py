"""An index that is on disk, or is built there once, whatever other processes want it at the same time."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

from taec.core.errors import InfrastructureError

Index = TypeVar("Index")


def opened_or_built(folder: Path, open_index: Callable[[], Index | None], build: Callable[[], None]) -> Index:
    """What `open_index` finds in `folder`, after `build` where it finds None; of two processes one builds and one waits.

    Raises InfrastructureError where the folder cannot be written or does not hold the index after it was built, and what `build` raises.
    """
    if (found := open_index()) is not None:
        return found
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_suffix(".lock")):
            if (found := open_index()) is None:
                build()
                found = open_index()
    except OSError as error:
        raise InfrastructureError(f"The index {folder} cannot be written: {error}") from error
    if found is None:
        raise InfrastructureError(f"The index {folder} does not hold every page after it was built. Delete that folder.")
    return found
