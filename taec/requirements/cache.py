"""Keywords on disk: a question asked again, by another run or another system, costs no call and has the same requirements."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

PATIENCE = 20.0
"""Seconds to wait for another process that is writing."""


class SlotCache:
    """Keywords by a text that says what they depend on. A cache that cannot be used costs calls, never a run."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, key: str) -> tuple[str, ...]:
        """The keywords kept under `key`, none where there are none."""
        try:
            with closing(self._open()) as connection:
                row = connection.execute("SELECT keywords FROM slots WHERE key = ?", (_digest(key),)).fetchone()
            return tuple(map(str, json.loads(row[0]))) if row else ()
        except (sqlite3.Error, OSError, ValueError):
            return ()

    def put(self, key: str, keywords: Sequence[str]) -> None:
        """Keep keywords; the first that were kept under a key stay."""
        try:
            with closing(self._open()) as connection, connection:
                connection.execute("INSERT OR IGNORE INTO slots VALUES (?, ?)", (_digest(key), json.dumps(list(keywords))))
        except (sqlite3.Error, OSError):
            return

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=PATIENCE)
        connection.execute("CREATE TABLE IF NOT EXISTS slots (key TEXT PRIMARY KEY, keywords TEXT NOT NULL)")
        return connection


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()
