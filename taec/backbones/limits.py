"""Not asking for more than a key is allowed: one lane a key, each with buckets of requests and tokens, slowed down by refusals.

A bucket is filled from three sources, the best there is: the configuration, the endpoint's `x-ratelimit-*` headers, and, where there is
neither, the pace at which requests were refused.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

from taec.backbones.keys import Key
from taec.backbones.profile import LimitSettings
from taec.backbones.waits import duration
from taec.core.errors import InfrastructureError

MINUTE = 60.0
SOON = 0.001
"""Seconds that are not worth a sleep, and below which a sleep may not move the clock."""
SPREAD = 0.5
"""Seconds over which calls that waited for the same moment are spread."""


class Clock(Protocol):
    """Time as a lane sees it."""

    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's own."""

    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Bucket:
    """A quota of `per_minute` units of which `capacity` may go at once; the rest flows in evenly.

    In no window of a minute does more than `per_minute` go out, however the endpoint counts its minutes. An amount above the
    capacity goes when the bucket is full, and leaves a debt.
    """

    def __init__(self, per_minute: float, burst: float, now: float) -> None:
        self._burst = burst
        self._updated = now
        self.per_minute = per_minute
        self.level = self.capacity

    @property
    def capacity(self) -> float:
        return max(1.0, self.per_minute * self._burst)

    @property
    def rate(self) -> float:
        """Units a second."""
        return max(self.per_minute - self.capacity, self.per_minute / 2) / MINUTE

    def wait(self, amount: float, now: float) -> float:
        """Seconds until `amount` may go."""
        self._refill(now)
        return max(0.0, (min(amount, self.capacity) - self.level) / self.rate)

    def take(self, amount: float) -> None:
        self.level -= amount

    def lower(self, level: float, now: float) -> None:
        """The endpoint has less left than this bucket thinks."""
        self._refill(now)
        self.level = min(self.level, level)

    def _refill(self, now: float) -> None:
        self.level = min(self.capacity, self.level + (now - self._updated) * self.rate)
        self._updated = now


class Charge:
    """What a key is charged for one estimated token, learnt from what its quota loses, or from the usage that is reported."""

    def __init__(self) -> None:
        self._estimated = self._charged = 0.0
        self._seen: tuple[float, float] | None = None

    @property
    def scale(self) -> float:
        return min(50.0, max(0.02, self._charged / self._estimated)) if self._estimated and self._charged else 1.0

    def used(self, estimate: float, tokens: float) -> None:
        """An answered call reported `tokens`."""
        self._learn(estimate, tokens)

    def left(self, estimate: float, quota: "_Quota", now: float) -> None:
        """After a call of `estimate` tokens so much of the quota was left. A quota that was full between two calls tells nothing."""
        before = quota.limit if self._seen is None else self._seen[1] + (now - self._seen[0]) * quota.per_minute / MINUTE
        if quota.remaining < before <= quota.limit:
            self._learn(estimate, before - quota.remaining)
        self._seen = (now, quota.remaining)

    def _learn(self, estimated: float, charged: float) -> None:
        self._estimated = 0.9 * self._estimated + estimated
        self._charged = 0.9 * self._charged + charged


class Lane:
    """One key: when its next request may go, and whether it may go at all."""

    def __init__(self, key: Key, settings: LimitSettings, clock: Clock, chance: random.Random) -> None:
        self.key = key
        self.stopped = ""
        self._settings = settings
        self._clock = clock
        self._chance = chance
        self._resumes = 0.0
        self._refusals = 0
        self._begun = self._quiet_since = self._slowed = clock.now()
        self._replies: deque[float] = deque(maxlen=10_000)
        self._best = 0.0
        self._charge = Charge()
        self._requests = self._bucket(settings.requests_per_minute)
        self._tokens = self._bucket(settings.tokens_per_minute)

    async def admit(self, tokens: int) -> None:
        """Wait until a request of about `tokens` may go, and count it. A lane that stopped meanwhile lets nothing through."""
        while not self.stopped and (wait := self._wait(tokens)) > SOON:
            await self._clock.sleep(wait)
        if self._requests:
            self._requests.take(1)
        if self._tokens:
            self._tokens.take(tokens * self._charge.scale)

    def answered(self, tokens: int, used: int | None) -> None:
        """A request of about `tokens` got its reply, which reported `used` tokens."""
        self._refusals = 0
        if used:
            self._charge.used(tokens, used)
        now = self._clock.now()
        self._replies.append(now)
        if self._requests and now - self._quiet_since >= MINUTE:
            self._quiet_since = now
            ceiling = self._settings.requests_per_minute or float("inf")
            self._requests.per_minute = min(ceiling, self._requests.per_minute * self._settings.speed_up)

    def heard(self, tokens: int, headers: Mapping[str, str]) -> bool:
        """Follow the endpoint's own account of the quotas; whether it gave one of tokens."""
        now = self._clock.now()
        if (told := _quota(headers, "requests")) is not None:
            self._requests = self._requests or Bucket(told.per_minute, self._settings.burst, now)
            self._requests.lower(told.remaining, now)
        if (told := _quota(headers, "tokens")) is None:
            return False
        self._tokens = self._tokens or Bucket(told.per_minute, self._settings.burst, now)
        self._tokens.lower(told.remaining, now)
        self._charge.left(tokens, told, now)
        return True

    def refused(self, told: float | None, *, slow_down: bool) -> float:
        """The key was refused: nothing goes for the seconds that come back, which are at least what was told."""
        now = self._clock.now()
        if now >= self._resumes:
            self._refusals += 1
        backoff = min(self._settings.longest_backoff, self._settings.first_backoff * 2 ** (self._refusals - 1))
        wait = max(told or 0.0, backoff * self._chance.uniform(0.5, 1.0)) + self._chance.uniform(0, SPREAD)
        self._resumes = max(self._resumes, now + wait)
        if slow_down:
            self._slow_down(now)
        return self._resumes - now

    def _slow_down(self, now: float) -> None:
        """Down to a part of what was answered in the last minute, once a minute: refusals of one moment are one piece of news.

        Never below half of the best minute, since refusals that do not come from the pace would bring a lane to a halt; and not in
        the first minute, in which a quota that was full says nothing about its pace. Waiting as told is enough until then.
        """
        self._quiet_since = now
        if now - max(self._slowed, self._begun) < MINUTE:
            return
        while self._replies and now - self._replies[0] > MINUTE:
            self._replies.popleft()
        if not (pace := float(len(self._replies))):
            return
        self._slowed, self._best = now, max(self._best, pace)
        per_minute = max(self._best / 2, pace * self._settings.slow_down)
        if self._requests is None:
            self._requests = self._bucket(per_minute)
        else:
            self._requests.per_minute = min(self._requests.per_minute, per_minute)

    def _wait(self, tokens: int) -> float:
        now = self._clock.now()
        waits = [self._resumes - now]
        if self._requests:
            waits.append(self._requests.wait(1, now))
        if self._tokens:
            waits.append(self._tokens.wait(tokens * self._charge.scale, now))
        return max(waits)

    def _bucket(self, per_minute: float | None) -> Bucket | None:
        return None if per_minute is None else Bucket(per_minute, self._settings.burst, self._clock.now())


class _Quota(NamedTuple):
    limit: float
    per_minute: float
    remaining: float


def _quota(headers: Mapping[str, str], kind: str) -> _Quota | None:
    """A quota as the headers have it. Their limit is by the minute, unless what is used comes back faster than that."""
    try:
        limit, remaining = (float(headers[f"x-ratelimit-{part}-{kind}"]) for part in ("limit", "remaining"))
    except (KeyError, ValueError):
        return None
    if not (0 <= remaining <= limit < float("inf") and limit > 0):
        return None
    reset = duration(headers.get(f"x-ratelimit-reset-{kind}", ""))
    return _Quota(limit, max(limit, (limit - remaining) / reset * MINUTE) if reset else limit, remaining)


class Lanes:
    """All keys. A task keeps its lane, so that a question stays with one key: signatures and prefix caches belong to one."""

    def __init__(self, lanes: Sequence[Lane]) -> None:
        self._lanes = tuple(lanes)
        self._mine: WeakKeyDictionary[asyncio.Task[object], Lane] = WeakKeyDictionary()
        self._next = 0

    def __len__(self) -> int:
        return len(self._lanes)

    def mine(self) -> Lane:
        """This task's lane; another one once it has stopped. Raises InfrastructureError where all have."""
        task = asyncio.current_task()
        assert task is not None
        if (lane := self._mine.get(task)) is None or lane.stopped:
            lane = self._mine[task] = self._open()
        return lane

    def _open(self) -> Lane:
        for _ in self._lanes:
            lane = self._lanes[self._next % len(self._lanes)]
            self._next += 1
            if not lane.stopped:
                return lane
        reasons = "\n".join(f"{lane.key.name}: {lane.stopped}" for lane in self._lanes)
        raise InfrastructureError(
            f"No key can be used any more.\n{reasons}\n"
            "The same command goes on when the quota is back; backbone.api_key_env=NAME goes on with another key."
        )
