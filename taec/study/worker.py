"""A worker process: claims trials, runs them and tells what came out, until the study has its total."""

import multiprocessing
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from taec.core.errors import InfrastructureError, TaecError
from taec.experiment.console import tell, warn
from taec.experiment.parts import Parts
from taec.study.claims import AGAIN, Claim, claim, counts, failures_in_a_row, give_back, is_over
from taec.study.owners import BEAT, now
from taec.study.sharing import SharedParts
from taec.study.storage import claims_are_locked, open_storage, open_trials
from taec.study.study import Study
from taec.study.trial import OUTCOMES, Outcome, best_outcomes, equal_trial, run_trial

if TYPE_CHECKING:
    from optuna.storages import BaseStorage
    from optuna.study import Study as Trials
    from optuna.trial import FrozenTrial

IDLE = 0.5
"""Seconds between two looks for an open trial, while others run the last ones."""
INTERRUPTED = 130


def work_in_process(study: Study, session: str) -> None:
    """What a worker process runs. Exit codes as of the command line; a worker whose parent is gone gives its trial back and ends."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    warnings.simplefilter("ignore")
    try:
        Worker(study, session).work()
    except TaecError as error:
        tell(error)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGINT)


class Worker:
    """One worker of a study, in this process. `parts` are kept from trial to trial."""

    def __init__(self, study: Study, session: str, parts: Parts | None = None) -> None:
        self._study = study
        self._session = session
        self._parts = parts or SharedParts()
        self._storage: BaseStorage = open_storage(study)
        self._trials: Trials = open_trials(study, self._storage)
        self._over = threading.Event()

    def work(self) -> None:
        """Run trials until the total is reached. Raises InfrastructureError after too many failures in a row."""
        while True:
            known = self._known()
            failed = failures_in_a_row(known, self._session)
            if len(failed) >= self._study.settings.failures:
                raise InfrastructureError(f"{len(failed)} trials in a row failed, the last with: {failed[0]} The same command goes on.")
            if is_over(self._study, counts(known)):
                return
            if (claimed := claim(self._study, self._storage, self._trials, self._session)) is None:
                self._over.wait(IDLE)
            else:
                self._carry_out(claimed)

    def _known(self) -> "Sequence[FrozenTrial]":
        return self._trials.get_trials(deepcopy=False)

    def _carry_out(self, claimed: Claim) -> None:
        """Run a trial and tell its outcome, whatever it is."""
        beating = self._beating(claimed.id)
        try:
            self._tell(claimed, self._outcome(claimed))
        except KeyboardInterrupt:
            give_back(self._storage, self._trials, claimed.id, "stopped")
            raise
        except Exception as error:
            self._failed(claimed, error)
        finally:
            beating.set()

    def _outcome(self, claimed: Claim) -> Outcome:
        study, known = self._study, self._known()
        config = study.trial_config(claimed.values)
        if same := equal_trial(known, config.digest):
            claimed.trial.set_user_attr("equal to", same.number)
            outcomes = same.system_attrs.get(OUTCOMES, {})
            outcome = Outcome(tuple(same.values or ()), int(same.user_attrs.get("questions", 0)), outcomes)
        else:
            outcome = run_trial(study, config, self._parts, best_outcomes(study, known))
        claimed.trial.set_user_attr("configuration", config.digest)
        claimed.trial.set_user_attr("run", config.run_name)
        return outcome

    def _tell(self, claimed: Claim, outcome: Outcome) -> None:
        from optuna.trial import TrialState

        claimed.trial.set_user_attr("questions", outcome.questions)
        if outcome.pruned:
            claimed.trial.set_user_attr("pruned", outcome.pruned)
            claimed.trial.report(outcome.values[0], outcome.questions)
            self._trials.tell(claimed.trial, state=TrialState.PRUNED)
            return
        if len(self._study.settings.objectives) == 1:
            self._storage.set_trial_system_attr(claimed.id, OUTCOMES, dict(outcome.outcomes))
        self._trials.tell(claimed.trial, list(outcome.values))

    def _failed(self, claimed: Claim, error: Exception) -> None:
        """Keep what went wrong with the trial. Where its surroundings failed, its parameters are tried once more."""
        from optuna.exceptions import OptunaError
        from optuna.trial import TrialState

        said = str(error) if isinstance(error, TaecError) else f"{type(error).__name__}: {error}"
        try:
            self._storage.set_trial_user_attr(claimed.id, "error", said)
            again = int(self._storage.get_trial(claimed.id).user_attrs.get("again", 0))
            if isinstance(error, InfrastructureError) and again < AGAIN:
                give_back(self._storage, self._trials, claimed.id, "its surroundings failed")
                return
            self._storage.set_trial_user_attr(claimed.id, "trace", "".join(traceback.format_exception(error))[-4000:])
            self._trials.tell(claimed.trial, state=TrialState.FAIL)
        except (OptunaError, ValueError) as refused:
            warn(f"trial {claimed.trial.number} was ended by another process ({refused}); its rows stay")

    def _beating(self, trial_id: int) -> threading.Event:
        """Signs of life for other machines, until the event is set."""
        done = threading.Event()

        def beat() -> None:
            while not done.wait(BEAT):
                try:
                    self._storage.set_trial_system_attr(trial_id, "beat", now())
                except Exception:
                    return

        if not claims_are_locked(self._study):
            threading.Thread(target=beat, daemon=True).start()
        return done
