"""From a PDF page to the image that a collection stores, with what the page says of itself."""

import ctypes
import io
import math
from dataclasses import dataclass
from typing import cast

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image

from taec.collections.links import annotations
from taec.collections.pages import Refusal, RenderRules

MAX_ASPECT = 30.0
"""Sides in a ratio beyond this are no page: `hard` PDFs declare boxes of 595 x 2,147,483,648 points (ours)."""
CHANNELS = 4
"""Bytes a pixel of what is drawn: RGBX."""
BLANK_BYTES = 0.03
"""JPEG bytes a pixel, measured 0.016 for one colour at quality 92: what is larger is not looked at for ink."""
HEAD_BYTES = 1_000
"""And the tables at the head of a JPEG."""
FAINT = 4
"""Levels of 256 between the lightest and the darkest point of a page that counts as blank (ours: invisible on any screen)."""
LONG = 1_000
"""Characters of a text layer beyond which nobody asks what else is drawn on a page."""
RULES = 10
"""Paths on a page that may be rules and boxes; more may be letters drawn as curves (ours: curves take one a letter)."""


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """The JPEG to store, its size, and as `taec.collections.pages.StoredImage` has them the page's text, nature and links."""

    jpeg: bytes
    width: int
    height: int
    text: str
    blank: bool
    drawn: bool
    links: tuple[int, ...]


class Canvas:
    """The memory that pages are drawn in, one after the other: fresh memory for each takes a tenth of the time that drawing does.

    What is drawn stands there until the next page.
    """

    def __init__(self) -> None:
        self._memory = (ctypes.c_ubyte * 0)()

    def bitmap(self, width: int, height: int, format: int, rev_byteorder: bool = False) -> pdfium.PdfBitmap:
        """As `PdfBitmap.new_native`, which takes memory of its own."""
        size = width * height * CHANNELS
        if len(self._memory) < size:
            self._memory = (ctypes.c_ubyte * size)()
        return pdfium.PdfBitmap.new_native(width, height, format, rev_byteorder, self._memory)


def render_page(document: pdfium.PdfDocument, number: int, rules: RenderRules, canvas: Canvas) -> RenderedPage:
    """Page `number` (from 1) at about `rules.pixels`. Raises Refusal where it cannot be rendered."""
    try:
        page = document[number - 1]
    except pdfium.PdfiumError as error:
        raise Refusal("page", f"cannot be loaded: {error}") from error
    try:
        width, height = page.get_size()
        if not (min(width, height) > 0 and max(width, height) / min(width, height) <= MAX_ASPECT):
            raise Refusal("page", f"has a box of {width:g} x {height:g} points")
        # in Pillow's own layout, so that nothing is copied: the same JPEG, byte for byte, in two thirds of the time
        scale = math.sqrt(rules.pixels / (width * height))
        bitmap = page.render(scale=scale, prefer_bgrx=True, rev_byteorder=True, bitmap_maker=canvas.bitmap)
        image = bitmap.to_pil()
        image = image if image.mode == "RGBX" else image.convert("RGB")
        text = page.get_textpage().get_text_bounded()
        links = annotations(document, page)
        drawn = len(text) > LONG or _is_drawn(page)
    except pdfium.PdfiumError as error:
        raise Refusal("page", f"cannot be rendered: {error}") from error
    finally:
        page.close()
    written = jpeg(image, rules.quality)
    return RenderedPage(written, image.width, image.height, text, is_blank(image, written), drawn, links)


def jpeg(image: Image.Image, quality: int) -> bytes:
    """The stored form of a page image."""
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def is_blank(image: Image.Image, written: bytes) -> bool:
    """Whether there is no ink on an image in RGB or RGBX. `written` is its JPEG, whose size spares looking at most pages."""
    if len(written) > HEAD_BYTES + BLANK_BYTES * image.width * image.height:
        return False
    extrema = cast(tuple[tuple[int, int], ...], image.getextrema())
    return all(dark + FAINT >= light for dark, light in extrema)


def _is_drawn(page: pdfium.PdfPage) -> bool:
    """Whether a page holds more than text, rules and boxes. The walk ends as soon as that is known."""
    paths = 0
    for position in range(pdfium_c.FPDFPage_CountObjects(page)):
        kind = pdfium_c.FPDFPageObj_GetType(pdfium_c.FPDFPage_GetObject(page, position))
        paths += kind == pdfium_c.FPDF_PAGEOBJ_PATH
        if paths > RULES or kind not in (pdfium_c.FPDF_PAGEOBJ_TEXT, pdfium_c.FPDF_PAGEOBJ_PATH):
            return True
    return False
