"""A collection on disk: page images, captions and the list of both, written once and only read afterwards.

pages/<document>/<number>.jpg    the stored images; <document> is the document's position in the collection
captions.jsonl                   {"page": id, "caption": text}, one a line, in collection order
collection.json                  documents, pages, troubles; it is written last, so a folder that has it is complete
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from PIL import Image
from pydantic import BaseModel, ValidationError

from taec.core.errors import InfrastructureError, UsageError
from taec.core.pages import Page, page_id
from taec.retrievers.base import Corpus

CAPTIONS = "captions.jsonl"
CONTENTS = "collection.json"
PAGES = "pages"


class StoredPage(BaseModel):
    """A page's number (from 1) and the size of its stored image in pixels."""

    number: int
    width: int
    height: int


class StoredDocument(BaseModel):
    """One document. `trouble` says why none of it could be read, `page_troubles` which single pages could not."""

    name: str
    sha256: str
    pages: list[StoredPage] = []
    trouble: str = ""
    page_troubles: list[str] = []


class Contents(BaseModel):
    """`collection.json`."""

    format: int
    digest: str
    settings: dict[str, object]
    documents: list[StoredDocument]
    captions_sha256: str
    captions_read_by_ocr: int


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in the documents: those of which nothing could be read, single bad pages, and files that are there twice."""

    documents: tuple[str, ...]
    pages: tuple[str, ...]
    duplicates: tuple[str, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a run tells and lives with."""
        return self.pages + self.duplicates

    def require_all_documents(self) -> None:
        """Raises UsageError naming each document that could not be read: without it a benchmark would be another one."""
        if self.documents:
            raise UsageError(*(f"{trouble.rstrip('.')}. Repair or remove it." for trouble in self.documents))


class Collection:
    """The pages of all readable documents, in order; a `taec.core.pages.PageStore`."""

    def __init__(self, folder: Path) -> None:
        """Open the complete collection in `folder`. Raises InfrastructureError where its files are damaged."""
        try:
            self._contents = Contents.model_validate_json((folder / CONTENTS).read_bytes())
            written = (folder / CAPTIONS).read_bytes()
            captions = {row["page"]: row["caption"] for row in map(json.loads, written.splitlines())}
        except (OSError, ValidationError, ValueError, KeyError) as error:
            raise _damaged(folder, error) from error
        if sha256(written).hexdigest() != self._contents.captions_sha256:
            raise _damaged(folder, f"{CAPTIONS} was changed")
        self.folder = folder
        self.captions: Mapping[str, str] = MappingProxyType(captions)
        self.caption_length_p95 = _percentile_95([len(caption) for caption in captions.values()])
        self._pages: dict[str, Page] = {}
        self._files: dict[str, Path] = {}
        for position, document in enumerate(self._contents.documents):
            for stored in document.pages:
                key = page_id(document.name, stored.number)
                self._pages[key] = Page(document.name, stored.number, stored.width, stored.height, captions[key])
                self._files[key] = image_file(folder, position, stored.number)

    @property
    def pages(self) -> Sequence[Page]:
        """All pages, in collection order."""
        return tuple(self._pages.values())

    @property
    def digest(self) -> str:
        """Identity of documents, settings and format, in hex."""
        return self._contents.digest

    @property
    def captions_sha256(self) -> str:
        """Of the captions file; it goes into every manifest (specification, section 9)."""
        return self._contents.captions_sha256

    @property
    def captions_read_by_ocr(self) -> int:
        """How many captions are what OCR read."""
        return self._contents.captions_read_by_ocr

    @property
    def report(self) -> Report:
        """What was wrong with the documents."""
        names: dict[str, list[str]] = {}
        for document in self._contents.documents:
            names.setdefault(document.sha256, []).append(document.name)
        return Report(
            documents=tuple(document.trouble for document in self._contents.documents if document.trouble),
            pages=tuple(f"{document.name}: {trouble}" for document in self._contents.documents for trouble in document.page_troubles),
            duplicates=tuple(
                f"{' and '.join(same)} are the same file: its pages have several ids" for same in names.values() if len(same) > 1
            ),
        )

    def page(self, page_id: str) -> Page:
        """The page of that id. Raises KeyError where the collection has none."""
        return self._pages[page_id]

    def image_file(self, page_id: str) -> Path:
        """The stored image of a page, a JPEG. Raises KeyError where the collection has none."""
        return self._files[page_id]

    def image(self, page_id: str) -> Image.Image:
        """The stored RGB image, decoded anew. Raises KeyError, or InfrastructureError where its file is gone or damaged."""
        try:
            with Image.open(self._files[page_id]) as image:
                return image.convert("RGB")
        except OSError as error:
            raise _damaged(self.folder, error) from error

    @property
    def links(self) -> Mapping[str, tuple[str, ...]]:
        """For a page id, the pages that its document leads to from there; none are stored."""
        return MappingProxyType({})

    def corpus(self, folder: Path) -> Corpus:
        """What retrievers index; they keep their files in `folder`."""
        return Corpus(self.captions, self.captions_sha256, folder, self, self.digest, self.links)


def _percentile_95(lengths: list[int]) -> int:
    """By nearest rank; at least 1, since lengths are divided by it."""
    return max(1, sorted(lengths)[math.ceil(0.95 * len(lengths)) - 1]) if lengths else 1


def document_folder(folder: Path, position: int) -> Path:
    """Where the images of the document at `position` (from 0) lie."""
    return folder / PAGES / f"{position:05d}"


def image_file(folder: Path, position: int, number: int) -> Path:
    """The stored image of page `number` (from 1) of the document at `position` (from 0)."""
    return document_folder(folder, position) / f"{number}.jpg"


def _damaged(folder: Path, reason: object) -> InfrastructureError:
    return InfrastructureError(f"The collection in {folder} is damaged ({reason}). Delete that folder and start again: it is built anew.")
