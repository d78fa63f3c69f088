"""API keys: read from the environment, never shown, and struck out of whatever an endpoint sends back."""

import html
import json
import os
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pydantic import JsonValue

from taec.core.errors import UsageError

SHORTEST_SECRET = 8
"""Shorter keys (`EMPTY`, `none`) are placeholders of servers that want none, and striking them out would tear texts apart."""
STRUCK_OUT = "***"


class Key:
    """One key. Its text shows as the variable it came from; only `reveal` gives the secret."""

    __slots__ = ("_secret", "name")

    def __init__(self, name: str, secret: str) -> None:
        self.name = name
        self._secret = secret

    def __repr__(self) -> str:
        return f"Key({self.name})"

    def reveal(self) -> str:
        """The secret itself, for the request's header and nothing else."""
        return self._secret


NO_KEY = Key("no key", "EMPTY")
"""For servers that want none; a header is sent all the same, as vLLM's documentation does."""


def read_keys(variables: Sequence[str], setting: str = "backbone.api_key_env") -> tuple[Key, ...]:
    """The keys in the named environment variables, several in one separated by commas. Raises UsageError, which names no key."""
    found: list[Key] = []
    faults = []
    for variable in variables:
        secrets = [secret for part in os.environ.get(variable, "").split(",") if (secret := part.strip())]
        if not secrets:
            faults.append(f"The environment variable {variable} is not set. Give it the key, or name another with {setting}=NAME.")
        for number, secret in enumerate(secrets, start=1):
            name = variable if len(secrets) == 1 else f"{variable} ({number} of {len(secrets)})"
            if not (secret.isascii() and secret.isprintable()) or " " in secret:
                faults.append(f"The key in {name} holds a space, a line break or a letter that no HTTP header can carry.")
            found.append(Key(name, secret))
    if faults:
        raise UsageError(*faults)
    return tuple(found) or (NO_KEY,)


class Scrubber:
    """Strikes keys out of texts, in every spelling in which an endpoint may repeat them."""

    def __init__(self, keys: Sequence[Key]) -> None:
        secrets = sorted({key.reveal() for key in keys if len(key.reveal()) >= SHORTEST_SECRET}, key=len, reverse=True)
        self._spellings = list(dict.fromkeys(spelling for secret in secrets for spelling in _spellings(secret)))

    def text(self, text: str) -> str:
        """`text` without any key."""
        if len(text) < SHORTEST_SECRET:
            return text
        for spelling in self._spellings:
            text = text.replace(spelling, STRUCK_OUT)
        return text

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Headers by their names in lower case, without any key. Few hold one, so they are looked at all at once."""
        found = {name.lower(): value for name, value in headers.items()}
        everything = "\n".join(found.values())
        if not any(spelling in everything for spelling in self._spellings):
            return found
        return {name: self.text(value) for name, value in found.items()}

    def value(self, value: JsonValue) -> JsonValue:
        """Parsed JSON without any key in its texts and names."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(name): self.value(item) for name, item in value.items()}
        return value


def _spellings(secret: str) -> list[str]:
    escaped = json.dumps(secret)[1:-1]
    return [secret, escaped, json.dumps(escaped)[1:-1], repr(secret)[1:-1], quote(secret), quote(secret, safe=""), html.escape(secret)]
