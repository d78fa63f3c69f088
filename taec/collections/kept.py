"""Captions that cost something to make, on disk by the image and the means they were made with. They serve every collection."""

import sqlite3
from hashlib import sha256
from pathlib import Path

from taec.collections.reading import Reading

PATIENCE = 60.0
"""Seconds to wait for another process that is writing."""


class KeptCaptions:
    """An SQLite file; each caption is written when it comes, from any thread: every call is one statement."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=NORMAL")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS captions (key TEXT PRIMARY KEY, caption TEXT NOT NULL, turn INTEGER NOT NULL) WITHOUT ROWID"
        )

    def get(self, means: str, image_sha256: str) -> Reading | None:
        """The caption of a stored image by those means, None where it was not made yet."""
        row = self._connection.execute("SELECT caption, turn FROM captions WHERE key = ?", (_key(means, image_sha256),)).fetchone()
        return Reading(*row) if row else None

    def put(self, means: str, image_sha256: str, reading: Reading) -> None:
        """Keep the caption of a stored image."""
        row = (_key(means, image_sha256), reading.caption, reading.turn)
        self._connection.execute("INSERT OR REPLACE INTO captions VALUES (?, ?, ?)", row)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def _key(means: str, image_sha256: str) -> str:
    return sha256(f"{means}\n{image_sha256}".encode()).hexdigest()
