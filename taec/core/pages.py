"""Pages and what a retriever says of them."""

from dataclasses import dataclass
from typing import Protocol

from PIL import Image


def page_id(document: str, number: int) -> str:
    """The stable id `<document>_p<number>`: exact document name, number from 1. Never taken apart again: names may contain `_p`."""
    return f"{document}_p{number}"


@dataclass(frozen=True, slots=True)
class Page:
    """One rendered document page. `width` and `height` are the stored image's pixels."""

    document: str
    number: int
    width: int
    height: int
    caption: str

    @property
    def id(self) -> str:
        return page_id(self.document, self.number)


@dataclass(frozen=True, slots=True)
class Box:
    """A region of a page as fractions of its width and height, `0 <= left < right <= 1` and `0 <= top < bottom <= 1`."""

    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        if not (0 <= self.left < self.right <= 1 and 0 <= self.top < self.bottom <= 1):
            raise ValueError(f"not a region of a page: {self}")


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved page: its id and the retriever's score (higher is better, scale of the retriever)."""

    page_id: str
    score: float


class PageStore(Protocol):
    """Read access to a collection's pages."""

    @property
    def caption_length_p95(self) -> int:
        """The 95th percentile of caption lengths in characters (specification, section 6: `len_norm`)."""
        ...

    def page(self, page_id: str) -> Page:
        """The page of that id. Raises KeyError where the collection has none."""
        ...

    def image(self, page_id: str) -> Image.Image:
        """The page's stored RGB image, decoded anew at each call."""
        ...
