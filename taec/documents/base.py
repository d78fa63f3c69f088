"""The noun: a document before anything of it is rendered."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Document:
    """One document under the exact name that its page ids are made from (`<name>_p<number>`).

    Without `images` it is the PDF at `path`. With `images`, pairs of page number (from 1) and image file, it is a folder of page
    images at `path`; numbers may have holes, as decks that lost slides do.
    """

    name: str
    path: Path
    images: tuple[tuple[int, Path], ...] = ()
