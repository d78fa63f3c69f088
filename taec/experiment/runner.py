"""Answers a benchmark's questions: each one becomes a judged row in the journal before it is counted."""

import asyncio
import sqlite3
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from taec.backbones.base import lanes
from taec.core.errors import InfrastructureError, SystemFailure
from taec.core.questions import Question
from taec.core.trajectory import Trajectory
from taec.experiment.assemble import Assembly
from taec.experiment.config import RunSettings
from taec.judges.base import Judge, Verdict
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

    def __init__(self, assembly: Assembly, journal: Journal, code: str, fingerprint: str, finished: Finished) -> None:
        self._assembly = assembly
        self._journal = journal
        self._code = code
        self._fingerprint = fingerprint
        self._finished = finished

    async def run(self) -> None:
        """Answer what is missing and judge what has no verdict. Raises InfrastructureError: what is finished stays, the rest can follow."""
        questions, settings = self._assembly.benchmark.questions, self._assembly.config.plain.run
        missing = pending(questions, self._journal.rows, settings)
        for question, row in undecided(questions, self._journal.rows):
            await self._judge_again(question, row)
        waiting = iter(missing)
        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(min(settings.concurrency * lanes(self._assembly.services.backbone), len(missing))):
                    workers.create_task(self._work(waiting))
        except ExceptionGroup as group:
            raise group.exceptions[0] from None

    async def _work(self, waiting: Iterator[Question]) -> None:
        for question in waiting:
            await self._answer(question)

    async def _answer(self, question: Question) -> None:
        session = Session(question.text, self._assembly.services)
        started = time.perf_counter()
        await answered(self._assembly.system, session)
        row = make_row(question, session.trajectory, time.perf_counter() - started, self._code, self._fingerprint)
        try:
            row = await judged(self._assembly.judge, question, row)
        finally:
            # whatever became of the verdict, the answer is worth keeping
            await asyncio.to_thread(self._journal.append, row, session.trajectory)
        self._finished(row)

    async def _judge_again(self, question: Question, row: Row) -> None:
        fresh = await judged(self._assembly.judge, question, row)
        if fresh.correct is not None:
            self._journal.amend(fresh)
        self._finished(fresh)


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
        _failed(trajectory, _name(error), traceback.format_exc())
    except SURROUNDINGS as error:
        raise InfrastructureError(f"A question could not be answered: {_name(error)}: {error}.") from error
    except Exception as error:
        _failed(trajectory, _name(error), traceback.format_exc())


def _failed(trajectory: Trajectory, reason: str, event: str) -> None:
    trajectory.ending, trajectory.failure = "failed", reason
    trajectory.events.append(event)


def _name(error: Exception) -> str:
    """What was raised and where, short enough to group rows by; the whole traceback is among the trajectory's events."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"


async def judged(judge: Judge, question: Question, row: Row) -> Row:
    """The row with its verdict: a failure and an empty answer are wrong without asking; a judge that breaks leaves it open."""
    if row.failure:
        verdict = Verdict(False, "failure")
    elif not (row.answer or "").strip():
        verdict = Verdict(False, "no answer")
    else:
        try:
            verdict = (await judge.judge([(question, str(row.answer))]))[0]
        except InfrastructureError:
            raise
        except Exception as error:
            verdict = Verdict(None, f"the judge failed: {_name(error)}")
    return row.model_copy(update={"correct": verdict.correct, "rule": verdict.rule})
