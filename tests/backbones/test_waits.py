"""Every form in which an endpoint says how long to wait."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from pydantic import JsonValue

from taec.backbones.waits import duration, told_wait

NOW = datetime(2026, 10, 8, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "Thu, 08 Oct 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Thu, 08 Oct 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "Thu, 08 Oct 2026 13:00:30 GMT", "date": "Thu, 08 Oct 2026 13:00:10 GMT"}, 20),
        ({"x-ratelimit-reset-requests": "6m0s"}, 360),
        ({"x-ratelimit-reset-tokens": "644ms"}, 0.644),
        ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6s", "x-ratelimit-remaining-requests": "0",
          "x-ratelimit-remaining-tokens": "12"}, 1),
        ({"x-ratelimit-reset": str(int(NOW.timestamp() * 1000) + 4000)}, 4),
        ({"x-ratelimit-reset": "2026-10-08T12:00:05Z"}, 5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "-3"}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_headers(headers: Mapping[str, str], seconds: float | None) -> None:
    assert told_wait(headers, None, NOW) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        ([{"error": {"details": [{"@type": "RetryInfo", "retryDelay": "45.837906927s"}]}}], 45.837906927),
        ({"error": {"message": "Rate limit reached. Please try again in 6m12s."}}, 372),
        ({"error": {"message": "Please retry in 20.5s."}}, 20.5),
        ({"error": {"message": "Please try again in 644ms."}}, 0.644),
        ({"error": {"message": "please try again after 3 seconds"}}, 3),
        ({"error": {"message": "Limit 30000, Used 29000, Requested 2000."}}, None),
        ("<html>429</html>", None),
    ],
)
def test_bodies(body: JsonValue, seconds: float | None) -> None:
    assert told_wait({}, body, NOW) == pytest.approx(seconds)


def test_headers_go_before_the_body() -> None:
    assert told_wait({"retry-after": "2"}, {"retryDelay": "50s"}, NOW) == 2


@pytest.mark.parametrize(("text", "seconds"), [("1h2m3s", 3723), ("20ms", 0.02), ("5", 5), ("", None), ("6 apples", None), ("s", None)])
def test_durations(text: str, seconds: float | None) -> None:
    assert duration(text) == pytest.approx(seconds)
