"""Who works on a trial, and whether it still does: a worker that was killed leaves its trial running for ever."""

import os
import platform
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

BEAT = 30.0
"""Seconds between two signs of life."""
GRACE = 300.0
"""Seconds without a sign after which a worker of another machine counts as dead; clocks may differ by minutes."""


class Owner(BaseModel):
    """A process: machine (with its boot), number, and the time its number was given out, since numbers come back."""

    machine: str
    pid: int
    started: str

    @classmethod
    def own(cls) -> "Owner":
        """This process."""
        return cls(machine=_machine(), pid=os.getpid(), started=_started(os.getpid()))

    def state(self) -> Literal["alive", "dead", "elsewhere"]:
        """What can be known of it from here."""
        if self.machine != _machine():
            return "elsewhere"
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return "dead"
        except PermissionError:
            pass
        return "alive" if _started(self.pid) == self.started else "dead"


def is_abandoned(attributes: Mapping[str, object], begun: float, now: float, *, claims_are_locked: bool) -> bool:
    """Whether nobody works on a running trial any more; `begun` and `now` in seconds.

    A trial without an owner was claimed by a process that died on the way; where claims are under the caller's lock, it has.
    """
    owner = attributes.get("owner")
    if not isinstance(owner, dict):
        return claims_are_locked or now - begun > BEAT
    state = Owner.model_validate(owner).state()
    beat = attributes.get("beat", begun)
    return state == "dead" or (state == "elsewhere" and now - (beat if isinstance(beat, float | int) else begun) > GRACE)


@cache
def _machine() -> str:
    boot = Path("/proc/sys/kernel/random/boot_id")
    return f"{platform.node()} {boot.read_text().strip() if boot.exists() else ''}".strip()


def _started(pid: int) -> str:
    """The kernel's start time of a process, "" where the kernel does not say or the process is a dead one that waits for its parent."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def now() -> float:
    """Seconds since 1970."""
    return time.time()
