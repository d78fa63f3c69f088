"""Token vectors on disk, for late interaction: written in batches, continued after a kill, read in chunks.

<folder>/pages.json     the page ids, in collection order
<folder>/tokens.f16     float16, one row a token, page after page (`.part` while it is written)
<folder>/ends.i64       int64, for each page the number of rows up to its end; it gets its name last, so a folder that has it is complete

Half precision moves a cosine by at most 0.0005. What is read is one chunk at a time, so memory does not grow with the index; what was
read stays in the system's file cache, which all processes share.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from taec.core.errors import InfrastructureError
from taec.core.progress import Stage
from taec.retrievers.embedders.base import Vectors
from taec.retrievers.once import opened_or_built

IDS = "pages.json"
TOKENS = "tokens.f16"
ENDS = "ends.i64"
ITEM = np.dtype("<f2").itemsize
END = np.dtype("<i8").itemsize
Encode = Callable[[Sequence[str]], Sequence[Vectors]]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Pages `first` and following: all their token vectors, and `starts`, the row at which each page begins (and the end of the last)."""

    first: int
    starts: NDArray[np.int64]
    file: Path
    dimensions: int

    def read(self) -> Vectors:
        """The rows as float32. Raises InfrastructureError where the file is gone or short."""
        count = int(self.starts[-1] - self.starts[0]) * self.dimensions
        offset = int(self.starts[0]) * self.dimensions * ITEM
        try:
            rows = np.fromfile(self.file, "<f2", count, offset=offset)
        except OSError as error:
            raise InfrastructureError(f"The index {self.file} cannot be read: {error}") from error
        if len(rows) != count:
            raise InfrastructureError(f"The index {self.file} became shorter. Delete its folder: it is built anew.")
        return rows.reshape(-1, self.dimensions).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Tokens:
    """A complete index: `ends` by page, and the file of all rows."""

    file: Path
    ends: NDArray[np.int64]
    dimensions: int

    def chunks(self, rows: int) -> Iterator[Chunk]:
        """All pages in chunks of about `rows` token vectors, at least one page each."""
        starts = np.concatenate(([0], self.ends))
        cuts = [0]
        while cuts[-1] < len(self.ends):
            following = int(np.searchsorted(self.ends, starts[cuts[-1]] + rows, side="right"))
            cuts.append(max(cuts[-1] + 1, following))
        for first, last in pairwise(cuts):
            yield Chunk(first, starts[first : last + 1], self.file, self.dimensions)


def kept_tokens(folder: Path, page_ids: Sequence[str], dimensions: int, batch: int, encode: Encode, stage: Stage) -> Tokens:
    """The token vectors of `page_ids`, opened from `folder`, or encoded `batch` pages at a time and kept there.

    Of two processes one encodes and one waits. Raises InfrastructureError where the folder cannot be written, and what `encode` raises:
    then the batches before it stay, and the next call goes on after them.
    """
    return opened_or_built(
        folder,
        lambda: open_tokens(folder, page_ids, dimensions),
        lambda: _write(folder, page_ids, dimensions, batch, encode, stage),
    )


def open_tokens(folder: Path, page_ids: Sequence[str], dimensions: int) -> Tokens | None:
    """The complete index in `folder`; None unless pages, ids and ends are as many, and the rows are all there."""
    try:
        ends = np.fromfile(folder / ENDS, "<i8")
        ids = json.loads((folder / IDS).read_bytes())
        size = (folder / TOKENS).stat().st_size
    except (OSError, ValueError):
        return None
    rows = int(ends[-1]) if len(ends) else 0
    fits = ids == list(page_ids) and len(ends) == len(ids) and size == rows * dimensions * ITEM
    return Tokens(folder / TOKENS, ends, dimensions) if fits else None


def _write(folder: Path, page_ids: Sequence[str], dimensions: int, batch: int, encode: Encode, stage: Stage) -> None:
    for name in (ENDS, TOKENS):
        (folder / name).unlink(missing_ok=True)  # they did not fit
    rows_file, ends_file = folder / f"{TOKENS}.part", folder / f"{ENDS}.part"
    _begin(folder, page_ids)
    with rows_file.open("r+b") as rows, ends_file.open("r+b") as ends:
        done, end = _written(rows_file, ends_file, dimensions)
        rows.truncate(end * dimensions * ITEM)
        ends.truncate(done * END)
        rows.seek(0, os.SEEK_END)
        ends.seek(0, os.SEEK_END)
        stage("encoding pages", done, len(page_ids))
        for start in range(done, len(page_ids), batch):
            part = page_ids[start : start + batch]
            found = encode(part)
            if len(found) != len(part) or any(vectors.shape[1:] != (dimensions,) for vectors in found):
                raise InfrastructureError(f"{len(part)} pages were not encoded with {dimensions} dimensions a token each.")
            lengths = [len(vectors) for vectors in found]
            rows.write(b"".join(np.ascontiguousarray(vectors, "<f2").tobytes() for vectors in found))
            _flush(rows.fileno(), rows.flush)
            ends.write((end + np.cumsum(lengths, dtype="<i8")).astype("<i8").tobytes())
            _flush(ends.fileno(), ends.flush)
            end += sum(lengths)
            stage("encoding pages", start + len(part), len(page_ids))
    rows_file.replace(folder / TOKENS)
    ends_file.replace(folder / ENDS)


def _begin(folder: Path, page_ids: Sequence[str]) -> None:
    """Empty files, unless there are some for these very pages."""
    ids = json.dumps(list(page_ids), ensure_ascii=False).encode()
    parts = [folder / f"{name}.part" for name in (TOKENS, ENDS)]
    if (folder / IDS).exists() and (folder / IDS).read_bytes() == ids and all(part.exists() for part in parts):
        return
    (folder / IDS).write_bytes(ids)
    for part in parts:
        part.write_bytes(b"")


def _written(rows: Path, ends: Path, dimensions: int) -> tuple[int, int]:
    """Pages that are wholly there, and their last row: ends are written after the rows they speak of."""
    found = np.fromfile(ends, "<i8")
    there = found[found * dimensions * ITEM <= rows.stat().st_size]
    return len(there), int(there[-1]) if len(there) else 0


def _flush(descriptor: int, flush: Callable[[], None]) -> None:
    flush()
    os.fsync(descriptor)
