"""One trial: the run of its configuration on the tuning questions, watched as its rows come, and what is kept of it in the storage."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filelock import FileLock

from taec.experiment import job
from taec.experiment.config import Config
from taec.experiment.parts import Parts
from taec.experiment.progress import Tally
from taec.records.journal import ROWS, read_rows
from taec.records.rows import Row
from taec.study.objectives import per_question, value
from taec.study.pruning import Outcomes, Pruned, Watch
from taec.study.study import Study

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial

OUTCOMES = "outcomes"
"""The attribute that holds the first objective's value of each question: what later trials are compared with, on any machine."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a trial ended: its objectives' values, or why it was given up, with the mean of the questions that were answered."""

    values: tuple[float, ...]
    questions: int
    outcomes: Outcomes
    pruned: str = ""


class Listener:
    """The display of a trial's run: shows nothing, tells `finished`. Raises what that raises, which ends the run with its rows kept."""

    def __init__(self, finished: Callable[[Row], None]) -> None:
        self._finished = finished

    def stage(self, name: str, done: int, total: int) -> None:
        return

    def begin(self, label: str, tally: Tally) -> None:
        return

    def finished(self, row: Row) -> None:
        self._finished(row)

    def close(self) -> None:
        return


def run_trial(study: Study, config: Config, parts: Parts, best: Outcomes) -> Outcome:
    """Answer the questions of a trial, or as many as it takes to see that it is worse than the best.

    Questions that an earlier, equal trial answered here are taken from its rows, and compared with `best` before any new one is asked.
    """
    objectives = study.settings.objectives
    watch = Watch(study.settings.pruner, objectives[0], best) if is_pruned(study) else None
    rows: dict[str, Row] = {}

    def finished(row: Row) -> None:
        rows[row.question_id] = row
        if watch:
            watch.add(row)

    folder = job.run_folder(config)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(f".{folder.name}.lock")):
        try:
            for row in read_rows(folder) if (folder / ROWS).is_file() else ():
                finished(row)
            done: Sequence[Row] = job.run(config, Listener(finished), parts).rows
        except Pruned as pruned:
            answered = list(rows.values())
            return Outcome(tuple(value(each, answered) for each in objectives), len(answered), {}, str(pruned))
    outcomes = {row.question_id: known for row in done if (known := per_question(objectives[0], row)) is not None}
    return Outcome(tuple(value(each, done) for each in objectives), len(done), outcomes)


def is_pruned(study: Study) -> bool:
    """Whether trials may be given up: with several objectives a trial that is worse in one may be better in another."""
    return study.settings.pruner.name != "none" and len(study.settings.objectives) == 1


def best_outcomes(study: Study, trials: "Sequence[FrozenTrial]") -> Outcomes:
    """The outcomes of the best finished trial; none where there is none yet, or nothing is pruned."""
    if not is_pruned(study):
        return {}
    known = [trial for trial in trials if trial.state.name == "COMPLETE" and OUTCOMES in trial.system_attrs]
    if not known:
        return {}
    sign = 1 if study.settings.objectives[0] == "accuracy" else -1
    best = max(known, key=lambda trial: (sign * (trial.value or 0.0), -trial.number))
    found: Mapping[str, float] = best.system_attrs[OUTCOMES]
    return found


def equal_trial(trials: "Sequence[FrozenTrial]", digest: str) -> "FrozenTrial | None":
    """A finished trial of the same configuration, whichever machine ran it."""
    return next((trial for trial in trials if trial.state.name == "COMPLETE" and trial.user_attrs.get("configuration") == digest), None)
