"""Building a collection once, whatever happens in between: pages first, then captions, then the list of contents that makes it complete."""

import hashlib
import json
import os
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path

from filelock import FileLock
from PIL import Image
from pydantic import Field

from taec.backbones.ocr import ENGINE, Line
from taec.collections.captions import CaptionSettings, from_lines, from_text_layers
from taec.collections.render import RenderRules
from taec.collections.store import CAPTIONS, CONTENTS, PAGES, Collection, Contents, image_file
from taec.collections.workers import RenderedDocument, Source, details_file, render_missing
from taec.core.errors import InfrastructureError, UsageError
from taec.core.images import ImageRules, encode
from taec.core.pages import page_id
from taec.core.progress import Stage
from taec.core.settings import Settings
from taec.documents.base import Document

FORMAT = 1
"""Part of every digest; raised when the files of a collection change their meaning."""
OCR_BATCH = 16
"""Pages handed to OCR at once: enough for several engines, few enough for a progress bar."""
OCR_GRID = 28
"""Pixels; the grid of images that a backbone is sent (specification, section 9), so that the OCR cache may serve both."""
NO_BYTE_CAP = 1 << 40

ReadText = Callable[[list[bytes]], list[list[Line]]]


class RenderSettings(Settings):
    """The stored images."""

    pixels: int = Field(ge=784)
    """Area of a stored image in pixels: the most that any model can be shown of a page."""
    quality: int = Field(ge=1, le=95)
    """JPEG quality of the stored image."""


class CollectionSettings(Settings):
    """How documents become pages and captions."""

    render: RenderSettings
    captions: CaptionSettings


def build_collection(
    documents: Sequence[Document], cache: Path, settings: CollectionSettings, read_text: ReadText, progress: Stage
) -> Collection:
    """The collection of `documents`, in that order, from `cache` or built now; of two processes one builds and one waits.

    `progress` is told a stage, how much of it is done and the total. A document or page that cannot be read goes into the
    collection's report. Raises UsageError naming every missing or ambiguous file, and InfrastructureError where the disk or a
    rendering process fails: then finished documents stay. Processes are spawned, so a script that calls this needs the usual
    `if __name__ == "__main__"`.
    """
    sources = _sources(documents)
    digest = _digest(sources, settings)
    folder = cache / "collections" / digest[:16]
    try:
        if not (folder / CONTENTS).exists():
            (folder / PAGES).mkdir(parents=True, exist_ok=True)
            with FileLock(folder.with_suffix(".lock")):
                if not (folder / CONTENTS).exists():
                    _build(folder, sources, settings, digest, read_text, progress)
    except OSError as error:
        raise InfrastructureError(f"The collection in {folder} cannot be written: {error}") from error
    return Collection(folder)


def _sources(documents: Sequence[Document]) -> list[Source]:
    sources: dict[str, Source] = {}
    faults = [] if documents else ["There is no document to build a collection from."]
    for document in documents:
        name, path = document.name, document.path
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
            faults.append(f"{name!r} is no name that a page id can be made from. Rename it.")
            continue
        if name in sources:
            faults.append(f"{path} and {sources[name].path} have the same name; page ids are made from it. Rename one.")
            continue
        try:
            with path.open("rb") as file:
                sources[name] = Source(path, name, hashlib.file_digest(file, "sha256").hexdigest())
        except OSError as error:
            faults.append(f"{path} cannot be read: {error.strerror or error}.")
    if faults:
        raise UsageError(*faults)
    return list(sources.values())


def _digest(sources: Sequence[Source], settings: CollectionSettings) -> str:
    identity = {
        "format": FORMAT,
        "ocr": ENGINE,
        "settings": settings.model_dump(mode="json"),
        "documents": [[source.name, source.sha256] for source in sources],
    }
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def _build(
    folder: Path, sources: Sequence[Source], settings: CollectionSettings, digest: str, read_text: ReadText, progress: Stage
) -> None:
    render_missing(folder, sources, RenderRules(settings.render.pixels, settings.render.quality), progress)
    rendered = [RenderedDocument.model_validate_json(details_file(folder, position).read_bytes()) for position in range(len(sources))]
    captions = [from_text_layers(document.texts) for document in rendered]
    by_ocr = _fill_in_by_ocr(folder, rendered, captions, settings, read_text, progress)
    lines = [
        json.dumps({"page": page_id(entry.document.name, page.number), "caption": caption}, ensure_ascii=False)
        for entry, texts in zip(rendered, captions, strict=True)
        for page, caption in zip(entry.document.pages, texts, strict=True)
    ]
    written = "".join(f"{line}\n" for line in lines).encode()
    _write(folder / CAPTIONS, written)
    contents = Contents(
        format=FORMAT,
        digest=digest,
        settings=settings.model_dump(mode="json"),
        documents=[entry.document for entry in rendered],
        captions_sha256=hashlib.sha256(written).hexdigest(),
        captions_read_by_ocr=by_ocr,
    )
    _write(folder / CONTENTS, contents.model_dump_json(indent=1).encode())


def _fill_in_by_ocr(
    folder: Path,
    rendered: Sequence[RenderedDocument],
    captions: Sequence[list[str]],
    settings: CollectionSettings,
    read_text: ReadText,
    progress: Stage,
) -> int:
    """Replace short captions by what OCR reads where that is more; returns how many were replaced."""
    short = [
        (position, index)
        for position, texts in enumerate(captions)
        for index, caption in enumerate(texts)
        if len(caption) < settings.captions.min_characters
    ]
    rules = ImageRules(settings.render.quality, NO_BYTE_CAP, OCR_GRID)
    replaced = 0
    for start in range(0, len(short), OCR_BATCH):
        progress("reading pages without text", start, len(short))
        batch = short[start : start + OCR_BATCH]
        jpegs = []
        for position, index in batch:
            with Image.open(image_file(folder, position, rendered[position].document.pages[index].number)) as image:
                jpegs.append(encode(image.convert("RGB"), settings.captions.ocr_pixels, rules).jpeg)
        for (position, index), lines in zip(batch, read_text(jpegs), strict=True):
            read = from_lines(lines)
            if len(read) > len(captions[position][index]):
                captions[position][index] = read
                replaced += 1
    if short:
        progress("reading pages without text", len(short), len(short))
    return replaced


def _write(path: Path, content: bytes) -> None:
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
