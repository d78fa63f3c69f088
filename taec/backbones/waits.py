"""How long an endpoint asks to wait, in every form in which endpoints say so."""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pydantic import JsonValue

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
IN_TEXT = re.compile(
    r"(?:retry|try again|available|wait)\D{0,40}?"
    r"((?:\d+(?:\.\d+)?\s?(?:ms|s|m|h)(?![a-z]))+|\d+(?:\.\d+)?\s?(?:milliseconds?|seconds?|minutes?))",
    re.IGNORECASE,
)
EPOCH = 1e9
"""From here on a number of seconds is a point in time (2001), from a thousand times it a number of milliseconds."""
KINDS = ("requests", "tokens", "")


def told_wait(headers: Mapping[str, str], body: JsonValue, now: datetime) -> float | None:
    """Seconds that an endpoint asks to wait, None where it does not say.

    In this order, as the OpenAI SDK and Google's clients read them: `retry-after-ms`, `retry-after` (seconds or an HTTP date, seen
    from the endpoint's own clock), Google's RetryInfo, the rate-limit reset of whatever is used up, and a time named in the message.
    """
    for found in (_retry_after(headers, now), _retry_info(body), _reset(headers, now), _in_text(body)):
        if found is not None:
            return found
    return None


def duration(text: str) -> float | None:
    """Seconds of `6m0s`, `644ms`, `45.8s` or a plain number; None for anything else."""
    text = text.strip().lower()
    if (plain := _seconds(text)) is not None:
        return plain
    if not text or DURATION.sub("", text):
        return None
    return sum(float(count) * UNITS[unit] for count, unit in DURATION.findall(text))


def _seconds(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    if (milliseconds := _seconds(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    said = headers.get("retry-after", "")
    if (seconds := duration(said)) is not None:
        return seconds
    return _until(_date(said), _date(headers.get("date", "")) or now)


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _until(then: datetime | None, now: datetime) -> float | None:
    return None if then is None else max(0.0, (then - now).total_seconds())


def _retry_info(body: JsonValue) -> float | None:
    delays = [item["retryDelay"] for item in objects(body) if "retryDelay" in item]
    waits = [wait for delay in delays if (wait := duration(str(delay))) is not None]
    return max(waits, default=None)


def _reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """The reset of what is used up; of everything where nothing says what is left."""
    names = [f"-{kind}" if kind else "" for kind in KINDS]
    used_up = [name for name in names if headers.get(f"x-ratelimit-remaining{name}", "").strip() == "0"]
    says = any(f"x-ratelimit-remaining{name}" in headers for name in names)
    resets = [headers.get(f"x-ratelimit-reset{name}", "") for name in (used_up if says else names)]
    return max((wait for reset in resets if (wait := _point_or_span(reset, now)) is not None), default=None)


def _point_or_span(text: str, now: datetime) -> float | None:
    if (span := duration(text)) is not None:
        if span < EPOCH:
            return span
        return max(0.0, (span / 1000 if span >= EPOCH * 1000 else span) - now.timestamp())
    try:
        then = datetime.fromisoformat(text)
    except ValueError:
        return None
    return _until(then if then.tzinfo else then.replace(tzinfo=UTC), now)


def _in_text(body: JsonValue) -> float | None:
    for text in texts(body):
        if found := IN_TEXT.search(text):
            short = re.sub(r"\s|illi|econds?|inutes?", "", found.group(1).lower())
            return duration(short)
    return None


def objects(value: JsonValue) -> Iterator[Mapping[str, JsonValue]]:
    """Every object in parsed JSON, the outer before the inner."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(item)


def texts(value: JsonValue) -> Iterator[str]:
    """Every text in parsed JSON."""
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(item)
