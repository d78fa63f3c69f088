"""Claiming trials so that a study ends with exactly its total, however many workers, machines and sessions took part.

Numbers of trials are unique and come in order, whatever the storage. A claim stands if fewer than the total of trials before it are
finished, running or queued; of all that stand, the last one was counted against all others, so there are never more than the total.
A claim that does not stand is told FAIL before anything is run.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taec.study.owners import Owner, is_abandoned, now
from taec.study.samplers import make_sampler
from taec.study.space import Values, combinations, suggested
from taec.study.storage import alone, claims_are_locked
from taec.study.study import Study

if TYPE_CHECKING:
    from optuna.storages import BaseStorage
    from optuna.study import Study as Trials
    from optuna.trial import FrozenTrial, Trial

QUEUED = "queued"
"""The attribute of what was queued at the start: its values."""
AGAIN = 1
"""How often parameters are queued again after the surroundings failed (ours); after a kill they always are."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A trial that this process is to run."""

    trial: "Trial"
    values: Values

    @property
    def id(self) -> int:
        """What the storage calls the trial."""
        return self.trial._trial_id


@dataclass(frozen=True, slots=True)
class Counts:
    """A study's trials by what became of them. Failed trials do not count towards the total."""

    complete: int
    pruned: int
    failed: int
    running: int
    waiting: int

    @property
    def finished(self) -> int:
        return self.complete + self.pruned


def counts(trials: "Sequence[FrozenTrial]") -> Counts:
    """How the study stands. Surplus claims and trials of killed workers are no failures."""
    states = [trial.state.name for trial in trials if trial.state.name != "FAIL" or is_failure(trial)]
    return Counts(*(states.count(name) for name in ("COMPLETE", "PRUNED", "FAIL", "RUNNING", "WAITING")))


def is_failure(trial: "FrozenTrial") -> bool:
    """Whether a trial went wrong by itself."""
    return trial.state.name == "FAIL" and ("error" in trial.user_attrs or "returned" not in trial.user_attrs)


def prepare(study: Study, storage: "BaseStorage", trials: "Trials") -> list[int]:
    """Give back what killed workers left, and queue what is tried first. Returns the numbers of the trials given back."""
    with alone(study):
        given_back = recover(study, storage, trials)
        if study.settings.sampler.name == "grid":
            for values in combinations(study.settings.space):
                _queue(trials, values)
        elif not study.strangers and not trials.get_trials(deepcopy=False):
            _queue(trials, study.defaults)
    return given_back


def _queue(trials: "Trials", values: Values) -> None:
    """Queue what is to be tried once. Two machines may queue it both: of equal ones only the first stands."""
    trials.enqueue_trial(dict(values), user_attrs={QUEUED: json.dumps(dict(values))}, skip_if_exists=True)


def recover(study: Study, storage: "BaseStorage", trials: "Trials") -> list[int]:
    """Fail the running trials that nobody works on, and queue their parameters. To be called under the lock."""
    from optuna.trial import TrialState

    found = []
    for trial in trials.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        begun = trial.datetime_start.timestamp() if trial.datetime_start else 0.0
        if is_abandoned({**trial.user_attrs, **trial.system_attrs}, begun, now(), claims_are_locked=claims_are_locked(study)):
            give_back(storage, trials, trial._trial_id, "its worker was killed")
            found.append(trial.number)
    return found


def give_back(storage: "BaseStorage", trials: "Trials", trial_id: int, reason: str) -> bool:
    """End a trial that could not be finished and queue its parameters again. False where another process was first."""
    from optuna.exceptions import UpdateFinishedTrialError
    from optuna.trial import TrialState

    try:
        storage.set_trial_user_attr(trial_id, "returned", reason)
        storage.set_trial_state_values(trial_id, TrialState.FAIL)
    except UpdateFinishedTrialError:
        return False
    trial = storage.get_trial(trial_id)
    values = trial.system_attrs.get("fixed_params", trial.params)
    if values:
        kept = {name: value for name, value in trial.user_attrs.items() if name == QUEUED}
        again = int(trial.user_attrs.get("again", 0)) + 1
        first = trial.user_attrs.get("first number", trial.number)
        trials.enqueue_trial(dict(values), user_attrs={"again": again, "first number": first, **kept})
    return True


def claim(study: Study, storage: "BaseStorage", trials: "Trials", session: str) -> Claim | None:
    """The next trial, None where none is open now: all are finished or running."""
    with alone(study):
        recover(study, storage, trials)
        known = trials.get_trials(deepcopy=False)
        so_far = counts(known)
        if so_far.finished + so_far.running >= study.total or (study.settings.sampler.name == "grid" and not so_far.waiting):
            return None
        trials.sampler = make_sampler(study.settings.sampler, len(known), 0 if claims_are_locked(study) else int(session, 16))
        trial = trials.ask()
        storage.set_trial_user_attr(trial._trial_id, "owner", Owner.own().model_dump())
        storage.set_trial_user_attr(trial._trial_id, "session", session)
        if _stands(trials, trial.number, study.total):
            return Claim(trial, suggested(trial, study.settings.space))
    give_up(storage, trial._trial_id)
    return None


def is_over(study: Study, so_far: Counts) -> bool:
    """Whether no trial is open and none may open again."""
    if so_far.finished >= study.total:
        return True
    return study.settings.sampler.name == "grid" and not so_far.running and not so_far.waiting


def failures_in_a_row(trials: "Sequence[FrozenTrial]", session: str) -> list[str]:
    """What went wrong in the latest trials of a session, newest first, up to the last one that went well."""
    own = [trial for trial in trials if trial.user_attrs.get("session") == session and trial.datetime_complete]
    found = []
    for trial in sorted(own, key=lambda trial: trial.datetime_complete or 0, reverse=True):
        if trial.state.name != "FAIL":
            break
        if is_failure(trial):
            found.append(str(trial.user_attrs.get("error", "unknown")))
    return found


def _stands(trials: "Trials", number: int, total: int) -> bool:
    from optuna.trial import TrialState

    known = trials.get_trials(deepcopy=False)
    key = next((trial.user_attrs.get(QUEUED) for trial in known if trial.number == number), None)
    before = [trial for trial in known if trial.number < number and trial.state != TrialState.FAIL]
    return len(before) < total and not any(key is not None and trial.user_attrs.get(QUEUED) == key for trial in before)


def give_up(storage: "BaseStorage", trial_id: int) -> None:
    """End a claim that does not stand."""
    from optuna.trial import TrialState

    storage.set_trial_user_attr(trial_id, "returned", "others were first")
    storage.set_trial_state_values(trial_id, TrialState.FAIL)
