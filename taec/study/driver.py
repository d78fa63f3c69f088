"""A study from its start to its total: prepares the storage, keeps workers at it, and shows how it stands."""

import multiprocessing
from collections.abc import Callable, Sequence
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING
from uuid import uuid4

from taec.core.errors import InfrastructureError
from taec.experiment.console import say, warn
from taec.study.board import Board
from taec.study.claims import counts, is_over, prepare
from taec.study.storage import open_storage, open_trials
from taec.study.study import Study
from taec.study.worker import INTERRUPTED, work_in_process

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial

LOOK = 1.0
"""Seconds between two looks at the storage."""
FAREWELL = 60.0
"""Seconds that workers have to give their trials back after Ctrl-C."""

Seen = Callable[["Sequence[FrozenTrial]"], None]


def conduct(study: Study, seen: Seen) -> "list[FrozenTrial]":
    """Bring a study to its total and return its trials; `seen` is told of them all now and then.

    Raises InfrastructureError where it has to stop before.
    """
    storage = open_storage(study)
    trials = open_trials(study, storage)
    for number in prepare(study, storage, trials):
        say(f"trial {number} was left by a worker that was killed; its parameters are queued again")
    known = trials.get_trials(deepcopy=False)
    board = Board(study, known)
    crew = Crew(study)
    try:
        crew.start(min(study.settings.workers, max(0, study.total - counts(known).finished)))
        while crew.is_at_work(LOOK):
            known = trials.get_trials(deepcopy=False)
            board.update(known)
            seen(known)
        known = trials.get_trials(deepcopy=False)
        board.update(known)
    except KeyboardInterrupt:
        crew.stop()
        raise
    finally:
        board.close()
        crew.kill()
    if not is_over(study, counts(known)):
        raise InfrastructureError(f"The study stopped at {board.line(known)}. What is finished is safe; the same command continues.")
    seen(known)
    return known


class Crew:
    """The worker processes of this command. A killed one is replaced, as long as that does not happen again and again."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._session = uuid4().hex[:12]
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[SpawnProcess] = []
        self._replaced = 0

    def start(self, count: int) -> None:
        """Start so many workers."""
        for _ in range(count):
            worker = self._context.Process(target=work_in_process, args=(self._study, self._session))
            worker.start()
            self._workers.append(worker)

    def is_at_work(self, patience: float) -> bool:
        """Whether any worker still works, after waiting so many seconds for one to end."""
        if not self._workers:
            return False
        multiprocessing.connection.wait([worker.sentinel for worker in self._workers], timeout=patience)
        for worker in [worker for worker in self._workers if not worker.is_alive()]:
            worker.join()
            self._workers.remove(worker)
            if worker.exitcode is not None and worker.exitcode < 0 and self._replaced < self._study.settings.failures:
                self._replaced += 1
                warn(f"worker {worker.pid} was killed by signal {-worker.exitcode}; another takes its place")
                self.start(1)
        return bool(self._workers)

    def stop(self) -> None:
        """Ask workers to give their trials back, and wait for them."""
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.join(FAREWELL)

    def kill(self) -> None:
        """End whatever still runs."""
        for worker in self._workers:
            if worker.is_alive():
                worker.kill()
                worker.join()


__all__ = ["INTERRUPTED", "Crew", "conduct"]
