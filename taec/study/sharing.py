"""What the trials of one worker share, by content: a trial repeats nothing that its parameters cannot change."""

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from PIL import Image
from pydantic import BaseModel, JsonValue

from taec.backbones.base import Backbone, Served
from taec.core.chat import Message, Reply, ToolChoice
from taec.core.images import ImageEncoder
from taec.core.pages import Page, PageStore
from taec.core.progress import Stage
from taec.core.tools import Tool
from taec.experiment.config import Config
from taec.experiment.parts import Parts
from taec.requirements.base import Slots, SlotSource
from taec.requirements.remembered import Remembered as RememberedSlots
from taec.retrievers.base import Retriever
from taec.retrievers.remembered import Remembered as RememberedHits

PAGES = 48
"""Decoded pages kept: 4.5 MB each at 1.5 megapixels."""
IMAGES = 8192
"""Encoded images kept: at most 38,000 bytes each."""


class SharedParts(Parts):
    """Parts whose results are remembered from trial to trial."""

    def __init__(self) -> None:
        super().__init__()
        self._retrievers_around: dict[int, RememberedHits] = {}
        self._slots: dict[str, dict[str, Slots]] = {}
        self._encoders: dict[str, ImageEncoder] = {}
        self._pages: dict[str, DecodedPages] = {}
        self._backbones: dict[str, Lasting] = {}
        self._sources: list[RememberedSlots] = []

    def retriever(self, config: Config, stage: Stage) -> Retriever:
        retriever = super().retriever(config, stage)
        return self._retrievers_around.setdefault(id(retriever), RememberedHits(retriever))

    def encoder(self, config: Config, stage: Stage) -> ImageEncoder:
        collection = self.collection(config, stage)
        key = json.dumps([str(collection.folder), config.resolved["budget"]["image"]])
        if key not in self._encoders:
            pages = self._pages.setdefault(str(collection.folder), DecodedPages(collection, PAGES))
            self._encoders[key] = ImageEncoder(pages, config.plain.budget.rules(), IMAGES)
        return self._encoders[key]

    def slot_source(self, config: Config) -> SlotSource:
        known = self._slots.setdefault(json.dumps(config.resolved["requirements"], sort_keys=True), {})
        source = RememberedSlots(super().slot_source(config), known)
        self._sources.append(source)
        return source

    def backbone(self, config: Config) -> Backbone:
        """An embedded model stays, with what it has read; behind a served one stand connections, which belong to one run."""
        key = json.dumps([config.resolved["backbone"], config.resolved["cache"]], sort_keys=True)
        if key in self._backbones:
            return self._backbones[key]
        backbone = super().backbone(config)
        if isinstance(backbone, Served):
            return backbone
        return self._backbones.setdefault(key, Lasting(backbone))

    @property
    def searched(self) -> int:
        """Searches that really were made."""
        return sum(retriever.searched for retriever in self._retrievers_around.values())

    @property
    def asked(self) -> int:
        """Questions that really were taken apart."""
        return sum(source.asked for source in self._sources)

    @property
    def decoded(self) -> int:
        """Pages that really were decoded."""
        return sum(pages.decoded for pages in self._pages.values())


class Lasting:
    """An embedded model that outlives a run: what closes it is the end of the process."""

    def __init__(self, backbone: Backbone) -> None:
        self._backbone = backbone

    async def reply(self, messages: Sequence[Message], tools: Sequence[Tool[BaseModel]], choice: ToolChoice) -> Reply:
        return await self._backbone.reply(messages, tools, choice)

    def identity(self) -> Mapping[str, JsonValue]:
        return self._backbone.identity()

    async def close(self) -> None:
        return


class DecodedPages:
    """A page store that keeps the latest decoded pages. `decoded` counts what really was. Safe across threads."""

    def __init__(self, store: PageStore, keep: int) -> None:
        self._store = store
        self._keep = keep
        self._images: OrderedDict[str, Image.Image] = OrderedDict()
        self._lock = threading.Lock()
        self.decoded = 0

    @property
    def caption_length_p95(self) -> int:
        return self._store.caption_length_p95

    def page(self, page_id: str) -> Page:
        return self._store.page(page_id)

    def image(self, page_id: str) -> Image.Image:
        """The decoded page, not to be changed: it is kept."""
        with self._lock:
            if (known := self._images.get(page_id)) is not None:
                self._images.move_to_end(page_id)
                return known
        image = self._store.image(page_id)
        with self._lock:
            self.decoded += 1
            self._images[page_id] = image
            while len(self._images) > self._keep:
                self._images.popitem(last=False)
        return image
