"""Captions by OCR. A scan that stands on a side or on its head is turned first: the recogniser reads upright lines only."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PIL import Image

from taec.backbones.ocr import Line
from taec.core.images import ImageRules, encode

ReadText = Callable[[list[bytes]], list[list[Line]]]

OCR_GRID = 28
"""Pixels; the grid of images that a backbone is sent (specification, section 9), so that the OCR cache may serve both."""
NO_BYTE_CAP = 1 << 40
FEW_LINES = 3
"""Lines below which nothing is concluded from their shapes (ours)."""
DOUBTFUL = 0.75
"""Mean recogniser score below which a page may stand on its head. Ours: scans read .99 upright and .56 to .58 otherwise."""
SURE = 0.85
"""Mean recogniser score that a turned page has to reach to be believed (ours)."""
TALL = 1.2
"""Height of a line's box over its width beyond which it runs up or down (ours)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read, and by how many degrees the page was turned against the clock for it."""

    caption: str
    turn: int = 0


@dataclass(frozen=True, slots=True)
class _Lines:
    lines: Sequence[Line]

    @property
    def characters(self) -> int:
        return sum(len(line.text) for line in self.lines)

    @property
    def score(self) -> float:
        """Mean score of the recogniser, by characters."""
        return sum(line.score * len(line.text) for line in self.lines) / max(self.characters, 1)

    @property
    def runs_up(self) -> bool:
        """Whether most of the lines run up or down."""
        tall = sum(line.bottom - line.top > TALL * (line.right - line.left) for line in self.lines)
        return len(self.lines) >= FEW_LINES and 2 * tall > len(self.lines)

    @property
    def is_doubtful(self) -> bool:
        return len(self.lines) >= FEW_LINES and self.score < DOUBTFUL


def from_lines(lines: Sequence[Line]) -> str:
    """The caption of a page that was read by OCR, lines in the order of the detector."""
    return " ".join(" ".join(line.text for line in lines).split())


def read_page(image: Image.Image, pixels: int, quality: int, read_text: ReadText) -> Reading:
    """What is on an RGB image, read at an area of `pixels`; turned where upright lines cannot be read and turned ones can."""
    rules = ImageRules(quality, NO_BYTE_CAP, OCR_GRID)

    def read(turned: Sequence[Image.Image]) -> list[_Lines]:
        return [_Lines(lines) for lines in read_text([encode(each, pixels, rules).jpeg for each in turned])] if turned else []

    (upright,) = read([image])
    found, best = Reading(from_lines(upright.lines)), 0.5 * upright.score * upright.characters
    turns = _turns(upright)
    for turn, lines in zip(turns, read([image.rotate(turn, expand=True) for turn in turns]), strict=True):
        weight = lines.score * lines.characters
        if lines.score >= SURE and not lines.runs_up and weight > best:
            found, best = Reading(from_lines(lines.lines), turn), weight
    return found


def _turns(lines: _Lines) -> tuple[int, ...]:
    if lines.runs_up:
        return (90, 270)
    return (180,) if lines.is_doubtful else ()


def opened(jpeg: bytes) -> Image.Image:
    """A stored image in RGB."""
    with Image.open(io.BytesIO(jpeg)) as image:
        return image.convert("RGB")
