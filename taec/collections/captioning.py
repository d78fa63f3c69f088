"""From rendered pages to captions: text layers where they are text, OCR where they are not, a model where one is asked for.

A document is captioned as soon as it is rendered, while processes render the next ones.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Semaphore

from taec.backbones.ocr import ENGINE
from taec.collections import described
from taec.collections.captions import from_text_layers, is_useless
from taec.collections.described import Job
from taec.collections.kept import KeptCaptions
from taec.collections.pages import StoredImage
from taec.collections.processes import cores
from taec.collections.reading import Reading, ReadText, opened, read_page
from taec.collections.rendered import RenderedDocument, image_name
from taec.collections.settings import CollectionSettings
from taec.core.progress import Stage


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


class Captioning:
    """Captions documents in threads of its own; a context manager that ends them."""

    def __init__(self, settings: CollectionSettings, kept: KeptCaptions, read_text: ReadText, progress: Stage) -> None:
        self._settings = settings
        self._kept = kept
        self._read_text = read_text
        self._progress = progress
        self._how = f"ocr {ENGINE} {settings.captions.ocr_pixels} {settings.render.quality}"
        self._layers = ThreadPoolExecutor(1, thread_name_prefix="text layers")
        self._readers = ThreadPoolExecutor(cores(), thread_name_prefix="readers")
        self._may_read = Semaphore(1)  # while others render: two engines at a time were slower than one, and took 300 MB more
        self._documents: dict[Path, Future[list[Captioned]]] = {}
        self._readings: list[tuple[Captioned, Future[Reading]]] = []

    def __enter__(self) -> "Captioning":
        return self

    def __exit__(self, *_: object) -> None:
        self._layers.shutdown(cancel_futures=True)
        self._readers.shutdown(cancel_futures=True)

    def add(self, folder: Path, document: RenderedDocument) -> None:
        """Begin with a document whose pages lie in `folder`."""
        self._documents[folder] = self._layers.submit(self._begun, folder, document)

    def finished(self) -> dict[Path, list[Captioned]]:
        """The pages of all documents, by folder, now that nothing else is under way.

        Raises InfrastructureError where a model's endpoint cannot be used, and what OCR raises.
        """
        self._may_read.release(cores())
        found = {folder: document.result() for folder, document in self._documents.items()}
        if self._settings.captions.source == "model":
            pages = [page for each in found.values() for page in each if not page.page.blank]
            _by_model(pages, self._settings, self._kept, self._progress)
            self._read_those_of([page for page in pages if page.source != "model"])
        for done, (page, reading) in enumerate(self._readings):
            self._progress("reading pages without text", done, len(self._readings))
            self._take(page, reading.result())
        if self._readings:
            self._progress("reading pages without text", len(self._readings), len(self._readings))
        return found

    def _begun(self, folder: Path, document: RenderedDocument) -> list[Captioned]:
        pages = list(_from_layers(folder, document))
        if self._settings.captions.source != "model":
            self._read_those_of([page for page in pages if not page.page.blank])
        return pages

    def _read_those_of(self, pages: Sequence[Captioned]) -> None:
        for page in pages:
            if not _needs_reading(page, self._settings):
                continue
            if (known := self._kept.get(self._how, page.page.sha256)) is not None:
                self._take(page, known)
            else:
                self._readings.append((page, self._readers.submit(self._read, page)))

    def _read(self, page: Captioned) -> Reading:
        with self._may_read:
            image = opened(page.file.read_bytes())
            reading = read_page(image, self._settings.captions.ocr_pixels, self._settings.render.quality, self._read_text)
        self._kept.put(self._how, page.page.sha256, reading)
        return reading

    def _take(self, page: Captioned, reading: Reading) -> None:
        longer = len(reading.caption) > len(page.caption)
        if page.useless or longer or (self._settings.captions.source == "ocr" and reading.caption):
            page.caption, page.source, page.turn = reading.caption, "ocr" if reading.caption else "none", reading.turn


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


def _by_model(pages: Sequence[Captioned], settings: CollectionSettings, kept: KeptCaptions, progress: Stage) -> None:
    how = described.means(settings.captions)
    jobs = [Job(page.file, page.page.sha256) for page in pages if kept.get(how, page.page.sha256) is None]
    failed = described.describe(jobs, settings.captions, kept, progress) if jobs else {}
    for page in pages:
        if (reading := kept.get(how, page.page.sha256)) is not None:
            page.caption, page.source = reading.caption, "model"
        else:
            page.failure = failed[page.page.sha256]
