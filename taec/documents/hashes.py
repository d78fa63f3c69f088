"""The sha256 of files, remembered by path, size and time of change: tens of thousands of page images are not read anew at every start."""

import hashlib
import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

FRESH = 2.0
"""Seconds: a file changed so lately may change again within the resolution of its time stamp, and is not remembered."""
PATIENCE = 20.0
"""Seconds to wait for another process that is writing."""

_TABLE = "CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, state TEXT NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID"


def sha256_of(files: Iterable[Path], memory: Path | None) -> dict[Path, str | OSError]:
    """The digest of each file in hex, or the error that reading it gave.

    `memory` is an SQLite file; one that cannot be used costs time only.
    """
    known = _recall(memory) if memory else {}
    found: dict[Path, str | OSError] = {}
    learnt: list[tuple[str, str, str]] = []
    for path in files:
        try:
            state = path.stat()
            key, stamp = str(path.absolute()), f"{state.st_size}:{state.st_mtime_ns}:{state.st_ino}"
            remembered = known.get(key)
            if remembered and remembered[0] == stamp:
                found[path] = remembered[1]
                continue
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            found[path] = error
            continue
        found[path] = digest
        if time.time() - state.st_mtime > FRESH:
            learnt.append((key, stamp, digest))
    if memory and learnt:
        _remember(memory, learnt)
    return found


def _recall(memory: Path) -> dict[str, tuple[str, str]]:
    try:
        with closing(sqlite3.connect(memory, timeout=PATIENCE)) as connection:
            connection.execute(_TABLE)
            return {path: (state, digest) for path, state, digest in connection.execute("SELECT path, state, sha256 FROM files")}
    except sqlite3.Error:
        return {}


def _remember(memory: Path, learnt: list[tuple[str, str, str]]) -> None:
    encodable = [row for row in learnt if row[0].isprintable()]
    try:
        with closing(sqlite3.connect(memory, timeout=PATIENCE)) as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", encodable)
    except sqlite3.Error:
        return
