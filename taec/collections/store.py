"""A collection on disk: captions, links and the list of its pages, written once and only read afterwards.

collection.json     documents, pages, troubles; it is written last, so a folder that has it is complete
captions.jsonl      {"page": id, "caption": text}, one a line, in collection order
links.json          for a page id the ids of the pages that it leads to
report.json         what `python -m taec index` found, for people

The images lie in the store of rendered documents beside the collections (`taec/collections/rendered.py`).
"""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from PIL import Image
from pydantic import BaseModel, JsonValue, ValidationError

from taec.collections.rendered import image_name
from taec.core.errors import InfrastructureError, UsageError
from taec.core.pages import Page, page_id
from taec.documents.troubles import LEAVE_OUT, Kind, Trouble
from taec.retrievers.base import Corpus

CAPTIONS = "captions.jsonl"
CONTENTS = "collection.json"
LINKS = "links.json"


class StoredPage(BaseModel):
    """A page's number (from 1), the size of its stored image in pixels, what its caption comes from, and how it was turned for OCR."""

    number: int
    width: int
    height: int
    source: str = "text_layer"
    turn: int = 0


class StoredDocument(BaseModel):
    """One document and what was wrong with it. Its images lie in `folder` of the store."""

    name: str
    sha256: str
    folder: str
    pages: list[StoredPage] = []
    troubles: list[Trouble] = []

    def refused(self, kind: Kind, text: str) -> "StoredDocument":
        """The document with why none of it could be read, first of all."""
        return self.model_copy(update={"troubles": [Trouble(kind, self.name, text), *self.troubles]})

    @property
    def trouble(self) -> Trouble | None:
        """Why none of it could be read."""
        return next((trouble for trouble in self.troubles if trouble.number is None and trouble.kind in LEAVE_OUT), None)


class Contents(BaseModel):
    """`collection.json`. `limits` are the bytes and seconds that a page was allowed."""

    format: int
    digest: str
    settings: dict[str, JsonValue]
    documents: list[StoredDocument]
    captions_sha256: str
    limits: tuple[int, float]


@dataclass(frozen=True, slots=True)
class Work:
    """Pages rendered when this collection was opened, and pages that were there."""

    made: int
    reused: int


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in the documents."""

    troubles: tuple[Trouble, ...]

    @property
    def documents(self) -> tuple[str, ...]:
        """Documents of which nothing could be read."""
        return tuple(str(trouble) for trouble in self.troubles if trouble.number is None and trouble.kind in LEAVE_OUT)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a run tells and lives with: single bad pages, and files that are there twice."""
        bad = [trouble for trouble in self.troubles if trouble.number is not None and trouble.kind in LEAVE_OUT]
        return tuple(map(str, (*bad, *(trouble for trouble in self.troubles if trouble.kind == "duplicate"))))

    def require_all_documents(self) -> None:
        """Raises UsageError naming each document that could not be read: without it a benchmark would be another one."""
        if self.documents:
            raise UsageError(*(f"{trouble.rstrip('.')}. Repair or remove it." for trouble in self.documents))


class Collection:
    """The pages of all readable documents, in order; a `taec.core.pages.PageStore`."""

    def __init__(self, folder: Path, work: Work | None = None) -> None:
        """Open the complete collection in `folder`. Raises InfrastructureError where its files are damaged."""
        self._contents = read_contents(folder)
        try:
            written = (folder / CAPTIONS).read_bytes()
            captions = {row["page"]: row["caption"] for row in map(json.loads, written.splitlines())}
        except (OSError, ValueError, KeyError) as error:
            raise _damaged(folder, error) from error
        if sha256(written).hexdigest() != self._contents.captions_sha256:
            raise _damaged(folder, f"{CAPTIONS} was changed")
        self.folder = folder
        self.work = work or Work(0, 0)
        self.captions: Mapping[str, str] = MappingProxyType(captions)
        self.caption_length_p95 = _percentile_95([len(caption) for caption in captions.values()])
        self._pages: dict[str, Page] = {}
        self._files: dict[str, tuple[str, int]] = {}
        for document in self._contents.documents:
            for stored in document.pages:
                key = page_id(document.name, stored.number)
                self._pages[key] = Page(document.name, stored.number, stored.width, stored.height, captions[key])
                self._files[key] = document.folder, stored.number

    @property
    def pages(self) -> Sequence[Page]:
        """All pages, in collection order."""
        return tuple(self._pages.values())

    @property
    def digest(self) -> str:
        """Identity of documents, settings, format and the pages that could be had, in hex."""
        return self._contents.digest

    @property
    def captions_sha256(self) -> str:
        """Of the captions file; it goes into every manifest (specification, section 9)."""
        return self._contents.captions_sha256

    @property
    def captions_by_source(self) -> Mapping[str, int]:
        """How many captions come from text layers, OCR and a model, and how many pages have none."""
        return Counter(page.source for document in self._contents.documents for page in document.pages)

    @cached_property
    def report(self) -> Report:
        """What was wrong with the documents."""
        names: dict[str, list[str]] = {}
        for document in self._contents.documents:
            names.setdefault(document.sha256, []).append(document.name)
        twins = [
            Trouble("duplicate", " and ".join(same), "are the same file: its pages have several ids")
            for same in names.values()
            if len(same) > 1
        ]
        return Report((*(trouble for document in self._contents.documents for trouble in document.troubles), *twins))

    @property
    def documents(self) -> int:
        """How many documents have pages in the collection."""
        return sum(bool(document.pages) for document in self._contents.documents)

    def page(self, page_id: str) -> Page:
        """The page of that id. Raises KeyError where the collection has none."""
        return self._pages[page_id]

    def image_file(self, page_id: str) -> Path:
        """The stored image of a page, a JPEG. Raises KeyError where the collection has none."""
        folder, number = self._files[page_id]
        return self.folder.parent.parent / "pages" / folder / image_name(number)

    def image(self, page_id: str) -> Image.Image:
        """The stored RGB image, decoded anew. Raises KeyError, or InfrastructureError where its file is gone or damaged."""
        file = self.image_file(page_id)
        try:
            with Image.open(file) as image:
                return image.convert("RGB")
        except OSError as error:
            raise InfrastructureError(
                f"The image of {page_id} is damaged ({error}). Delete the folder {file.parent} and start again: it is rendered anew."
            ) from error

    @cached_property
    def links(self) -> Mapping[str, tuple[str, ...]]:
        """For a page id, the pages that its document's outline and its own link annotations lead to, in their order."""
        try:
            found = json.loads((self.folder / LINKS).read_bytes())
            return MappingProxyType({page: tuple(targets) for page, targets in found.items()})
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise _damaged(self.folder, error) from error

    def corpus(self, folder: Path) -> Corpus:
        """What retrievers index; they keep their files in `folder`."""
        return Corpus(self.captions, self.captions_sha256, folder, self, self.digest, self.links)


def read_contents(folder: Path) -> Contents:
    """The list of a complete collection. Raises InfrastructureError where it is damaged."""
    try:
        return Contents.model_validate_json((folder / CONTENTS).read_bytes())
    except (OSError, ValidationError) as error:
        raise _damaged(folder, error) from error


def _percentile_95(lengths: list[int]) -> int:
    """By nearest rank; at least 1, since lengths are divided by it."""
    return max(1, sorted(lengths)[math.ceil(0.95 * len(lengths)) - 1]) if lengths else 1


def _damaged(folder: Path, reason: object) -> InfrastructureError:
    first = str(reason).partition("\n")[0]  # pydantic writes three lines for each field of each document
    return InfrastructureError(f"The collection in {folder} is damaged ({first}). Delete that folder and start again: it is built anew.")
