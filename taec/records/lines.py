"""Files of one JSON object a line that survive being killed: appended whole, flushed to the disk, repaired when opened."""

import errno
import json
import os
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from taec.core.errors import InfrastructureError


class LineLog:
    """An append-only file of JSON lines, open for writing. `notice` says what was repaired ("" where nothing was)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notice = _repair(path) if path.exists() else ""
        self._lock = threading.Lock()
        with disk_trouble(path):
            self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def append(self, line: str) -> None:
        """Write one line and wait until the disk has it. On failure the file is as it was, and InfrastructureError says why."""
        data = line.encode() + b"\n"
        with self._lock, disk_trouble(self.path):
            before = os.fstat(self._descriptor).st_size
            try:
                _write_all(self._descriptor, data)
                os.fsync(self._descriptor)
            except BaseException:
                os.ftruncate(self._descriptor, before)
                raise

    def close(self) -> None:
        """Release the file."""
        os.close(self._descriptor)


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Line number (from 1) and bytes of every whole line; a torn last line is left out, a broken one elsewhere raises.

    Reading never changes the file, so a run may be read while it is being written.
    """
    with path.open("rb") as file:
        last = b""
        number = 0
        for number, line in enumerate(file, 1):
            if number > 1:
                yield number - 1, _checked(path, number - 1, last)
            last = line
    if number and _is_json(last):
        yield number, last


def replace_file(path: Path, lines: Iterable[str]) -> None:
    """Write a file anew: the old content stays until the new one is whole on the disk."""
    with disk_trouble(path):
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(line + "\n" for line in lines)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)


@contextmanager
def disk_trouble(path: Path) -> Iterator[None]:
    """Turns what the disk refuses into one InfrastructureError that says what to do."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        advice = (
            "free some space, then give the same command again to continue"
            if full
            else "see to the folder, then give the same command again"
        )
        raise InfrastructureError(f"{path} cannot be written: {error.strerror}. What was finished is safe; {advice}.") from error


def _repair(path: Path) -> str:
    """Cut a torn last line off, or end a whole one that lacks its line break."""
    with disk_trouble(path), path.open("r+b") as file:
        start, last = 0, b""
        for line in file:
            start += len(last)
            last = line
        if not last or (last.endswith(b"\n") and _is_json(last)):
            return ""
        if _is_json(last):
            file.seek(0, os.SEEK_END)
            file.write(b"\n")
            return ""
        file.truncate(start)
        os.fsync(file.fileno())
    return f"The last line of {path.name} was torn ({len(last):,} bytes) and has been dropped; its question will be answered again."


def _checked(path: Path, number: int, line: bytes) -> bytes:
    if not _is_json(line):
        raise InfrastructureError(f"{path}, line {number} is not JSON: the file was damaged. Restore it, or take that line out.")
    return line


def _is_json(line: bytes) -> bool:
    """Whether a line is one whole JSON object; no true beginning of one is."""
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
