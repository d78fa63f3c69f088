"""The store of rendered documents, shared by all collections: what a document's content and the rules of rendering make is made once.

<key>/<number>.jpg      the stored images
<key>/pages.jsonl       while the document is being rendered: one line a finished page, so that a build that was killed keeps it
<key>/document.json     when all is done; it replaces the lines
"""

import errno
import json
import os
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

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
        file.write(json.dumps(asdict(document), ensure_ascii=True, separators=(",", ":")))  # `dump` would encode in Python
        file.flush()
        os.fsync(file.fileno())
    partial.replace(folder / DETAILS)
    (folder / LINES).unlink(missing_ok=True)


def note(folder: Path, page: StoredImage | Refused) -> None:
    """Write down a finished page of an unfinished document: in one call, so that processes may do it side by side."""
    line = json.dumps(asdict(page), ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
    descriptor = os.open(folder / LINES, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        written = os.write(descriptor, line)
    finally:
        os.close(descriptor)
    if written < len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder / LINES))


def noted(folder: Path) -> dict[int, StoredImage | Refused]:
    """The finished pages of an unfinished document, by number. What a kill left half written is none."""
    try:
        content = (folder / LINES).read_bytes()
    except FileNotFoundError:
        return {}
    if content and not content.endswith(b"\n"):
        with (folder / LINES).open("ab") as file:
            file.write(b"\n")
    pages: dict[int, StoredImage | Refused] = {}
    for line in content.splitlines():
        try:
            page = _page(json.loads(line))
        except (ValueError, KeyError, TypeError):
            continue
        if isinstance(page, Refused) or _is_there(folder, page):
            pages[page.number] = page
    return pages


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
