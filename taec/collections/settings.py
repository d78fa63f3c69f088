"""How documents become pages and captions, as typed settings; values stand in `conf/collection/*.yaml`."""

import re
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from taec.backbones import openai_chat
from taec.core.settings import Settings


class RenderSettings(Settings):
    """The stored images, and what making one may take."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"memory", "seconds"})

    pixels: int = Field(ge=784)
    """Area of a stored image in pixels: the most that any model can be shown of a page."""
    quality: int = Field(ge=1, le=95)
    """JPEG quality of the stored image."""
    memory: int = Field(ge=100_000_000)
    """Bytes of address space that a rendering process may take beyond what it starts with."""
    seconds: float = Field(gt=0)
    """Time for one page; a page that takes longer is left out."""


class CaptionSettings(Settings):
    """How captions are made."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"concurrency"})

    source: Literal["text_layer", "ocr", "model"]
    """Where the text comes from. OCR fills in where a text layer is short or no text; pages that a model fails on are captioned so too."""
    min_characters: int = Field(ge=0)
    """Text layers shorter than this, in characters, are read by OCR as well; 0 leaves them."""
    ocr_pixels: int = Field(ge=784)
    """Area in pixels at which a page is read."""
    model: openai_chat.Settings | None
    """What describes pages where `source` is `model`."""
    model_pixels: int = Field(ge=784)
    """Area in pixels at which a page is shown to it."""
    concurrency: int = Field(ge=1)
    """Pages described at once for each key."""

    @model_validator(mode="after")
    def _model_is_named(self) -> "CaptionSettings":
        if self.source == "model" and self.model is None:
            raise ValueError("source=model needs a model: collection=model brings one, see conf/collection/model.yaml")
        return self


def _no_secret(variable: str) -> str:
    """What is typed by mistake for the name of a variable is often the password itself: only capitals pass, and nothing is repeated."""
    if not re.fullmatch("[A-Z][A-Z0-9_]{0,63}", variable):
        raise ValueError("must be the NAME of an environment variable, in capitals; passwords stand in the environment or in a file only")
    return variable


Variable = Annotated[str, AfterValidator(_no_secret)]


class PasswordSettings(Settings):
    """Where the passwords of encrypted documents are; never the passwords themselves."""

    variables: dict[str, Variable] | None
    """For a document's name the NAME of the environment variable with its password; `*` stands for every other document."""
    file: Path | None
    """A JSON object of names and passwords, for names that are many or secret variables that are none."""


class CollectionSettings(Settings):
    """How documents become pages and captions."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"passwords"})

    render: RenderSettings
    captions: CaptionSettings
    passwords: PasswordSettings
