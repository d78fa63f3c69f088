"""From rendered pages to captions: text layers where they are text, OCR where they are not, a model where one is asked for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from taec.backbones.ocr import ENGINE
from taec.collections import described
from taec.collections.captions import from_text_layers, is_useless
from taec.collections.described import Job
from taec.collections.kept import KeptCaptions
from taec.collections.pages import StoredImage
from taec.collections.reading import Reading, ReadText, opened, read_pages
from taec.collections.rendered import RenderedDocument, image_name
from taec.collections.settings import CollectionSettings
from taec.core.progress import Stage

OCR_BATCH = 16
"""Pages handed to OCR at once: enough for several engines, few enough for a progress bar."""


@dataclass(slots=True)
class Captioned:
    """One page with its caption, by what it was made, and the degrees by which it was turned for reading."""

    folder: Path
    page: StoredImage
    caption: str
    source: str = "text_layer"
    useless: bool = False
    turn: int = 0
    failure: str = ""

    @property
    def file(self) -> Path:
        """The stored image."""
        return self.folder / image_name(self.page.number)


def caption(
    documents: Sequence[tuple[Path, RenderedDocument]],
    settings: CollectionSettings,
    kept: KeptCaptions,
    read_text: ReadText,
    progress: Stage,
) -> list[list[Captioned]]:
    """Every page of every document with its caption. Raises InfrastructureError where a model's endpoint cannot be used."""
    found = [list(_from_layers(folder, document)) for folder, document in documents]
    pages = [page for each in found for page in each if not page.page.blank]
    if settings.captions.source == "model":
        _by_model(pages, settings, kept, progress)
        pages = [page for page in pages if page.source != "model"]
    _by_ocr([page for page in pages if _needs_reading(page, settings)], settings, kept, read_text, progress)
    return found


def to_describe(documents: Sequence[RenderedDocument], settings: CollectionSettings, kept: KeptCaptions | None) -> int:
    """How many pages a model would be asked to describe now."""
    how = described.means(settings.captions)
    digests = {page.sha256 for document in documents for page in document.pages if not page.blank}
    return sum(kept is None or kept.get(how, digest) is None for digest in digests)


def _from_layers(folder: Path, document: RenderedDocument) -> Iterator[Captioned]:
    texts = [page.text for page in document.pages]
    for page, text in zip(document.pages, from_text_layers(texts), strict=True):
        yield Captioned(folder, page, text, "text_layer" if text else "none", is_useless(page.text))


def _needs_reading(page: Captioned, settings: CollectionSettings) -> bool:
    """Whether OCR may find what a text layer does not hold: text that is drawn, or any where the layer is useless or not to be used."""
    if settings.captions.source == "ocr":
        return True
    short = len(page.caption) < settings.captions.min_characters
    return page.useless or (short and (page.page.drawn or not page.caption))


def _by_ocr(pages: Sequence[Captioned], settings: CollectionSettings, kept: KeptCaptions, read_text: ReadText, progress: Stage) -> None:
    def read(batch: Sequence[Captioned]) -> list[Reading]:
        images = [opened(page.file.read_bytes()) for page in batch]
        return read_pages(images, settings.captions.ocr_pixels, settings.render.quality, read_text)

    how = f"ocr {ENGINE} {settings.captions.ocr_pixels} {settings.render.quality}"
    for page, reading in _remembered(pages, how, kept, read, progress):
        longer = len(reading.caption) > len(page.caption)
        if page.useless or longer or (settings.captions.source == "ocr" and reading.caption):
            page.caption, page.source, page.turn = reading.caption, "ocr" if reading.caption else "none", reading.turn


def _remembered(
    pages: Sequence[Captioned], how: str, kept: KeptCaptions, read: Callable[[Sequence[Captioned]], list[Reading]], progress: Stage
) -> Iterator[tuple[Captioned, Reading]]:
    """Each page with what was read on it, now or before; what is read now is kept batch by batch."""
    unread = []
    for page in pages:
        if (known := kept.get(how, page.page.sha256)) is not None:
            yield page, known
        else:
            unread.append(page)
    for start in range(0, len(unread), OCR_BATCH):
        progress("reading pages without text", start, len(unread))
        batch = unread[start : start + OCR_BATCH]
        readings = read(batch)
        kept.put(how, [(page.page.sha256, reading) for page, reading in zip(batch, readings, strict=True)])
        yield from zip(batch, readings, strict=True)
    if unread:
        progress("reading pages without text", len(unread), len(unread))


def _by_model(pages: Sequence[Captioned], settings: CollectionSettings, kept: KeptCaptions, progress: Stage) -> None:
    how = described.means(settings.captions)
    jobs = [Job(page.file, page.page.sha256) for page in pages if kept.get(how, page.page.sha256) is None]
    failed = described.describe(jobs, settings.captions, kept, progress) if jobs else {}
    for page in pages:
        if (reading := kept.get(how, page.page.sha256)) is not None:
            page.caption, page.source = reading.caption, "model"
        else:
            page.failure = failed[page.page.sha256]
