"""Passwords of encrypted documents, read where the settings say; they go to the process that opens the file and nowhere else."""

import json
import os
from collections.abc import Iterable, Mapping

from taec.collections.settings import PasswordSettings
from taec.core.errors import UsageError

EVERY_OTHER = "*"


def passwords(settings: PasswordSettings, names: Iterable[str]) -> Mapping[str, str]:
    """The password of each document that has one. Raises UsageError naming variables that are not set and a file that cannot be used."""
    found = _from_file(settings) if settings.file else {}
    variables = settings.variables or {}
    faults: list[str] = []
    for name in names:
        variable = variables.get(name) or variables.get(EVERY_OTHER)
        if name in found or variable is None:
            continue
        if value := os.environ.get(variable):
            found[name] = value
        else:
            faults.append(f"collection.passwords: the environment variable {variable} is not set. Export the password under it.")
    if faults:
        raise UsageError(*dict.fromkeys(faults))
    return found


def _from_file(settings: PasswordSettings) -> dict[str, str]:
    assert settings.file is not None
    path = settings.file.expanduser()
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"collection.passwords.file={path} cannot be read: {error.strerror or error}.") from error
    except ValueError:
        # what a parser says of it may hold a part of a password
        raise UsageError(f"collection.passwords.file={path} is no JSON. It holds one object: {_FORM}.") from None
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise UsageError(f"collection.passwords.file={path} holds something else than an object of texts: {_FORM}.")
    return dict(values)


_FORM = '{"<document name>": "<password>"}'
