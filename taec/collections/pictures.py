"""From an image file to the image that a collection stores."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from PIL import Image, ImageOps, UnidentifiedImageError

from taec.collections.pages import Refusal, RenderRules
from taec.collections.render import MAX_ASPECT, is_blank, jpeg

BYTES_A_PIXEL = 8
"""What decoding takes: four bytes in Pillow, and as many for one conversion."""
ORIENTATION = 0x0112
"""The EXIF tag."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The JPEG to store, its size, whether it is blank, and what had to be done."""

    jpeg: bytes
    width: int
    height: int
    blank: bool
    note: str


def picture(path: Path, rules: RenderRules) -> Picture:
    """The page image in `path` within `rules.pixels`; a JPEG that fits is kept byte for byte.

    The declared size is looked at before anything is decoded. Raises Refusal where the image is no page, too large, or damaged.
    """
    try:
        with Image.open(path) as image:
            return _read(path, image, rules)
    except UnidentifiedImageError as error:
        raise Refusal("page", f"({path.name}) is no image that can be read") from error
    except MemoryError as error:
        raise Refusal("limit", f"({path.name}) needs more memory than collection.render.memory={rules.memory}") from error
    except Refusal:
        raise
    except Exception as error:  # Pillow's decoders raise errors of many kinds for damaged files
        raise Refusal("page", f"({path.name}) cannot be decoded: {error}") from error


def _read(path: Path, image: Image.Image, rules: RenderRules) -> Picture:
    width, height = image.size
    if not (min(width, height) > 0 and max(width, height) / min(width, height) <= MAX_ASPECT):
        raise Refusal("page", f"({path.name}) has {width:,} x {height:,} pixels")
    frames = int(getattr(image, "n_frames", 1))
    note = f"has the first of {frames} pictures in {path.name}; the others are left out" if frames > 1 else ""
    if image.format == "JPEG":
        # decoded at a half, a quarter or an eighth where that is enough
        scale = math.sqrt(min(1.0, rules.pixels / (width * height)))
        image.draft("RGB", (math.ceil(width * scale), math.ceil(height * scale)))
    if image.width * image.height * BYTES_A_PIXEL > rules.memory:
        said = f"({path.name}) has {width:,} x {height:,} pixels, more than collection.render.memory={rules.memory} holds"
        raise Refusal("limit", said)
    image.load()
    fits = width * height <= rules.pixels
    if fits and image.format == "JPEG" and image.mode == "RGB" and image.getexif().get(ORIENTATION, 1) == 1:
        written = path.read_bytes()
        return Picture(written, width, height, is_blank(image, written), note)
    page = _flat(ImageOps.exif_transpose(image))
    if not fits:
        scale = math.sqrt(rules.pixels / (page.width * page.height))
        if scale < 1:
            page = page.resize((max(1, round(page.width * scale)), max(1, round(page.height * scale))), Image.Resampling.LANCZOS)
    written = jpeg(page, rules.quality)
    return Picture(written, page.width, page.height, is_blank(page, written), note)


def _flat(image: Image.Image) -> Image.Image:
    """In RGB, on white where it is transparent."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return _stretched(image).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        with_alpha = image.convert("RGBA")
        page = Image.new("RGB", image.size, "white")
        page.paste(with_alpha, mask=with_alpha.getchannel("A"))
        return page
    return image if image.mode == "RGB" else image.convert("RGB")


def _stretched(image: Image.Image) -> Image.Image:
    """More than eight bits a point, brought down to eight: Pillow would cut them off instead."""
    values = image.convert("F")
    dark, light = cast(tuple[float, float], values.getextrema())
    return values.point(lambda value: (value - dark) * (255 / max(light - dark, 1))).convert("L")
