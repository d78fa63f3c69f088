"""Page images that Hugging Face keeps inside of a parquet file (`page_1` to `page_20`), written out once for collections to read."""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp

from taec.benchmarks.files import Table
from taec.core.errors import InfrastructureError

PAGE = re.compile(r"page_(\d+)", re.ASCII)
PNG = b"\x89PNG"
"""How a PNG file begins."""
BATCH = 8
"""Rows in memory at once: each holds the images of a whole deck."""


def unpack(table: Table, folder: Path, document: str) -> int:
    """Write the images of each document as `folder/<document>/page_<n>.jpg`, where that folder is missing; returns how many were written.

    `document` is the column of the name. An image that is null leaves a hole. A folder appears when it is complete. Raises
    InfrastructureError where the disk refuses.
    """
    import pyarrow.parquet as pq

    columns = {name: int(match[1]) for name in table.pictures if (match := PAGE.fullmatch(name))}
    done: set[str] = set()
    written = 0
    try:
        for file in table.files:
            for batch in pq.ParquetFile(file).iter_batches(batch_size=BATCH, columns=[document, *columns]):
                for at, name in enumerate(batch.column(document).to_pylist()):
                    if not isinstance(name, str) or name in done or Path(name).name != name:
                        continue
                    done.add(name)
                    if (folder / name).exists():
                        continue
                    pages = {number: batch.column(column)[at].as_py() for column, number in columns.items()}
                    written += _write(folder, name, pages)
    except OSError as error:
        raise InfrastructureError(f"Page images cannot be unpacked into {folder}: {error}. Name another benchmark.documents.") from error
    return written


def _write(folder: Path, name: str, pages: Mapping[int, object]) -> bool:
    images = {number: data for number, page in pages.items() if (data := _bytes(page))}
    if not images:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    partial = Path(mkdtemp(prefix=".unpacking-", dir=folder))
    try:
        for number, data in images.items():
            suffix = "png" if data.startswith(PNG) else "jpg"
            (partial / f"page_{number}.{suffix}").write_bytes(data)
        os.chmod(partial, 0o755)
        partial.rename(folder / name)
    except OSError:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    return True


def _bytes(page: object) -> bytes | None:
    """The file of one image: bare bytes, or Hugging Face's struct of bytes and path."""
    data = page.get("bytes") if isinstance(page, dict) else page
    return data if isinstance(data, bytes) else None
