"""Verdicts anew on runs that are there, all under one batch; nothing is answered again."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from taec.core.errors import UsageError
from taec.core.progress import Stage
from taec.core.questions import Question
from taec.core.settings import Settings
from taec.experiment.job import facts, is_verdict
from taec.experiment.judging import judge_all
from taec.experiment.money import judged_at, prices
from taec.experiment.saved import SavedRun, questions_of
from taec.judges.base import Judge
from taec.records.journal import Journal
from taec.records.manifest import JudgeFacts, read_manifest, write_manifest
from taec.records.rows import Row


@dataclass(frozen=True, slots=True)
class Place:
    """A row to judge and the journal it belongs to."""

    journal: Journal
    question: Question
    row: Row


def rejudge(
    runs: Sequence[SavedRun], judge: Judge, settings: Settings, *, only_failed: bool, workers: int, stage: Stage
) -> list[tuple[Row, ...]]:
    """Judge the rows of all runs together, or with `only_failed` those without a verdict; returns the rows of each run.

    All verdicts of a run are replaced at once when all are there: a run never holds those of two judges. With `only_failed` they are kept
    as they come. Raises UsageError where a folder cannot be judged, InfrastructureError where the judge cannot be asked.
    """
    batch = facts(judge)
    cases = [(run, questions_of(run)) for run in runs]
    if only_failed:
        _require_same_judge(runs, batch)
    with ExitStack() as open_journals:
        journals = [open_journals.enter_context(Journal(run.folder)) for run in runs]
        if grown := [run for run, journal in zip(runs, journals, strict=True) if len(journal.rows) != len(run.rows)]:
            raise UsageError(f"{grown[0].folder} was written to meanwhile. Judge it when that run is through.")
        places = [
            Place(journal, question, row)
            for journal, (_, items) in zip(journals, cases, strict=True)
            for question, row in items
            if not only_failed or row.correct is None
        ]
        fresh = asyncio.run(_verdicts(judge, settings, places, batch, workers, stage, keep_each=only_failed))
        for journal in journals:
            mine = [row for place, row in zip(places, fresh, strict=True) if place.journal is journal]
            if mine and not only_failed:
                journal.rewrite(mine)
            if mine:
                write_manifest(journal.folder, read_manifest(journal.folder).judged(batch))
        ordered = [[question.id for question, _ in items] for _, items in cases]
        return [tuple(journal.rows[name] for name in ids) for journal, ids in zip(journals, ordered, strict=True)]


async def _verdicts(
    judge: Judge, settings: Settings, places: Sequence[Place], batch: JudgeFacts, workers: int, stage: Stage, *, keep_each: bool
) -> list[Row]:
    price = prices(settings)
    fresh: dict[int, Row] = {}

    def told(place: int, row: Row) -> None:
        fresh[place] = judged_at(price, row, places[place].row)
        if keep_each:
            places[place].journal.amend(fresh[place])
        stage("judging", len(fresh), len(places))

    try:
        await judge_all(judge, [(place.question, place.row) for place in places], batch.batch, workers, told)
    finally:
        await judge.close()
    return [fresh[place] for place in range(len(places))]


def _require_same_judge(runs: Sequence[SavedRun], batch: JudgeFacts) -> None:
    faults = []
    for run in runs:
        known = read_manifest(run.folder).judge
        if any(map(is_verdict, run.rows)) and not known.is_same(batch):
            faults.append(
                f"The verdicts in {run.folder} are by {known}, and this judge is {batch}; those of two must not be mixed. "
                f"Name that judge with judge=, or leave --failed out to judge all answers anew."
            )
    if faults:
        raise UsageError(*faults)
