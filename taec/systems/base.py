"""What every system is given, and the session in which it answers one question.

A system never touches files, MLflow or configuration. Through its session it calls the model and searches; the session sends
the images, counts everything and keeps the ceiling of model calls.
"""

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import BaseModel

from taec.backbones.base import Backbone, image_limit
from taec.core.chat import Message, Reply, ToolChoice
from taec.core.errors import SystemFailure
from taec.core.images import EncodedImage, ImageEncoder, ImageRef
from taec.core.pages import Hit, PageStore
from taec.core.tools import Tool
from taec.core.trajectory import Graph, ModelCall, Purpose, Search, SentImage, Trajectory
from taec.requirements.base import Slots, SlotSource
from taec.retrievers.base import Retriever
from taec.systems.prompts import LEFT_OUT


@dataclass(frozen=True, slots=True)
class Budgets:
    """The protocol's limits (paper, appendix B): calls a question, pages a search, pixels of a fresh image and of all memory images."""

    model_calls: int
    pages: int
    fresh_pixels: int
    memory_pixels: int


@dataclass(frozen=True, slots=True)
class Services:
    """What a run gives to its system; shared by all questions."""

    backbone: Backbone
    retriever: Retriever
    store: PageStore
    encoder: ImageEncoder
    slot_source: SlotSource
    budgets: Budgets


class System(Protocol):
    """A harness around the acting model."""

    async def answer(self, session: "Session") -> None:
        """Answer `session.question`, leaving everything in `session.trajectory`. Raises SystemFailure with a reason."""
        ...


class Session:
    """One question being answered: every call and search goes through it and is counted in its trajectory."""

    def __init__(self, question: str, services: Services) -> None:
        self.question = question
        self.services = services
        self.trajectory = Trajectory(question, Graph(question))

    @property
    def calls_left(self) -> int:
        """Model calls before the ceiling; the forced-answer call and the plain-text question come after it (paper, A.1)."""
        made = sum(call.purpose == "act" for call in self.trajectory.calls)
        return self.services.budgets.model_calls - made

    async def call(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool[BaseModel]] = (),
        choice: ToolChoice = "auto",
        purpose: Purpose = "act",
    ) -> Reply:
        """Send one prompt: images are encoded here, at the pixels their references name.

        Every call is recorded, also one that fails. Raises SystemFailure past the ceiling and where the endpoint gave no reply.
        """
        if purpose == "act" and self.calls_left <= 0:
            raise SystemFailure("call_ceiling", "a system asked for more model calls than the protocol allows")
        messages = self._within_image_limit(messages)
        sent = await asyncio.to_thread(self._encode, messages)
        started = time.perf_counter()
        reply = await self.services.backbone.reply(sent, tools, choice)
        references = [part for message in messages for part in message.parts if isinstance(part, ImageRef)]
        images = [image for message in sent for image in message.images]
        self.trajectory.calls.append(
            ModelCall(
                purpose=purpose,
                images=tuple(
                    SentImage(ref.page_id, ref.box, image.allocated, image.width, image.height, image.base64_bytes)
                    for ref, image in zip(references, images, strict=True)
                ),
                text_characters=sum(len(message.text) for message in sent),
                outcome=reply.outcome,
                tools=tuple(call.name for call in reply.calls),
                model=reply.model,
                seconds=round(time.perf_counter() - started, 4),
                prompt_tokens=reply.usage.prompt_tokens if reply.usage else None,
                completion_tokens=reply.usage.completion_tokens if reply.usage else None,
            )
        )
        for incident in reply.incidents:
            self.trajectory.notice(incident.kind)
            if incident.detail:
                self.trajectory.events.append(f"call {len(self.trajectory.calls)}: {incident.kind}: {incident.detail}")
        if reply.failure:
            raise SystemFailure(reply.outcome, reply.failure)
        return reply

    async def candidates(self, query: str, k: int) -> list[Hit]:
        """Ask the retriever. The search is counted when its pages are recorded with `record_search`."""
        return await self.services.retriever.search(query, k)

    def record_search(self, search: Search) -> None:
        self.trajectory.searches.append(search)

    async def slots(self) -> Slots:
        """The question's requirements, asked for once; the calls it cost are counted apart from the acting model's."""
        found = await self.services.slot_source.slots(self.question)
        self.trajectory.calls.extend(found.calls)
        self.trajectory.slots, self.trajectory.slot_source = found.keywords, found.source
        return found

    def _within_image_limit(self, messages: Sequence[Message]) -> Sequence[Message]:
        """The messages with the oldest pictures left out where a server takes fewer; a text stands in their place."""
        surplus = sum(isinstance(part, ImageRef) for message in messages for part in message.parts) - image_limit(self.services.backbone)
        if surplus <= 0:
            return messages
        self.trajectory.notice("pictures_left_out")
        oldest = iter(range(math.ceil(surplus)))
        return [
            replace(
                message, parts=tuple(LEFT_OUT if isinstance(p, ImageRef) and next(oldest, None) is not None else p for p in message.parts)
            )
            for message in messages
        ]

    def _encode(self, messages: Sequence[Message]) -> list[Message]:
        return [replace(message, parts=tuple(self._sent(part) for part in message.parts)) for message in messages]

    def _sent(self, part: str | ImageRef | EncodedImage) -> str | EncodedImage:
        return self.services.encoder.encode(part) if isinstance(part, ImageRef) else part
