"""What a person sees while a run goes on: live lines in a terminal, now and then a plain line elsewhere."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from taec.experiment.console import out, say
from taec.records.rows import Row

MEGABYTE = 1_000_000
EVERY = 5.0
"""Seconds between two plain lines at least; the last line of anything is always written."""


@dataclass
class Tally:
    """What is finished so far of `total` questions; `context_bytes` are base64 image bytes."""

    total: int
    done: int = 0
    verdicts: int = 0
    correct: int = 0
    context_bytes: int = 0

    def add(self, rows: Iterable[Row]) -> None:
        """Count finished questions."""
        for row in rows:
            self.done += 1
            self.verdicts += row.correct is not None
            self.correct += row.correct is True
            self.context_bytes += row.context_bytes

    @property
    def words(self) -> str:
        """Accuracy over what has a verdict, and context."""
        accuracy = f"{self.correct / self.verdicts:.3f}" if self.verdicts else "-"
        return f"accuracy {accuracy}, context {self.context_bytes / MEGABYTE:,.1f} MB"


class Display(Protocol):
    """Shows how far one run is."""

    def stage(self, name: str, done: int, total: int) -> None:
        """Something is being prepared."""
        ...

    def begin(self, label: str, tally: Tally) -> None:
        """Questions are being answered from now on."""
        ...

    def finished(self, row: Row) -> None:
        """A question's row is on the disk."""
        ...

    def close(self) -> None:
        """Nothing more comes."""
        ...


class Lines:
    """Plain lines for files and pipes. `write` takes a line, `clock` gives seconds."""

    def __init__(self, write: Callable[[str], None] = say, clock: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._clock = clock
        self._written = clock()
        self._label = ""
        self._tally = Tally(0)
        self._began, self._done_before = 0.0, 0

    def stage(self, name: str, done: int, total: int) -> None:
        """See `Display.stage`."""
        if self._is_due(done == total > 1):
            self._write(f"{name}: {done}/{total}")

    def begin(self, label: str, tally: Tally) -> None:
        """See `Display.begin`."""
        self._label, self._tally = label, tally
        self._began, self._done_before = self._clock(), tally.done

    def finished(self, row: Row) -> None:
        """See `Display.finished`."""
        self._tally.add([row])
        if self._is_due(self._tally.done == self._tally.total):
            self._write(f"{self._label}: {self._tally.done}/{self._tally.total} questions, {self._tally.words}{self._time_left()}")

    def close(self) -> None:
        """See `Display.close`."""

    def _is_due(self, last: bool) -> bool:
        due = last or self._clock() - self._written >= EVERY
        if due:
            self._written = self._clock()
        return due

    def _time_left(self) -> str:
        left = self._tally.total - self._tally.done
        rate = (self._clock() - self._began) / (self._tally.done - self._done_before)
        return f", {duration(left * rate)} left" if left else ""


class Live:
    """Live bars in a terminal: one for each stage, one for the questions."""

    def __init__(self) -> None:
        bar = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[words]}"),
            TimeRemainingColumn(),
        )
        self._bars = Progress(*bar, console=out)
        self._stages: dict[str, TaskID] = {}
        self._tally = Tally(0)
        self._questions = TaskID(-1)
        self._bars.start()

    def stage(self, name: str, done: int, total: int) -> None:
        """See `Display.stage`."""
        if name not in self._stages:
            self._stages[name] = self._bars.add_task(name, total=total, words="")
        self._bars.update(self._stages[name], completed=done, total=total)

    def begin(self, label: str, tally: Tally) -> None:
        """See `Display.begin`; what was prepared is of no interest any more."""
        for task in self._stages.values():
            self._bars.update(task, visible=False)
        self._tally = tally
        self._questions = self._bars.add_task(label, total=tally.total, completed=tally.done, words=tally.words)

    def finished(self, row: Row) -> None:
        """See `Display.finished`."""
        self._tally.add([row])
        self._bars.update(self._questions, completed=self._tally.done, words=self._tally.words)

    def close(self) -> None:
        """See `Display.close`."""
        self._bars.stop()


def display() -> Display:
    """The display that fits where standard output goes."""
    return Live() if out.is_terminal else Lines()


def duration(seconds: float) -> str:
    """Whole seconds as `1:02:03`, `2:03` or `7 s`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{rest:02}"
    return f"{minutes}:{rest:02}" if minutes else f"{rest} s"
