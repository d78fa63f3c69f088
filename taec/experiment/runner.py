"""Answers a benchmark's questions: each one becomes a judged row in the journal before it is counted."""

import asyncio
import sqlite3
import time
import traceback
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from taec.backbones.base import lanes
from taec.core.errors import InfrastructureError, SystemFailure
from taec.core.progress import Stage, untold
from taec.core.questions import Question
from taec.core.trajectory import Trajectory
from taec.experiment.assemble import Assembly
from taec.experiment.config import RunSettings
from taec.experiment.judging import in_parallel, judge_all, judged, where
from taec.experiment.money import PriceList, Purse, judged_at
from taec.experiment.scoring import scored
from taec.records.journal import Journal
from taec.records.rows import Row, make_row
from taec.systems.base import Session, System

Finished = Callable[[Row], None]


SURROUNDINGS = (OSError, sqlite3.OperationalError, MemoryError)
"""What no system is to blame for, though it may come up inside one: a full disk, a lost connection."""


class Runner:
    """Answers questions of one run, `run.concurrency` at a time for each key of the acting model.

    `finished` is told every row that is on the disk.
    """

    def __init__(
        self, assembly: Assembly, journal: Journal, code: str, fingerprint: str, finished: Finished, batch: str = "", stage: Stage = untold
    ) -> None:
        self._assembly = assembly
        self._journal = journal
        self._code = code
        self._fingerprint = fingerprint
        self._finished = finished
        self._batch = batch
        self._stage = stage
        self._prices = PriceList.of(assembly.config)
        self._purse = Purse(assembly.config, journal.rows.values())

    async def run(self) -> None:
        """Answer what is missing and judge what has no verdict: at once, or in one batch after the answers where the judge wants it so.

        Raises InfrastructureError, also where the budget is used: what is finished stays, the rest can follow.
        """
        if not self._assembly.judge.batched:
            await self._judge_open()
        await self._answer_missing()
        if self._assembly.judge.batched:
            await self._judge_open()

    async def _answer_missing(self) -> None:
        settings, backbone = self._assembly.config.plain.run, self._assembly.services.backbone
        missing = pending(self._assembly.benchmark.questions, self._journal.rows, settings)
        waiting = deque(missing)
        if self._purse.is_blind("answer"):
            await self._answer_while_admitted(waiting, most=1)
        workers = min(settings.concurrency * lanes(backbone), len(waiting))
        await in_parallel(workers, lambda: self._answer_while_admitted(waiting, most=len(missing)))
        if waiting:
            raise self._purse.reached()

    async def _answer_while_admitted(self, waiting: deque[Question], most: int) -> None:
        for _ in range(most):
            if not waiting or not self._purse.admits("answer"):
                return
            await self._answer(waiting.popleft())

    async def _answer(self, question: Question) -> None:
        session = Session(question.text, self._assembly.services)
        started = time.perf_counter()
        await answered(self._assembly.system, session)
        made = make_row(question, session.trajectory, time.perf_counter() - started, self._code, self._fingerprint)
        row = made = self._prices.answered(scored(made, question, self._assembly.benchmark))
        try:
            if not self._assembly.judge.batched:
                row = judged_at(self._prices.judge, await judged(self._assembly.judge, question, made, self._batch), made)
        finally:
            # whatever became of the verdict, the answer is worth keeping
            await asyncio.to_thread(self._journal.append, row, session.trajectory)
        self._finished(row)
        self._purse.settle(row, "answer")

    async def _judge_open(self) -> None:
        """Verdicts on what is answered and has none. They are kept as they come; where the judge fails, the row stays open."""
        judge, workers = self._assembly.judge, self._assembly.config.plain.run.concurrency
        cases = undecided(self._assembly.benchmark.questions, self._journal.rows)
        given = 0

        def told(place: int, fresh: Row) -> None:
            nonlocal given
            given += 1
            fresh = judged_at(self._prices.judge, fresh, cases[place][1])
            self._purse.settle(fresh, "verdict")
            if fresh.correct is not None or fresh.judge_calls > cases[place][1].judge_calls:
                self._journal.amend(fresh)
            if judge.batched:
                self._stage("judging", given, len(cases))
            else:
                self._finished(fresh)

        await judge_all(judge, cases, self._batch, workers, told, may=lambda: self._purse.admits("verdict"))
        if given < len(cases):
            raise self._purse.reached()


def pending(questions: Sequence[Question], rows: Mapping[str, Row], settings: RunSettings) -> list[Question]:
    """Questions without a row; with `retry_failures` also those whose row records a system's failure."""
    retried = {"system"} if settings.retry_failures else set()
    return [question for question in questions if question.id not in rows or rows[question.id].trouble in retried]


def undecided(questions: Sequence[Question], rows: Mapping[str, Row]) -> list[tuple[Question, Row]]:
    """Questions that were answered and have no verdict yet."""
    return [(question, rows[question.id]) for question in questions if question.id in rows and rows[question.id].trouble == "judge"]


async def answered(system: System, session: Session) -> None:
    """Let a system answer. Whatever goes wrong inside it becomes the trajectory's failure; only the surroundings' troubles are raised."""
    trajectory = session.trajectory
    try:
        await system.answer(session)
    except SystemFailure as failure:
        _failed(trajectory, failure.reason, str(failure))
    except InfrastructureError:
        raise
    except TimeoutError as error:
        _failed(trajectory, where(error), traceback.format_exc())
    except SURROUNDINGS as error:
        raise InfrastructureError(f"A question could not be answered: {where(error)}: {error}.") from error
    except Exception as error:
        _failed(trajectory, where(error), traceback.format_exc())


def _failed(trajectory: Trajectory, reason: str, event: str) -> None:
    trajectory.ending, trajectory.failure = "failed", reason
    trajectory.events.append(event)
