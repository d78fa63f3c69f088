"""Verbs that work on run folders: which words are folders, and which of them are runs."""

from collections.abc import Sequence
from pathlib import Path

from taec.core.errors import UsageError
from taec.records.manifest import MANIFEST


def split(words: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The folders and the overrides among the words of a command line."""
    overrides = [word for word in words if "=" in word and not Path(word).exists()]
    return [Path(word).resolve() for word in words if word not in overrides], overrides


def run_folders(named: Sequence[Path], verb: str) -> list[Path]:
    """The run folders among those named, each once: `runs/*` holds comparisons too.

    Raises UsageError where one is missing, or none is a run's.
    """
    missing = [path for path in named if not path.exists()]
    folders = [path for path in dict.fromkeys(named) if (path / MANIFEST).is_file()]
    if missing or not folders:
        faults = [f"{path} is not there" for path in missing]
        raise UsageError(*faults or [f"{verb} needs run folders: python -m taec {verb} runs/*"])
    return folders
