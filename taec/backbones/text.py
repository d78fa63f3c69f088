"""A served model asked for a text: one prompt, one answer. Judges and requirement states are made of it."""

import time
from pathlib import Path

from taec.backbones import openai_chat
from taec.backbones.base import Backbone
from taec.core.chat import Message, Reply
from taec.core.errors import UsageError
from taec.core.trajectory import ModelCall, Purpose


class TextModel:
    """One model behind a `Backbone`, without images and tools."""

    def __init__(self, backbone: Backbone, model: str) -> None:
        self._backbone = backbone
        self.model = model

    async def ask(self, prompt: str, purpose: Purpose) -> tuple[Reply, ModelCall]:
        """The reply and the call as it is recorded. Raises InfrastructureError where going on makes no sense."""
        started = time.perf_counter()
        reply = await self._backbone.reply([Message.user(prompt)], (), "none")
        usage = reply.usage
        call = ModelCall(
            purpose=purpose,
            images=(),
            text_characters=len(prompt),
            outcome=reply.outcome,
            tools=(),
            model=reply.model,
            seconds=round(time.perf_counter() - started, 4),
            prompt_tokens=usage.prompt_tokens if usage else None,
            completion_tokens=usage.completion_tokens if usage else None,
        )
        return reply, call

    async def close(self) -> None:
        """Release connections."""
        await self._backbone.close()


def build(settings: openai_chat.Settings, node: str) -> TextModel:
    """The model that a configuration node describes (`judge.model`), which faults are told under."""
    try:
        return TextModel(openai_chat.build(settings, Path()), settings.model)
    except UsageError as error:
        raise UsageError(*(fault.replace("backbone.", f"{node}.") for fault in error.faults)) from None
