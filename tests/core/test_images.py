import io
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from taec.core.images import EncodedImage, ImageEncoder, ImageRef, ImageRules, crop, encode, fit
from taec.core.pages import Box, Page

GRID = 28


def noise(width: int, height: int) -> Image.Image:
    """The image that JPEG compresses worst."""
    return Image.fromarray(np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8))


class OnePage:
    """A store of one page."""

    caption_length_p95 = 1

    def __init__(self, image: Image.Image) -> None:
        self._image = image
        self.decoded = 0

    def page(self, page_id: str) -> Page:
        return Page(page_id, 1, *self._image.size, "")

    def image(self, page_id: str) -> Image.Image:
        self.decoded += 1
        return {"d_p1": self._image}[page_id]


def decoded(image: EncodedImage) -> Image.Image:
    return Image.open(io.BytesIO(image.jpeg))


@given(st.integers(1, 4000), st.integers(1, 4000), st.integers(1, 1_000_000))
def test_size_is_within_the_allocation_and_on_the_grid(width: int, height: int, pixels: int) -> None:
    sides = fit(width, height, pixels, GRID)
    assert 1 <= sides[0] * sides[1] <= pixels
    if pixels >= GRID * GRID:
        assert all(side % GRID == 0 for side in sides)
    if min(width, height) >= GRID:
        assert sides[0] <= width
        assert sides[1] <= height


@given(st.integers(600, 3000), st.integers(600, 3000), st.integers(100_000, 600_000))
def test_the_shape_of_a_page_survives(width: int, height: int, pixels: int) -> None:
    """Snapping loses less than one cell a side, so the larger part of the allocation is used."""
    across, down = fit(width, height, pixels, GRID)
    scale = min(1.0, math.sqrt(pixels / (width * height)))
    assert width * scale - GRID < across <= width * scale
    assert height * scale - GRID < down <= height * scale


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 500), st.integers(1, 500), st.integers(1, 400_000), st.integers(1_500, 38_000))
def test_caps_hold_on_noise(width: int, height: int, pixels: int, cap: int) -> None:
    sent = encode(noise(width, height), pixels, ImageRules(quality=75, max_bytes=cap, grid=GRID))
    assert len(sent.jpeg) <= cap
    assert sent.pixels <= sent.allocated == pixels
    assert decoded(sent).size == (sent.width, sent.height)


def test_a_dense_page_is_shrunk_until_it_holds_and_not_to_nothing() -> None:
    page = Image.new("RGB", (1000, 1300), "white")
    line = "".join(chr(33 + position * 7 % 90) for position in range(170))
    for top in range(10, 1290, 11):
        ImageDraw.Draw(page).text((5, top), line[top % 50 :] + line[: top % 50], fill="black")
    rules = ImageRules(quality=75, max_bytes=38_000, grid=GRID)
    assert len(encode(page, 300_000, ImageRules(75, 10**9, GRID)).jpeg) > 2 * rules.max_bytes
    sent = encode(page, 300_000, rules)
    assert 0.5 * rules.max_bytes < len(sent.jpeg) <= rules.max_bytes
    assert sent.width % GRID == sent.height % GRID == 0


@pytest.mark.parametrize("mode", ["L", "RGBA", "P", "CMYK", "1"])
def test_any_mode_is_sent_as_rgb(mode: str) -> None:
    sent = encode(Image.new(mode, (100, 80)), 300_000, ImageRules(75, 38_000, GRID))
    assert decoded(sent).mode == "RGB"


def test_base64_bytes_are_those_of_base64() -> None:
    import base64

    for length in range(5):
        assert EncodedImage(b"x" * length, 1, 1, 1).base64_bytes == len(base64.b64encode(b"x" * length))


fractions = st.floats(0, 1)


@given(st.integers(1, 300), st.integers(1, 300), fractions, fractions, fractions, fractions)
def test_a_crop_is_inside_its_image_and_never_empty(width: int, height: int, a: float, b: float, c: float, d: float) -> None:
    left, right, top, bottom = min(a, b), max(a, b), min(c, d), max(c, d)
    if left == right or top == bottom:
        with pytest.raises(ValueError, match="region"):
            Box(left, top, right, bottom)
        return
    region = crop(Image.new("RGB", (width, height)), Box(left, top, right, bottom))
    assert 1 <= region.width <= width
    assert 1 <= region.height <= height
    assert abs(region.width - (right - left) * width) <= 2
    assert abs(region.height - (bottom - top) * height) <= 2


def test_a_crop_shows_its_region() -> None:
    image = Image.new("RGB", (200, 100), "white")
    image.paste("red", (100, 0, 200, 50))
    assert crop(image, Box(0.5, 0, 1, 0.5)).getcolors() == [(100 * 50, (255, 0, 0))]


def test_the_encoder_sends_regions_and_remembers_by_page_box_and_pixels() -> None:
    image = Image.new("RGB", (560, 560), "white")
    image.paste("red", (280, 0, 560, 280))
    store = OnePage(image)
    encoder = ImageEncoder(store, ImageRules(75, 38_000, GRID), keep=2)
    whole, region = ImageRef("d_p1", 200_000), ImageRef("d_p1", 200_000, Box(0.5, 0, 1, 0.5))
    assert (encoder.encode(whole).width, encoder.encode(region).width) == (420, 280)
    assert decoded(encoder.encode(region)).getpixel((140, 140)) == pytest.approx((254, 0, 0), abs=3)
    assert store.decoded == 2
    encoder.encode(ImageRef("d_p1", 100_000))
    assert store.decoded == 3
    encoder.encode(whole)
    assert store.decoded == 4
    with pytest.raises(KeyError):
        encoder.encode(ImageRef("other", 100_000))
