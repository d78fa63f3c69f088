"""How far something is: told to whoever asked for it, shown by the command line."""

from collections.abc import Callable

Stage = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and the total."""


def untold(name: str, done: int, total: int) -> None:
    """Tells nobody how far something is."""
