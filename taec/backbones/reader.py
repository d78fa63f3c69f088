"""The `reader` backbone: an acting model that works by rules over OCR, without a network.

It sees what any acting model sees, messages and tools, decodes the JPEG bytes it was sent and reads them by OCR. What it can find out
therefore depends on which pages it is shown and at how many pixels. It keeps nothing between calls but a bounded cache of read images.
"""

import asyncio
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from taec.backbones.base import Backbone
from taec.backbones.ocr import ENGINE, Ocr, OcrCache
from taec.backbones.reading.answers import Limits
from taec.backbones.reading.layout import Sheet
from taec.backbones.reading.plays import Manners, play
from taec.backbones.reading.prompt import understand
from taec.backbones.reading.situation import stand
from taec.core.chat import Message, Reply, ToolChoice
from taec.core.settings import Settings as BaseSettings
from taec.core.tools import Tool

MODEL = "reader-1 (rule-based)"
_KEPT_SHEETS = 512
"""Read images kept in memory; a question's context has a few dozen."""


class Settings(BaseSettings):
    """Options of the rule-based reader."""

    name: Literal["reader"]
    ocr_workers: int = Field(ge=1, le=64, description="OCR engines side by side; each takes one core and about 0.5 GB")
    max_searches: int = Field(ge=1, le=20, description="searches after which it answers with what it has")
    answer_confidence: float = Field(gt=0, le=1, description="confidence of a finding at which it stops searching")
    guess_confidence: float = Field(ge=0, le=1, description="least confidence of an answer; below it says `Not answerable`")
    label_match: float = Field(gt=0, le=1, description="least agreement of a form label with the asked thing")
    anchor_match: float = Field(
        gt=0, le=1, description="least share of a question's names and dates on the page that identifies its subject"
    )
    prose_gain: float = Field(
        gt=0, le=5, description="factor on the word overlap of prose, where questions paraphrase, against that of labels"
    )


class Reader(Backbone):
    """Plays every system's tools by their schema names."""

    def __init__(self, settings: Settings, ocr: Ocr) -> None:
        self._settings = settings
        self._ocr = ocr
        self._limits = Limits(settings.label_match, settings.anchor_match, settings.prose_gain, settings.answer_confidence)
        self._manners = Manners(settings.max_searches, settings.answer_confidence, settings.guess_confidence)
        self._sheets: OrderedDict[bytes, Sheet] = OrderedDict()
        self._lock = threading.Lock()

    async def reply(self, messages: Sequence[Message], tools: Sequence[Tool[BaseModel]], choice: ToolChoice) -> Reply:
        """One reply: a call of an offered tool, or text where none is offered or known."""
        return await asyncio.to_thread(self._reply, messages, tools, choice)

    def identity(self) -> Mapping[str, JsonValue]:
        """What this model is, for the manifest."""
        return {
            "model": MODEL,
            "kind": "rule-based reader over OCR",
            "ocr": ENGINE,
            "rapidocr": version("rapidocr"),
            **self._settings.model_dump(),
        }

    async def close(self) -> None:
        """Nothing is open but threads that end with the process."""

    def _reply(self, messages: Sequence[Message], tools: Sequence[Tool[BaseModel]], choice: ToolChoice) -> Reply:
        prompt = understand(messages)
        sheets = self._read([picture.image.jpeg for picture in prompt.pictures])
        situation = stand(prompt, sheets, self._limits)
        offered = {} if choice == "none" else {tool.name: tool.schema() for tool in tools}
        text, calls = play(situation, offered, self._manners)
        return Reply(text=text, calls=calls, model=MODEL)

    def _read(self, jpegs: Sequence[bytes]) -> list[Sheet]:
        """Read pages, in order; each picture once for as long as it stays among the latest."""
        keys = [hashlib.sha256(jpeg).digest() for jpeg in jpegs]
        with self._lock:
            known = {key: self._sheets[key] for key in keys if key in self._sheets}
        unknown = {key: jpeg for key, jpeg in zip(keys, jpegs, strict=True) if key not in known}
        lines = self._ocr.read_all(list(unknown.values()))
        known |= {key: Sheet(page) for key, page in zip(unknown, lines, strict=True)}
        with self._lock:
            for key in keys:
                self._sheets[key] = known[key]
                self._sheets.move_to_end(key)
            while len(self._sheets) > _KEPT_SHEETS:
                self._sheets.popitem(last=False)
        return [known[key] for key in keys]


def build(settings: Settings, cache: Path) -> Reader:
    """The reader with its OCR results kept in `cache/ocr.sqlite`."""
    return Reader(settings, Ocr(OcrCache(cache / "ocr.sqlite"), settings.ocr_workers))
