"""Processes that answer tasks side by side, where the death of one costs the task that it was at and nothing else.

Rendering takes processes, since pdfium is not thread-safe; `concurrent.futures` gives up all work when one of them dies.
"""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from taec.core.errors import InfrastructureError

Task = TypeVar("Task")
Answer = TypeVar("Answer")

AHEAD = 2
"""Tasks that a process holds: the one it works at and the next, so that it never waits."""


@dataclass(frozen=True, slots=True)
class Death:
    """How the process that worked at a task ended: minus the signal's number."""

    code: int

    @property
    def timed_out(self) -> bool:
        """Whether the process ran out of time."""
        return self.code == -signal.SIGALRM

    def __str__(self) -> str:
        return signal.Signals(-self.code).name if self.code < 0 else f"exit code {self.code}"


@dataclass
class _Worker(Generic[Task]):
    process: BaseProcess
    connection: Connection
    tasks: deque[Task] = field(default_factory=deque)


class Processes(Generic[Task, Answer]):
    """`count` processes that run `target(connection, *arguments)`; a context manager that ends them."""

    def __init__(self, count: int, target: Callable[..., None], arguments: Sequence[object]) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._target, self._arguments = target, tuple(arguments)
        self._workers: list[_Worker[Task]] = [self._started() for _ in range(count)]
        self._again: deque[Task] = deque()
        self._suspects: list[Task] = []

    def __enter__(self) -> "Processes[Task, Answer]":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:  # an orderly end takes a tenth of a second and finishes nothing that anybody would wait for
            worker.process.kill()
        for worker in self._workers:
            worker.connection.close()
            worker.process.join()

    def run(self, supply: Callable[[int], Task | None]) -> Iterator[tuple[Task, Answer | Death]]:
        """Every task of `supply` with its answer, in the order in which they come.

        `supply` is told which process asks (from 0) and gives None when it has none for it. A task whose process dies is tried once
        more, alone; the second time its answer is the Death. Raises InfrastructureError where a process is ended from outside twice.
        """
        for at in range(len(self._workers)):
            self._feed(at, supply)
        while any(worker.tasks for worker in self._workers):
            ready = wait([worker.connection for worker in self._workers if worker.tasks])
            for at, worker in enumerate(self._workers):
                if worker.connection not in ready:
                    continue
                try:
                    answer: Answer = worker.connection.recv()
                except (EOFError, OSError):
                    death = self._replaced(at)
                    if death is not None:
                        yield death
                else:
                    yield worker.tasks.popleft(), answer
                self._feed(at, supply)

    def _feed(self, at: int, supply: Callable[[int], Task | None]) -> None:
        worker = self._workers[at]
        while len(worker.tasks) < AHEAD and not any(task in self._suspects for task in worker.tasks):
            task = self._again.popleft() if self._again else supply(at)
            if task is None or (task in self._suspects and worker.tasks):
                if task is not None:
                    self._again.appendleft(task)
                return
            worker.tasks.append(task)
            try:
                worker.connection.send(task)
            except OSError:
                return  # it is gone, which reading from it will tell

    def _replaced(self, at: int) -> tuple[Task, Death] | None:
        """Start another process in place of a dead one; returns the task that killed two."""
        worker = self._workers[at]
        worker.process.join()
        death = Death(worker.process.exitcode or 0)
        worker.connection.close()
        culprit, *rest = worker.tasks
        self._workers[at] = self._started()
        self._again.extendleft(reversed(rest))
        if death.code >= 0:
            raise InfrastructureError(f"A process that renders documents could not go on at {culprit} ({death}); see what it printed.")
        if culprit not in self._suspects and not death.timed_out:
            self._suspects.append(culprit)
            self._again.appendleft(culprit)
            return None
        if death.code == -signal.SIGKILL:
            raise InfrastructureError(
                f"A process that renders documents was ended from outside twice at {culprit}, perhaps for want of memory: "
                "collection.render.memory limits what one may take. Finished pages stay; the same command goes on."
            )
        if culprit in self._suspects:
            self._suspects.remove(culprit)
        return culprit, death

    def _started(self) -> _Worker[Task]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=self._target, args=(theirs, *self._arguments), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
