"""Captions: one plain text per page, made from its text layer, or by OCR where the text layer holds next to nothing."""

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from taec.backbones.ocr import Line
from taec.core.settings import Settings

_BROKEN_WORD = re.compile(r"(\w*)\x02\s*(\w*)")
_WORD = re.compile(r"\w+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class CaptionSettings(Settings):
    """How captions are made."""

    source: Literal["text_layer"]
    """Where the text comes from; OCR fills in below `min_characters`."""
    min_characters: int = Field(ge=0)
    """Text layers shorter than this, in characters, are read by OCR as well; 0 never calls OCR."""
    ocr_pixels: int = Field(ge=784)
    """Area in pixels at which such a page is read."""


def from_text_layers(texts: Sequence[str]) -> list[str]:
    """A caption for each text layer of one document: broken words joined, control characters dropped, white space made single.

    pdfium writes a hyphen at the end of a line as U+0002. The two parts are one word where the document has that word
    elsewhere ("requir-ing"), otherwise they keep the hyphen ("Government-wide").
    """
    words = {word.casefold() for text in texts for word in _WORD.findall(text)}

    def joined(broken: re.Match[str]) -> str:
        whole = broken[1] + broken[2]
        return whole if whole.casefold() in words else f"{broken[1]}-{broken[2]}"

    return [" ".join(_CONTROL.sub("", _BROKEN_WORD.sub(joined, text)).split()) for text in texts]


def from_lines(lines: Sequence[Line]) -> str:
    """The caption of a page that was read by OCR, lines in the order of the detector."""
    return " ".join(" ".join(line.text for line in lines).split())
