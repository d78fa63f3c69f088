"""Unit vectors on disk: written in batches, continued after a kill, opened by memory mapping.

<folder>/pages.json     the page ids, in collection order
<folder>/vectors.part   what is being written
<folder>/vectors.npy    float32, one row a page in that order; it gets its name last, so a folder that has it is complete

Every process that opens an index maps the same pages of memory, and opening reads nothing but the header.
"""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import numpy as np

from taec.core.errors import InfrastructureError
from taec.core.progress import Stage
from taec.retrievers.embedders.base import Vectors
from taec.retrievers.once import opened_or_built

IDS = "pages.json"
PARTIAL = "vectors.part"
COMPLETE = "vectors.npy"
Embed = Callable[[Sequence[str]], Vectors]


def kept_vectors(folder: Path, page_ids: Sequence[str], dimensions: int, batch: int, embed: Embed, stage: Stage) -> Vectors:
    """The vectors of `page_ids`, opened from `folder`, or embedded `batch` pages at a time and kept there.

    Of two processes one embeds and one waits. Raises InfrastructureError where the folder cannot be written, and what `embed` raises:
    then the batches before it stay, and the next call goes on after them.
    """
    if not page_ids:
        return np.zeros((0, dimensions), np.float32)
    return opened_or_built(
        folder,
        lambda: open_vectors(folder, page_ids, dimensions),
        lambda: _write(folder, page_ids, dimensions, batch, embed, stage),
    )


def open_vectors(folder: Path, page_ids: Sequence[str], dimensions: int) -> Vectors | None:
    """The complete vectors in `folder` by memory mapping; None unless there are as many pages as vectors as ids, and the same ids."""
    try:
        vectors = np.load(folder / COMPLETE, mmap_mode="r")
        ids = json.loads((folder / IDS).read_bytes())
    except (OSError, ValueError):
        return None
    fits = vectors.shape == (len(ids), dimensions) and vectors.dtype == np.float32 and ids == list(page_ids)
    return np.asarray(vectors) if fits else None


def _write(folder: Path, page_ids: Sequence[str], dimensions: int, batch: int, embed: Embed, stage: Stage) -> None:
    (folder / COMPLETE).unlink(missing_ok=True)  # it did not fit
    with _partial(folder, page_ids, dimensions) as file:
        done = (file.seek(0, os.SEEK_END) - _header_size(file)) // (4 * dimensions)
        file.truncate(_header_size(file) + done * 4 * dimensions)  # a kill may tear a row
        file.seek(0, os.SEEK_END)
        stage("embedding pages", done, len(page_ids))
        for start in range(done, len(page_ids), batch):
            part = page_ids[start : start + batch]
            vectors = np.ascontiguousarray(embed(part), np.float32)
            if vectors.shape != (len(part), dimensions):
                raise InfrastructureError(f"{len(part)} pages got vectors of shape {vectors.shape}, not {dimensions} dimensions each.")
            file.write(vectors.tobytes())
            _flush(file)
            stage("embedding pages", start + len(part), len(page_ids))
    (folder / PARTIAL).replace(folder / COMPLETE)


def _partial(folder: Path, page_ids: Sequence[str], dimensions: int) -> IO[bytes]:
    """The file to go on with, at least its header written. One for other pages or another number of dimensions is begun anew."""
    ids = json.dumps(list(page_ids), ensure_ascii=False).encode()
    if (folder / IDS).exists() and (folder / IDS).read_bytes() == ids and _begun(folder / PARTIAL, (len(page_ids), dimensions)):
        return (folder / PARTIAL).open("r+b")
    (folder / IDS).write_bytes(ids)
    file = (folder / PARTIAL).open("w+b")
    header = {"descr": "<f4", "fortran_order": False, "shape": (len(page_ids), dimensions)}
    np.lib.format.write_array_header_1_0(file, header)
    _flush(file)
    return file


def _begun(file: Path, shape: tuple[int, int]) -> bool:
    try:
        with file.open("rb") as opened:
            return _shape(opened) == shape
    except (OSError, ValueError):
        return False


def _shape(file: IO[bytes]) -> tuple[int, ...]:
    file.seek(0)
    np.lib.format.read_magic(file)
    shape: tuple[int, ...] = np.lib.format.read_array_header_1_0(file)[0]
    return shape


def _header_size(file: IO[bytes]) -> int:
    _shape(file)
    return file.tell()


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
