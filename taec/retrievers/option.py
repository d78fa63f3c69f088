"""What the settings of every retriever share: names, and settings of one kind among several."""

from typing import Annotated, TypeAlias

from pydantic import StringConstraints

Name: TypeAlias = Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_]*$")]
"""The registry name; several option files may be data for one module."""


def kind(value: object) -> str | None:
    """Which of several settings a value is: a bare word, or what its `kind` says."""
    return _word(value, "kind")


def module(value: object) -> str | None:
    """Which retriever's settings a value is: what its `module` says, or its name."""
    return _word(value, "module") or _word(value, "name")


def _word(value: object, key: str) -> str | None:
    if isinstance(value, str):
        return value
    found = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
    return found if isinstance(found, str) else None
