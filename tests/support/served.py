"""A served backbone as the shipped configuration makes it, pointed at a server on loopback, with a clock that does not wait."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from support.world import CONF
from taec.backbones.keys import NO_KEY, Key
from taec.backbones.limits import SystemClock
from taec.backbones.openai_chat import OpenAIChat, Settings
from taec.core.chat import Message, Reply, ToolChoice
from taec.core.images import EncodedImage
from taec.systems.react import TOOLS


@dataclass
class Clock:
    """Time that passes when somebody sleeps."""

    time: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


def settings(url: str, name: str = "openai_compatible", **changes: object) -> Settings:
    """`conf/backbone/<name>.yaml` with changes by dotted path (`__` for the dot)."""
    with initialize_config_dir(str(CONF), version_base="1.3"):
        composed = compose(f"backbone/{name}").backbone
    OmegaConf.update(composed, "base_url", url)
    if OmegaConf.is_missing(composed, "model"):
        OmegaConf.update(composed, "model", "m")
    for path, value in changes.items():
        OmegaConf.update(composed, path.replace("__", "."), value, force_add=True)
    return Settings.model_validate(OmegaConf.to_container(composed, resolve=True))


@contextlib.asynccontextmanager
async def served(url: str, *keys: Key, clock: Clock | SystemClock | None = None, **changes: object) -> AsyncIterator[OpenAIChat]:
    """A backbone that is closed at the end."""
    backbone = OpenAIChat(settings(url, **changes), keys or (NO_KEY,), clock or Clock())  # type: ignore[arg-type]
    try:
        yield backbone
    finally:
        await backbone.close()


async def ask(backbone: OpenAIChat, text: str = "Question: what?", choice: ToolChoice = "auto") -> Reply:
    """One call with ReAct's tools."""
    return await backbone.reply([Message.system("Answer."), Message.user(text)], TOOLS, choice)


def kinds(reply: Reply) -> list[str]:
    return [incident.kind for incident in reply.incidents]


async def ask_pictures(backbone: OpenAIChat, pictures: int) -> Reply:
    """One call with so many small pictures."""
    image = EncodedImage(bytes(range(256)) * 4, 28, 28, 784)
    return await backbone.reply([Message.user("Question: what?", *[image] * pictures)], TOOLS, "auto")


__all__ = ["Clock", "SystemClock", "ask", "ask_pictures", "kinds", "served", "settings"]
