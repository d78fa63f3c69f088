"""A small world for systems: pages drawn here, a retriever with a fixed ranking, and a model that plays a script."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import cast

from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from PIL import Image
from pydantic import BaseModel, JsonValue

from taec.core.chat import Message, Reply, ToolCall, ToolChoice
from taec.core.images import ImageEncoder, ImageRules
from taec.core.pages import Hit, Page
from taec.core.tools import Tool
from taec.requirements.base import Slots, SlotSource
from taec.retrievers.base import IndexIdentity
from taec.systems.base import Budgets, Services, Session, System

CONF = Path(__file__).parents[2] / "conf"
PAGES = 30


class Store:
    """Thirty pages `d.pdf_p1` .. `d.pdf_p30`; the captions of 7 and 9 carry the words alpha and beta."""

    caption_length_p95 = 60

    def __init__(self) -> None:
        words = {7: "alpha figures of the year", 9: "beta figures of the year"}
        self._pages = {
            f"d.pdf_p{n}": Page("d.pdf", n, 400, 500, words.get(n, f"filler text number {n} about nothing")) for n in range(1, PAGES + 1)
        }

    def page(self, page_id: str) -> Page:
        return self._pages[page_id]

    def image(self, page_id: str) -> Image.Image:
        page = self._pages[page_id]
        noise = random.Random(page.number).randbytes(page.width * page.height)
        return Image.frombytes("L", (page.width, page.height), noise).convert("RGB")


class Ranking:
    """Gives page 1, 2, 3, ... for every query."""

    identity = IndexIdentity("ranking", PAGES, "0" * 16)

    def __init__(self) -> None:
        self.queries: list[str] = []

    async def search(self, query: str, k: int) -> list[Hit]:
        self.queries.append(query)
        return [Hit(f"d.pdf_p{n}", 1 - n / 100) for n in range(1, min(k, PAGES) + 1)]


class FixedSlots(SlotSource):
    def __init__(self, tracks_resolution: bool = False) -> None:
        self.tracks_resolution = tracks_resolution

    async def slots(self, question: str) -> Slots:
        return Slots(("alpha", "beta"), "fixed")


@dataclass
class Seen:
    """One call as the model got it."""

    messages: Sequence[Message]
    tools: tuple[str, ...]
    choice: ToolChoice


@dataclass
class Script:
    """Plays `replies` in order, then repeats the last one."""

    replies: Sequence[Reply]
    seen: list[Seen] = field(default_factory=list)

    async def reply(self, messages: Sequence[Message], tools: Sequence[Tool[BaseModel]], choice: ToolChoice) -> Reply:
        self.seen.append(Seen(messages, tuple(tool.name for tool in tools), choice))
        return self.replies[min(len(self.seen), len(self.replies)) - 1]

    def identity(self) -> Mapping[str, JsonValue]:
        return {"kind": "script"}

    async def close(self) -> None:
        pass


def call(name: str, /, **arguments: JsonValue) -> Reply:
    return Reply(calls=(ToolCall("c1", name, arguments),), model="script")


def say(text: str) -> Reply:
    return Reply(text=text, model="script")


@dataclass
class World:
    session: Session
    script: Script
    retriever: Ranking


def make_world(*replies: Reply, model_calls: int = 20, tracks_resolution: bool = False) -> World:
    """A session over the small world in which the model plays the given replies."""
    store, retriever, script = Store(), Ranking(), Script(replies)
    encoder = ImageEncoder(store, ImageRules(75, 38_000, 28))
    budgets = Budgets(model_calls=model_calls, pages=5, fresh_pixels=60_000, memory_pixels=200_000)
    services = Services(script, retriever, store, encoder, FixedSlots(tracks_resolution), budgets)
    return World(Session("What are\nalpha and beta?", services), script, retriever)


def system(name: str, *overrides: str, ablation: str = "none") -> System:
    """The system of `conf/system/<name>.yaml` with overrides, as the command line would build it."""
    with initialize_config_dir(str(CONF), version_base="1.3"):
        composed = compose(f"system/{name}", list(overrides))
    module = import_module(f"taec.systems.{name}")
    effective = OmegaConf.merge(composed.system, OmegaConf.load(CONF / "ablation" / f"{ablation}.yaml"))
    values = OmegaConf.to_container(effective, resolve=True)
    return cast(System, module.build(module.Settings.model_validate(values)))
