"""Lanes and buckets, on a clock that does not wait."""

import asyncio
import random

import pytest
from support.served import Clock, settings

from taec.backbones.keys import Key
from taec.backbones.limits import Bucket, Lane, Lanes
from taec.core.errors import InfrastructureError

LIMITS = settings("http://127.0.0.1:1/v1").limits


def lane(clock: Clock, **changes: object) -> Lane:
    return Lane(Key("K", "secret-secret"), LIMITS.model_copy(update=changes), clock, random.Random(1))


class Service:
    """An endpoint with a quota of requests: a continuous bucket, as LLMock and OpenAI have, or a window of a minute."""

    def __init__(self, clock: Clock, per_minute: int, *, window: bool, headers: bool) -> None:
        self._clock, self._limit, self._window, self._headers = clock, per_minute, window, headers
        self._level, self._at, self._start = float(per_minute), clock.now(), clock.now()
        self.asked = self.refused = 0

    def request(self) -> tuple[float | None, dict[str, str]]:
        """The wait where the request is refused, and the headers."""
        now = self._clock.now()
        if self._window and now - self._start >= 60:
            self._start, self._level = now, self._limit
        elif not self._window:
            self._level = min(self._limit, self._level + (now - self._at) * self._limit / 60)
        self._at = now
        self.asked += 1
        wait = None
        if self._level < 1:
            self.refused += 1
            wait = 60 - (now - self._start) if self._window else (1 - self._level) * 60 / self._limit
        else:
            self._level -= 1
        told = {"x-ratelimit-limit-requests": str(self._limit), "x-ratelimit-remaining-requests": str(int(self._level))}
        return wait, told if self._headers else {}


async def drive(lane: Lane, clock: Clock, service: Service, seconds: float) -> None:
    """Send as fast as the lane allows, each call taking a twentieth of a second."""
    end = clock.now() + seconds
    while clock.now() < end:
        await lane.admit(100)
        wait, headers = service.request()
        clock.time += 0.05
        lane.heard(100, headers)
        if wait is None:
            lane.answered(100, 100)
        else:
            lane.refused(wait, slow_down=True)


@pytest.mark.parametrize("window", [False, True])
@pytest.mark.parametrize("known", ["configured", "headers", "unknown"])
async def test_at_most_two_in_a_hundred_are_refused_once_the_bucket_has_settled(known: str, window: bool) -> None:
    clock = Clock()
    found = lane(clock, requests_per_minute=120 if known == "configured" else None)
    service = Service(clock, 120, window=window, headers=known == "headers")
    await drive(found, clock, service, 180)
    service.asked = service.refused = 0
    await drive(found, clock, service, 1200)
    assert service.refused <= 0.02 * service.asked
    assert service.asked >= 0.75 * 120 * 20


async def test_no_minute_of_a_configured_bucket_has_more_than_its_limit() -> None:
    clock = Clock()
    found = lane(clock, requests_per_minute=60)
    sent = []
    for _ in range(300):
        await found.admit(1)
        sent.append(clock.now())
    assert max(sum(start <= at < start + 60 for at in sent) for start in sent) <= 61


async def test_random_refusals_do_not_bring_a_lane_to_a_halt() -> None:
    clock, chance = Clock(), random.Random(3)
    found = lane(clock)
    answered = 0
    for _ in range(4000):
        await found.admit(1)
        clock.time += 0.5
        if chance.random() < 0.2:
            found.refused(1.0, slow_down=True)
        else:
            found.answered(1, 1)
            answered += 1
    assert answered / (clock.now() - 1000) > 0.25


async def test_the_charge_for_tokens_is_learnt_from_the_headers() -> None:
    clock = Clock()
    found = lane(clock)
    remaining, at = 60_000.0, clock.now()

    async def request() -> None:
        nonlocal remaining, at
        await found.admit(100)
        remaining = min(60_000.0, remaining + (clock.now() - at) * 1000) - 3000
        at = clock.now()
        assert remaining >= 0
        found.heard(100, {"x-ratelimit-limit-tokens": "60000", "x-ratelimit-remaining-tokens": str(int(remaining))})

    for _ in range(20):
        await request()
    before = clock.now()
    for _ in range(40):
        await request()
    assert clock.now() - before == pytest.approx(40 * 3000 / 900, rel=0.1)


async def test_a_request_above_the_capacity_goes_when_the_bucket_is_full() -> None:
    bucket = Bucket(600, 0.1, 0.0)
    assert bucket.wait(10_000, 0.0) == 0
    bucket.take(10_000)
    assert bucket.wait(1, 0.0) > 60


async def test_waits_double_without_a_word_and_are_as_told_otherwise() -> None:
    clock = Clock()
    found = lane(clock)
    waits = []
    for _ in range(9):
        waits.append(found.refused(None, slow_down=False))
        await found.admit(1)
    assert all(0.5 * 2**n <= wait <= 2**n + 0.5 for n, wait in enumerate(waits[:6]))
    assert max(waits) <= 60.5
    assert 90 <= found.refused(90, slow_down=False) <= 90.5


async def test_refusals_of_one_moment_count_once() -> None:
    clock = Clock()
    found = lane(clock)
    for _ in range(3):
        found.refused(None, slow_down=False)
    await found.admit(1)
    assert clock.now() - 1000 <= 1.5


async def test_a_task_keeps_its_lane_until_it_stops_and_lanes_are_shared_out() -> None:
    clock = Clock()
    both = [lane(clock), lane(clock)]
    lanes = Lanes(both)

    async def twice() -> Lane:
        first = lanes.mine()
        assert lanes.mine() is first
        return first

    assert set(await asyncio.gather(twice(), twice())) == set(both)
    mine = lanes.mine()
    mine.stopped = "used up"
    other = lanes.mine()
    assert other is not mine
    other.stopped = "used up too"
    with pytest.raises(InfrastructureError, match="K: used up\nK: used up too"):
        lanes.mine()


async def test_waiting_calls_do_not_go_through_a_lane_that_stopped() -> None:
    clock = Clock()
    found = lane(clock)
    found.refused(1000, slow_down=False)
    found.stopped = "used up"
    await found.admit(1)
    assert clock.slept == []


async def test_a_limit_by_the_second_is_not_taken_for_one_by_the_minute() -> None:
    clock = Clock()
    found = lane(clock)
    found.heard(1, {"x-ratelimit-limit-requests": "10", "x-ratelimit-remaining-requests": "9", "x-ratelimit-reset-requests": "100ms"})
    for _ in range(100):
        await found.admit(1)
    assert clock.now() - 1000 < 15


@pytest.mark.parametrize("limit", ["", "x", "nan", "inf", "-1", "0"])
async def test_headers_that_make_no_sense_are_left_aside(limit: str) -> None:
    clock = Clock()
    found = lane(clock)
    assert not found.heard(1, {"x-ratelimit-limit-tokens": limit, "x-ratelimit-remaining-tokens": "0"})
    await found.admit(10_000)
    assert clock.slept == []
