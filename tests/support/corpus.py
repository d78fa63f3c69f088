"""A corpus of captions whose page images are drawn here: what retrievers are built over in tests."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from PIL import Image, ImageDraw

from taec.core.pages import Page
from taec.retrievers.base import Corpus


class DrawnPages:
    """One page of 224 x 280 pixels for each caption, with the caption's beginning drawn on it; ids are `<document>_p<number>`."""

    caption_length_p95 = 60

    def __init__(self, captions: Mapping[str, str]) -> None:
        self._pages: dict[str, Page] = {}
        for page_id, caption in captions.items():
            document, _, number = page_id.rpartition("_p")
            self._pages[page_id] = Page(document or page_id, int(number) if number.isdigit() else 1, 224, 280, caption)

    def page(self, page_id: str) -> Page:
        return self._pages[page_id]

    def image(self, page_id: str) -> Image.Image:
        page = self._pages[page_id]
        image = Image.new("RGB", (page.width, page.height), "white")
        ImageDraw.Draw(image).text((10, 10), page.caption[:30].encode("ascii", "replace").decode(), fill="black")
        return image


def make_corpus(captions: Mapping[str, str], folder: Path, links: Mapping[str, tuple[str, ...]] | None = None) -> Corpus:
    """The corpus of `captions` by page id, with indices in `folder`."""
    digest = sha256("\n".join(f"{page} {caption}" for page, caption in captions.items()).encode()).hexdigest()
    return Corpus(captions, digest, folder, DrawnPages(captions), digest, links or {})
