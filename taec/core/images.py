"""From a page to the bytes that are sent: the one place where images are encoded.

A prompt holds `ImageRef`s; they become JPEGs when it is sent, always from the stored page, so that an allocation of pixels
really changes what the model sees (an encoded image kept in memory would not).
"""

import io
import math
import threading
from collections import OrderedDict
from dataclasses import dataclass

from PIL import Image

from taec.core.pages import Box, PageStore


@dataclass(frozen=True, slots=True)
class ImageRef:
    """A page, or a region of it, at an allocation of at most `pixels`."""

    page_id: str
    pixels: int
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class EncodedImage:
    """What was really sent for one reference. `pixels` never exceeds `allocated`."""

    jpeg: bytes
    width: int
    height: int
    allocated: int

    @property
    def pixels(self) -> int:
        return self.width * self.height

    @property
    def base64_bytes(self) -> int:
        """Length of the JPEG in base64, the unit of context bytes (specification, section 9)."""
        return 4 * math.ceil(len(self.jpeg) / 3)


@dataclass(frozen=True, slots=True)
class ImageRules:
    """JPEG quality, the byte cap of one image, and the grid in pixels that both sides are snapped down to."""

    quality: int
    max_bytes: int
    grid: int


def fit(width: int, height: int, pixels: int, grid: int) -> tuple[int, int]:
    """The largest size of about that shape, both sides multiples of `grid`, within `pixels` and no larger than given.

    A source or an allocation smaller than one cell gives one cell, shrunk to what the allocation allows.
    """
    scale = min(1.0, math.sqrt(pixels / (width * height)))
    sides = [max(grid, int(side * scale) // grid * grid) for side in (width, height)]
    while sides[0] * sides[1] > pixels and max(sides) > grid:
        longer = 0 if sides[0] >= sides[1] else 1
        sides[longer] -= grid
    if sides[0] * sides[1] > pixels:
        sides = [max(1, math.isqrt(pixels))] * 2
    return sides[0], sides[1]


def encode(source: Image.Image, pixels: int, rules: ImageRules) -> EncodedImage:
    """JPEG of `source` within `pixels` and the byte cap.

    A page that is over the cap at its allocation is scaled by sqrt(0.95 * cap / size), as VimRAG does once, again and
    again until it holds: one pass leaves most dense pages over it.
    """
    if source.mode != "RGB":
        source = source.convert("RGB")
    target = pixels
    while True:
        width, height = fit(source.width, source.height, target, rules.grid)
        buffer = io.BytesIO()
        source.resize((width, height), Image.Resampling.LANCZOS).save(buffer, "JPEG", quality=rules.quality)
        jpeg = buffer.getvalue()
        if len(jpeg) <= rules.max_bytes or width * height <= 1:
            return EncodedImage(jpeg, width, height, pixels)
        shrunk = int(width * height * 0.95 * rules.max_bytes / len(jpeg))
        target = max(1, min(shrunk, width * height - 1))


class ImageEncoder:
    """Encodes references from a page store, keeping the latest `keep` results: the same page is re-sent call after call."""

    def __init__(self, store: PageStore, rules: ImageRules, keep: int = 512) -> None:
        self._store = store
        self._rules = rules
        self._keep = keep
        self._cache: OrderedDict[ImageRef, EncodedImage] = OrderedDict()
        self._lock = threading.Lock()

    def encode(self, ref: ImageRef) -> EncodedImage:
        """The JPEG for `ref`. Raises KeyError where the store has no such page. Safe to call from several threads."""
        with self._lock:
            if (known := self._cache.get(ref)) is not None:
                self._cache.move_to_end(ref)
                return known
        image = self._store.image(ref.page_id)
        if ref.box is not None:
            image = crop(image, ref.box)
        encoded = encode(image, ref.pixels, self._rules)
        with self._lock:
            self._cache[ref] = encoded
            while len(self._cache) > self._keep:
                self._cache.popitem(last=False)
        return encoded


def crop(image: Image.Image, box: Box) -> Image.Image:
    """The region `box` of `image`, at least one pixel a side."""
    left, top = int(box.left * image.width), int(box.top * image.height)
    right = max(left + 1, round(box.right * image.width))
    bottom = max(top + 1, round(box.bottom * image.height))
    return image.crop((left, top, right, bottom))
