"""Reading text from an image by OCR, cached on disk by the image's bytes.

RapidOCR with the models its wheel carries (PP-OCRv6 small). The angle classifier is off, because it turns some short lines upside
down. One thread an engine and one line a batch: on dense pages that takes 1.2 CPU-seconds where two threads with the default batch
of six take 2.0, since lines of a batch are padded to the longest. Memory goes back to onnxruntime's own pool: asking the system for it
for every layer of the networks took 1 to 4 % of the time, and far more page faults (70 MB more are held).
"""

import io
import json
import sqlite3
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from filelock import FileLock
from PIL import Image

ENGINE = "rapidocr-3 ppocrv6-small no-cls batch-1"
"""Part of every cache key: results of another engine or setting are other results."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text with the recogniser's score (0..1) and its bounding box in pixels of the image."""

    text: str
    score: float
    left: float
    top: float
    right: float
    bottom: float


class OcrCache:
    """Results in one SQLite file, shared by threads and processes."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level=None)
        self._lock = threading.Lock()
        # SQLite does not wait where two processes switch a new file to WAL: it says "database is locked" at once
        with FileLock(path.with_name(f".{path.name}.lock")):
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute("CREATE TABLE IF NOT EXISTS ocr (key TEXT PRIMARY KEY, lines BLOB NOT NULL) WITHOUT ROWID")

    def get(self, key: str) -> list[Line] | None:
        with self._lock:
            row = self._connection.execute("SELECT lines FROM ocr WHERE key = ?", (key,)).fetchone()
        return None if row is None else [Line(*values) for values in json.loads(zlib.decompress(row[0]))]

    def put(self, key: str, lines: list[Line]) -> None:
        blob = zlib.compress(json.dumps([astuple(line) for line in lines], ensure_ascii=False).encode())
        with self._lock:
            self._connection.execute("INSERT OR REPLACE INTO ocr VALUES (?, ?)", (key, blob))


class Reader(Protocol):
    """What turns the bytes of a JPEG into lines of text."""

    def read(self, jpeg: bytes) -> list[Line]: ...


class Ocr:
    """Reads images with `workers` engines, made when first needed; a known image costs no engine at all."""

    def __init__(self, cache: OcrCache, workers: int) -> None:
        self._cache = cache
        self._engines = threading.local()
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="ocr")

    def read(self, jpeg: bytes) -> list[Line]:
        """Lines of one image, top to bottom as the detector orders them."""
        return self.read_all([jpeg])[0]

    def read_all(self, jpegs: list[bytes]) -> list[list[Line]]:
        """Lines of each image; unknown ones are read side by side."""
        return list(self._pool.map(self._read_cached, jpegs))

    def _read_cached(self, jpeg: bytes) -> list[Line]:
        key = sha256(ENGINE.encode() + jpeg).hexdigest()
        if (known := self._cache.get(key)) is not None:
            return known
        lines = self._recognise(jpeg)
        self._cache.put(key, lines)
        return lines

    def _recognise(self, jpeg: bytes) -> list[Line]:
        import numpy as np

        if not hasattr(self._engines, "engine"):
            self._engines.engine = _engine()
        pixels = np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB"))[:, :, ::-1]
        result = self._engines.engine(np.ascontiguousarray(pixels))
        if result.txts is None:
            return []
        lines = []
        for text, score, corners in zip(result.txts, result.scores, result.boxes, strict=True):
            across, down = corners[:, 0], corners[:, 1]
            box = (float(across.min()), float(down.min()), float(across.max()), float(down.max()))
            lines.append(Line(str(text), round(float(score), 4), *box))
        return lines


def _engine() -> "object":
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.use_cls": False,
            "Global.log_level": "error",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": True,
            "Rec.rec_batch_num": 1,
        }
    )
