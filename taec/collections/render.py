"""From a PDF page to the image that a collection stores."""

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image

from taec.core.errors import TaecError

MAX_ASPECT = 30.0
"""Sides in a ratio beyond this are no page: `hard` PDFs declare boxes of 595 x 2,147,483,648 points (ours)."""


class DocumentTrouble(TaecError):
    """A document that cannot be opened or has no pages."""


class PageTrouble(TaecError):
    """One page that cannot be rendered; the others of its document can."""


@dataclass(frozen=True, slots=True)
class RenderRules:
    """`pixels` of the stored image (area) and its JPEG quality."""

    pixels: int
    quality: int


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """The stored JPEG, its size, and the page's own text layer ("" where it has none)."""

    jpeg: bytes
    width: int
    height: int
    text: str


@contextmanager
def open_document(path: Path) -> Iterator[pdfium.PdfDocument]:
    """The open PDF. Raises DocumentTrouble where pdfium refuses it or it holds no page."""
    try:
        document = pdfium.PdfDocument(path)
    except (pdfium.PdfiumError, OSError) as error:
        # pdfium names a file without pages "Success"
        said = str(error).replace("(PDFium: Success)", "(it has no page that can be read)")
        raise DocumentTrouble(f"{path.name} cannot be opened: {said}") from error
    try:
        if len(document) == 0:
            raise DocumentTrouble(f"{path.name} has no pages")
        document.init_forms()
        yield document
    finally:
        document.close()


def render_page(document: pdfium.PdfDocument, number: int, rules: RenderRules) -> RenderedPage:
    """Page `number` (from 1) at about `rules.pixels`. Raises PageTrouble where it cannot be rendered."""
    try:
        page = document[number - 1]
    except pdfium.PdfiumError as error:
        raise PageTrouble(f"page {number} cannot be loaded: {error}") from error
    try:
        width, height = page.get_size()
        if min(width, height) <= 0 or max(width, height) / min(width, height) > MAX_ASPECT:
            raise PageTrouble(f"page {number} has a box of {width:g} x {height:g} points")
        image = page.render(scale=math.sqrt(rules.pixels / (width * height))).to_pil().convert("RGB")
        text = page.get_textpage().get_text_bounded()
    except pdfium.PdfiumError as error:
        raise PageTrouble(f"page {number} cannot be rendered: {error}") from error
    finally:
        page.close()
    return RenderedPage(jpeg(image, rules.quality), image.width, image.height, text)


def jpeg(image: Image.Image, quality: int) -> bytes:
    """The stored form of a page image."""
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()
