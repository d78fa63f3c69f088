"""Every served model: a chat endpoint as OpenAI's, with native tool calls. What differs between models is data (`conf/backbone/*.yaml`)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field, JsonValue, StringConstraints

from taec.backbones.base import Backbone
from taec.backbones.calls import Calls
from taec.backbones.endpoint import Endpoint, check_address
from taec.backbones.faults import Fault
from taec.backbones.keys import Key, read_keys
from taec.backbones.limits import Clock, SystemClock
from taec.backbones.profile import (
    Address,
    LimitSettings,
    MessageSettings,
    PriceSettings,
    ReplySettings,
    RequestSettings,
    TimeoutSettings,
    Variables,
)
from taec.backbones.replies import read
from taec.backbones.wire import compose
from taec.core.chat import Incident, Message, Reply, ToolChoice
from taec.core.errors import SystemFailure
from taec.core.settings import Settings as BaseSettings
from taec.core.tools import Tool


class Settings(BaseSettings):
    """One served model. Keys never stand in here: `api_key_env` names the environment variable, or several, that hold them."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"api_key_env", "limits", "timeouts", "prices"})

    name: Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_]*$")]
    module: Literal["openai_chat"]
    base_url: Address
    model: Annotated[str, Field(min_length=1)]
    api_key_env: Variables
    request: RequestSettings
    messages: MessageSettings
    replies: ReplySettings
    limits: LimitSettings
    timeouts: TimeoutSettings
    prices: PriceSettings

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that hold keys."""
        named = self.api_key_env
        return () if named is None else (named,) if isinstance(named, str) else named


class OpenAIChat(Backbone):
    """A served model. Waits as it is told to, gives up a key that is used up, and turns whatever comes back into a named outcome."""

    def __init__(self, settings: Settings, keys: Sequence[Key], clock: Clock) -> None:
        self._settings = settings
        self._endpoint = Endpoint(settings.base_url, keys, settings.timeouts)
        self._calls = Calls(self._endpoint, keys, settings.limits, clock, holds="choices")

    @property
    def lanes(self) -> int:
        return self._calls.lanes

    @property
    def max_images(self) -> int | None:
        return self._settings.messages.max_images

    async def reply(self, messages: Sequence[Message], tools: Sequence[Tool[BaseModel]], choice: ToolChoice) -> Reply:
        """One call. Raises InfrastructureError where going on makes no sense: no key left, a wrong setting, a server that is gone."""
        settings = self._settings
        try:
            request = compose(settings.model, messages, tools, choice, settings.request, settings.messages, settings.limits.image_tokens)
        except SystemFailure as failure:
            return Reply(outcome=failure.reason, failure=failure.detail)
        incidents: list[Incident] = []
        answer = await self._calls.answer(request, incidents)
        if isinstance(answer, Fault):
            return Reply(outcome=answer.reason, failure=answer.detail, incidents=tuple(incidents))
        assert isinstance(answer.body, dict)
        found = read(answer.body, settings.model, tools, bool(tools) and choice != "none", settings.replies, settings.messages)
        return replace(found, incidents=(*incidents, *found.incidents))

    def identity(self) -> Mapping[str, JsonValue]:
        """What is sent and what the protocol asks for and could not be met, for the manifest."""
        return {
            "model": self._settings.model,
            "kind": "served over an OpenAI-compatible chat endpoint",
            **self._endpoint.facts,
            "keys": self._calls.lanes,
            "sent": sent(self._settings.request),
            "unmet": list(unmet(self._settings.request)),
        }

    async def close(self) -> None:
        await self._endpoint.close()


def sent(request: RequestSettings) -> dict[str, JsonValue]:
    """The fields of every request, beside messages and tools."""
    fields: dict[str, JsonValue] = {request.token_limit: request.max_tokens}
    for name, value in (("temperature", request.temperature), ("parallel_tool_calls", request.parallel_tool_calls)):
        if value is not None:
            fields[name] = value
    choices: dict[str, JsonValue] = {str(choice): form for choice, form in request.tool_choice.items()}
    further = {name: value for name, value in (request.thinking | request.extra_body).items() if value is not None}
    return fields | further | {"tool_choice": choices, "strict_tools": request.strict_tools}


def unmet(request: RequestSettings) -> Sequence[str]:
    """What the protocol asks for and is not done, each with its reason."""
    found = []
    if request.temperature is None:
        found.append(f"temperature omitted: {request.unmet.get('temperature', 'by configuration')}")
    for choice, form in request.tool_choice.items():
        if form != choice:
            found.append(f"tool_choice {choice} sent as {form}: {request.unmet.get('tool_choice', 'by configuration')}")
    found += [f"{topic}: {reason}" for topic, reason in request.unmet.items() if topic not in ("temperature", "tool_choice")]
    return found


def build(settings: Settings, cache: Path) -> OpenAIChat:
    """The model with the keys of the environment. Raises UsageError where there is none or the address cannot be one."""
    check_address(settings.base_url)
    return OpenAIChat(settings, read_keys(settings.variables), SystemClock())
