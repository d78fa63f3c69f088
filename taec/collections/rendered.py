"""The store of rendered documents, shared by all collections: what a document's content and the rules of rendering make is made once.

<key>/<number>.jpg      the stored images
<key>/pages.jsonl       while the document is being rendered: one line a finished page, so that a build that was killed keeps it
<key>/document.json     when all is done; it replaces the lines
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

from taec.collections.pages import Opened, Refused, StoredImage

FORMAT = 1
"""Part of every key; raised when what is stored changes its meaning."""
DETAILS = "document.json"
LINES = "pages.jsonl"


def render_key(document_sha256: str, pixels: int, quality: int) -> str:
    """The name of a document's folder in the store."""
    return sha256(json.dumps([FORMAT, document_sha256, pixels, quality]).encode()).hexdigest()[:32]


def image_name(number: int) -> str:
    """The file of page `number` (from 1) in its document's folder."""
    return f"{number}.jpg"


@dataclass(frozen=True, slots=True)
class RenderedDocument:
    """A document all of whose pages were tried: those that are stored and those that were refused, both by number."""

    opened: Opened
    pages: tuple[StoredImage, ...]
    refused: tuple[Refused, ...]


def read_document(folder: Path) -> RenderedDocument | None:
    """The finished document in `folder`, None where it is not finished or its file cannot be read."""
    try:
        data = json.loads((folder / DETAILS).read_bytes())
        return RenderedDocument(_opened(data["opened"]), tuple(map(_stored, data["pages"])), tuple(map(_refused, data["refused"])))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_document(folder: Path, document: RenderedDocument) -> None:
    """Keep a finished document; its lines are not needed any more."""
    partial = folder / f"{DETAILS}.partial"
    with partial.open("w", encoding="utf-8") as file:
        json.dump(asdict(document), file, ensure_ascii=True, separators=(",", ":"))
        file.flush()
        os.fsync(file.fileno())
    partial.replace(folder / DETAILS)
    (folder / LINES).unlink(missing_ok=True)


class Lines:
    """The pages of one unfinished document, written down as they come. `before` are pages that stand in its finished form."""

    def __init__(self, folder: Path, before: Iterable[StoredImage | Refused] = ()) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._whole = 0
        self.pages: dict[int, StoredImage | Refused] = {page.number: page for page in before}
        for line, end in _lines(folder / LINES):
            try:
                page = _page(json.loads(line))
            except (ValueError, KeyError, TypeError):
                break
            self._whole = end
            if isinstance(page, Refused) or _is_there(folder, page):
                self.pages[page.number] = page

    def add(self, page: StoredImage | Refused) -> None:
        """Note a page that is through."""
        if self._file is None:
            self._file = (self._folder / LINES).open("ab")
            self._file.truncate(self._whole)
        self.pages[page.number] = page
        self._file.write(json.dumps(asdict(page), ensure_ascii=True, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def document(self, opened: Opened) -> RenderedDocument:
        """The finished document."""
        pages = [self.pages[number] for number in sorted(self.pages)]
        stored = tuple(page for page in pages if isinstance(page, StoredImage))
        return RenderedDocument(opened, stored, tuple(page for page in pages if isinstance(page, Refused)))

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _lines(path: Path) -> Iterator[tuple[bytes, int]]:
    """Whole lines with the offset behind each; what a kill left half written is none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    end = 0
    for line in content.splitlines(keepends=True):
        end += len(line)
        if line.endswith(b"\n"):
            yield line, end


def _is_there(folder: Path, page: StoredImage) -> bool:
    """Whether the image has the size that was noted: a machine that lost power may have noted what it had not written."""
    try:
        return (folder / image_name(page.number)).stat().st_size == page.size
    except OSError:
        return False


def _page(data: dict[str, object]) -> StoredImage | Refused:
    return _refused(data) if "kind" in data else _stored(data)


def _refused(data: dict[str, object]) -> Refused:
    limits = data.get("limits")
    return Refused(**data | {"limits": tuple(limits) if isinstance(limits, list) else (0, 0.0)})  # type: ignore[arg-type]


def _stored(data: dict[str, object]) -> StoredImage:
    links = data.get("links")
    return StoredImage(**data | {"links": tuple(links) if isinstance(links, list) else ()})  # type: ignore[arg-type]


def _opened(data: dict[str, object]) -> Opened:
    entries = data["outline"]
    return Opened(**data | {"outline": tuple(entries) if isinstance(entries, list) else ()})  # type: ignore[arg-type]
