"""What is asked of a rendering process and what it answers. Plain data that goes through a pipe: nothing heavy is imported for it."""

from dataclasses import dataclass
from pathlib import Path

from taec.core.errors import TaecError
from taec.documents.troubles import Kind

OPEN = 0
"""In place of a page number: the document is to be opened and described."""


class Refusal(TaecError):
    """A document or a page that cannot be had; the text is a predicate ("has no pages")."""

    def __init__(self, kind: Kind, text: str) -> None:
        self.kind: Kind = kind
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class RenderRules:
    """`pixels` of the stored image (area) and its JPEG quality; bytes of memory and seconds that one page may take."""

    pixels: int
    quality: int
    memory: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Task:
    """Page `number` of a document, or OPEN. `image` is the page's own file where the document is a folder of images."""

    document: int
    number: int
    path: Path
    image: Path | None
    password: str | None
    folder: Path

    def __repr__(self) -> str:
        return f"Task({self.path.name}, {self.number})"


@dataclass(frozen=True, slots=True)
class Opened:
    """A document that can be read: its number of pages, the pages that its outline names, and whether it is a form of the XFA kind."""

    pages: int
    outline: tuple[int, ...]
    xfa: bool


@dataclass(frozen=True, slots=True)
class StoredImage:
    """A page whose JPEG lies in the store.

    `text` is its text layer; `blank` says that nothing is on it; `drawn` that something is on it which a text layer does not hold
    (pictures, curves); `links` are the pages that it leads to; `note` is what had to be done to an image ("" for nothing).
    """

    number: int
    width: int
    height: int
    sha256: str
    size: int
    text: str = ""
    blank: bool = False
    drawn: bool = True
    links: tuple[int, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a document, or its page `number`, cannot be had. `limits` are the bytes and seconds that a page of kind `limit` passed."""

    kind: Kind
    text: str
    number: int = OPEN
    limits: tuple[int, float] = (0, 0.0)


Answer = Opened | StoredImage | Refused
