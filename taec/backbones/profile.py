"""What differs between served models, as typed settings. Values and their provenance stand in `conf/backbone/*.yaml`."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue, StringConstraints

from taec.core.chat import ToolChoice
from taec.core.settings import Settings as Base

Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]
Dollars = Annotated[float, Field(ge=0)]


def _named(value: str | tuple[str, ...] | None) -> str | tuple[str, ...] | None:
    """What is typed by mistake for the name of a variable is often the key itself: only capitals pass, and nothing is repeated."""
    names = () if value is None else (value,) if isinstance(value, str) else value
    if not all(re.fullmatch("[A-Z][A-Z0-9_]{0,63}", name) for name in names):
        raise ValueError("must be the NAME of an environment variable, in capitals, or [SEVERAL,NAMES]; keys stand in the environment only")
    return value


Variables = Annotated[str | tuple[str, ...] | None, AfterValidator(_named)]
"""The name of the environment variable with the key or keys, several names, or none."""
Address = Annotated[str, StringConstraints(pattern=r"^https?://[^\s@?#]+$")]
"""Where an endpoint is, without a name, password, query or fragment in it: those are places for secrets."""


class RequestSettings(Base):
    """What is sent beside the messages.

    `token_limit` is the field's name and `max_tokens` its value. A `temperature` or `parallel_tool_calls` of null is not sent.
    `thinking` are the body's keys that switch thinking off, or as low as it goes (a key of null is not sent). `tool_choice` says what
    is sent for a choice.
    `unmet` holds what the protocol asks for and the model cannot do, by topic, with the reason: it stands in the manifest.
    """

    token_limit: Literal["max_tokens", "max_completion_tokens"]
    max_tokens: Count
    temperature: Annotated[float, Field(ge=0, le=2)] | None
    thinking: dict[str, JsonValue]
    tool_choice: dict[ToolChoice, Literal["auto", "required", "none"]]
    parallel_tool_calls: bool | None
    strict_tools: bool
    extra_body: dict[str, JsonValue]
    unmet: dict[str, str]


class MessageSettings(Base):
    """How messages are written down. `replayed` names the vendor's own fields that go back with an assistant message."""

    tool_names: bool
    merge_users: bool
    replayed: tuple[str, ...]
    max_images: Count | None
    max_body_bytes: Count


class ReplySettings(Base):
    """How replies are read. `recover_calls` also takes tool calls that are written as text."""

    recover_calls: bool
    max_argument_characters: Count


class LimitSettings(Base):
    """What a key may be asked for, and how long a call waits (seconds) before the run stops.

    Limits of null are taken from the endpoint's headers, or found by backing off. `burst` is the share of a minute's limit that may
    go at once. `same_faults` identical failures stop the run where nothing of the kind ever worked, as do so many lost
    connections in a row.
    """

    requests_per_minute: Count | None
    tokens_per_minute: Count | None
    burst: Annotated[float, Field(gt=0, le=0.5)]
    image_tokens: Count
    first_backoff: Seconds
    longest_backoff: Seconds
    slow_down: Annotated[float, Field(gt=0, lt=1)]
    speed_up: Annotated[float, Field(ge=1)]
    rate_limit_patience: Seconds
    overload_patience: Seconds
    same_faults: Count


class TimeoutSettings(Base):
    """Seconds: to connect, for a whole call, and after which an idle connection is not used again."""

    connect: Seconds
    total: Seconds
    keep_alive: Seconds


class PriceSettings(Base):
    """US dollars for a million tokens; null is unknown, which is never 0."""

    input: Dollars | None
    cached_input: Dollars | None
    output: Dollars | None
