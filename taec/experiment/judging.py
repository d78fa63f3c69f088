"""Verdicts on answers that are there: one question's, or those of many in one batch."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from taec.core.errors import InfrastructureError
from taec.core.questions import Question
from taec.judges.base import Judge, Verdict
from taec.records.rows import Row, counted_verdict

Case = tuple[Question, Row]


async def judged(judge: Judge, question: Question, row: Row, batch: str = "") -> Row:
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
            verdict = Verdict(None, f"the judge failed: {where(error)}")
    fresh = row.model_copy(update={"correct": verdict.correct, "rule": verdict.rule, "batch": batch})
    return counted_verdict(fresh, verdict.calls)


async def in_parallel(workers: int, work: Callable[[], Awaitable[None]]) -> None:
    """Run `work` so many times at once. The first thing that is raised stops the others."""
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(_awaited(work))
    except ExceptionGroup as group_error:
        raise group_error.exceptions[0] from None


def always() -> bool:
    """Nothing stands against one more verdict."""
    return True


async def judge_all(
    judge: Judge, cases: Sequence[Case], batch: str, workers: int, told: Callable[[int, Row], None], may: Callable[[], bool] = always
) -> None:
    """Verdicts on the cases under one batch, `workers` at a time, for as long as `may` says yes.

    `told` is given each as it comes, with its place in `cases`.
    """
    waiting = iter(enumerate(cases))

    async def work() -> None:
        while may() and (item := next(waiting, None)):
            place, (question, row) = item
            told(place, await judged(judge, question, row, batch))

    await in_parallel(min(workers, len(cases)), work)


def where(error: Exception) -> str:
    """What was raised and where, short enough to group rows by."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"


async def _awaited(work: Callable[[], Awaitable[None]]) -> None:
    await work()
