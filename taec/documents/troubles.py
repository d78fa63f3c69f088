"""What can be wrong with files and pages, by kind. Each is told with its file and page; those that leave something out can be refused."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "name",
    "unreadable",
    "damaged",
    "locked",
    "empty",
    "page",
    "limit",
    "blank",
    "placeholder",
    "useless text",
    "turned",
    "no text",
    "no description",
    "duplicate",
    "numbering",
    "ignored",
]

MEANING: dict[Kind, str] = {
    "name": "names that no page id can be made from; left out",
    "unreadable": "files that cannot be read; left out",
    "damaged": "documents that cannot be opened; left out",
    "locked": "documents that need a password; left out",
    "empty": "documents without a page; left out",
    "page": "pages that cannot be rendered; left out",
    "limit": "pages beyond the limits of memory or time; left out",
    "blank": "pages without ink; indexed with an empty picture",
    "placeholder": "pages that only say that another program is needed; indexed as they are",
    "useless text": "pages whose text layer is no text; their captions come from OCR",
    "turned": "scans that stand on a side or on the head; their captions were read after turning",
    "no text": "pages on which no text was found; only their picture can be found",
    "no description": "pages that the model did not describe; captioned without it",
    "duplicate": "the same content twice; indexed once unless a benchmark names both",
    "numbering": "page images whose numbers had to be settled",
    "ignored": "files of other kinds",
}
"""What each kind means and what becomes of the page or document."""
LEAVE_OUT: frozenset[Kind] = frozenset({"name", "unreadable", "damaged", "locked", "empty", "page", "limit"})
"""Kinds that leave a page or a document out of the collection."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One finding. `text` is a predicate ("has no pages") of the document, or of its page `number` (from 1) where one is given."""

    kind: Kind
    document: str
    text: str
    number: int | None = None

    def __str__(self) -> str:
        return f"{self.document} {self.text}" if self.number is None else f"{self.document}: page {self.number} {self.text}"
