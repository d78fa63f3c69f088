"""Building a collection once, whatever happens in between.

Documents are rendered side by side in processes of their own, since pdfium is not thread-safe. Each is rendered into a temporary
folder that takes its final name when it is complete, so a build that was killed goes on with the documents that are missing.
"""

import hashlib
import json
import multiprocessing
import os
import shutil
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock
from PIL import Image
from pydantic import BaseModel, Field

from taec.backbones.ocr import ENGINE, Line
from taec.collections.captions import CaptionSettings, from_lines, from_text_layers
from taec.collections.render import DocumentTrouble, PageTrouble, RenderRules, open_document, render_page
from taec.collections.store import CAPTIONS, CONTENTS, PAGES, Collection, Contents, StoredDocument, StoredPage, document_folder, image_file
from taec.core.errors import InfrastructureError, UsageError
from taec.core.images import ImageRules, encode
from taec.core.pages import page_id
from taec.core.settings import Settings

FORMAT = 1
"""Part of every digest; raised when the files of a collection change their meaning."""
OCR_BATCH = 16
"""Pages handed to OCR at once: enough for several engines, few enough for a progress bar."""
OCR_GRID = 28
"""Pixels; the grid of images that a backbone is sent (specification, section 9), so that the OCR cache may serve both."""
NO_BYTE_CAP = 1 << 40

ReadText = Callable[[list[bytes]], list[list[Line]]]
Progress = Callable[[str, int, int], None]


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


@dataclass(frozen=True, slots=True)
class Source:
    """A document file by its exact name."""

    path: Path
    name: str
    sha256: str


class _Rendered(BaseModel):
    """`document.json` beside a document's images: what was stored and the text layer of each stored page."""

    document: StoredDocument
    texts: list[str]


def build_collection(
    documents: Sequence[Path], cache: Path, settings: CollectionSettings, read_text: ReadText, progress: Progress
) -> Collection:
    """The collection of `documents`, in that order, from `cache` or built now; of two processes one builds and one waits.

    `progress` is told a stage, how much of it is done and the total. A document or page that cannot be read goes into the
    collection's report. Raises UsageError naming every missing or ambiguous file, InfrastructureError where the disk or a
    rendering process fails; in both cases finished documents stay.
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


def _sources(documents: Sequence[Path]) -> list[Source]:
    sources: dict[str, Source] = {}
    faults = [] if documents else ["There is no document to build a collection from."]
    for path in documents:
        if path.name in sources:
            faults.append(f"{path} and {sources[path.name].path} have the same name; page ids are made from it. Rename one.")
            continue
        try:
            with path.open("rb") as file:
                sources[path.name] = Source(path, path.name, hashlib.file_digest(file, "sha256").hexdigest())
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
    folder: Path, sources: Sequence[Source], settings: CollectionSettings, digest: str, read_text: ReadText, progress: Progress
) -> None:
    for unfinished in (folder / PAGES).glob("*.partial"):
        shutil.rmtree(unfinished, ignore_errors=True)
    _render_missing(folder, sources, RenderRules(settings.render.pixels, settings.render.quality), progress)
    rendered = [_Rendered.model_validate_json(_details(folder, position).read_bytes()) for position in range(len(sources))]
    captions = [from_text_layers(document.texts) for document in rendered]
    by_ocr = _fill_in_by_ocr(folder, rendered, captions, settings, read_text, progress)
    lines = [
        json.dumps({"page": page_id(entry.document.name, page.number), "caption": caption}, ensure_ascii=False)
        for entry, texts in zip(rendered, captions, strict=True)
        for page, caption in zip(entry.document.pages, texts, strict=True)
    ]
    written = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
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


def _render_missing(folder: Path, sources: Sequence[Source], rules: RenderRules, progress: Progress) -> None:
    missing = [position for position in range(len(sources)) if not _details(folder, position).exists()]
    if not missing:
        return
    stage, done = "rendering documents", len(sources) - len(missing)
    progress(stage, done, len(sources))
    # the largest first, so that no process is left with a long one at the end
    missing.sort(key=lambda position: -sources[position].path.stat().st_size)
    workers = min(os.cpu_count() or 1, len(missing))
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _end_with_parent)
    try:
        jobs = [pool.submit(render_document, sources[position], document_folder(folder, position), rules) for position in missing]
        for job in as_completed(jobs):
            job.result()
            done += 1
            progress(stage, done, len(sources))
    except BrokenProcessPool as error:
        unfinished = [sources[position].name for position in missing if not _details(folder, position).exists()]
        raise InfrastructureError(
            f"A process that renders documents was ended from outside or crashed, perhaps for want of memory. Not done: {', '.join(unfinished)}."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """Set up a rendering process: Ctrl-C is for the parent to handle, and a parent that was killed takes its children along."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def render_document(source: Source, folder: Path, rules: RenderRules) -> None:
    """Render all pages of `source` into `folder`, which appears when it is complete."""
    partial = folder.with_name(f"{folder.name}.{os.getpid()}.partial")
    partial.mkdir()
    stored = StoredDocument(name=source.name, sha256=source.sha256)
    texts: list[str] = []
    try:
        with open_document(source.path) as document:
            for number in range(1, len(document) + 1):
                try:
                    page = render_page(document, number, rules)
                except PageTrouble as trouble:
                    stored.page_troubles.append(str(trouble))
                    continue
                (partial / f"{number}.jpg").write_bytes(page.jpeg)
                stored.pages.append(StoredPage(number=number, width=page.width, height=page.height))
                texts.append(page.text)
        if not stored.pages:
            raise DocumentTrouble(f"{source.name} has no page that can be rendered: {'; '.join(stored.page_troubles)}")
    except DocumentTrouble as trouble:
        stored.trouble = str(trouble)
    (partial / "document.json").write_bytes(_Rendered(document=stored, texts=texts).model_dump_json().encode())
    partial.rename(folder)


def _fill_in_by_ocr(
    folder: Path,
    rendered: Sequence[_Rendered],
    captions: Sequence[list[str]],
    settings: CollectionSettings,
    read_text: ReadText,
    progress: Progress,
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


def _details(folder: Path, position: int) -> Path:
    return document_folder(folder, position) / "document.json"


def _write(path: Path, content: bytes) -> None:
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
