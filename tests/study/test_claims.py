"""Claims: exactly the total, whoever takes part, and nothing left behind by the dead."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from optuna.trial import TrialState
from support.studies import loaded, states, trials_of
from support.tiny import Tiny

from taec.study.claims import claim, counts, failures_in_a_row, give_back, is_over, prepare, recover
from taec.study.owners import Owner, is_abandoned
from taec.study.storage import alone, open_storage, open_trials
from taec.study.study import Study

DEFAULTS = {"system.admission.alpha": 0.5, "system.allocation.kappa": 0.5}


def finished(study: Study, session: str) -> int:
    """Claim and finish trials, as a worker does, until none is open; returns how many."""
    storage = open_storage(study)
    trials = open_trials(study, storage)
    done = 0
    while claimed := claim(study, storage, trials, session):
        trials.tell(claimed.trial, 1.0)
        done += 1
    return done


def test_the_defaults_are_tried_first_and_queued_once(tiny: Tiny) -> None:
    study = loaded(tiny)
    storage = open_storage(study)
    for _ in range(3):
        prepare(study, storage, open_trials(study, storage))
    assert len(trials_of(study).trials) == 1
    claimed = claim(study, storage, open_trials(study, storage), "s")
    assert claimed
    assert claimed.values == DEFAULTS


def test_many_that_claim_at_once_finish_exactly_the_total(tiny: Tiny) -> None:
    study = loaded(tiny, n_trials=20)
    prepare(study, open_storage(study), trials_of(study))
    with ThreadPoolExecutor(8) as pool:
        done = sum(pool.map(lambda number: finished(study, str(number)), range(8)))
    assert done == 20
    assert states(trials_of(study)) == {"COMPLETE": 20}
    assert len({str(trial.params) for trial in trials_of(study).trials}) == 20


def test_a_claim_beyond_the_total_is_ended_before_anything_is_run(tiny: Tiny) -> None:
    study = loaded(tiny, n_trials=2)
    storage = open_storage(study)
    trials = open_trials(study, storage)
    others = [trials.ask() for _ in range(2)]

    class Late(type(trials)):  # type: ignore[misc]
        """Sees the others only once it has asked, as a machine without a common lock may."""

        def get_trials(self, *words: object, **more: object) -> object:
            return [] if len(storage.get_all_trials(self._study_id)) == 2 else super().get_trials(*words, **more)

    trials.__class__ = Late
    assert claim(study, storage, trials, "s") is None
    assert states(trials_of(study)) == {"RUNNING": 2, "FAIL": 1}
    assert counts(trials_of(study).trials).failed == 0
    assert [trial.number for trial in others] == [0, 1]


def test_what_a_killed_worker_left_is_failed_and_queued_again(tiny: Tiny) -> None:
    study = loaded(tiny)
    storage = open_storage(study)
    trials = open_trials(study, storage)
    claimed = claim(study, storage, trials, "s")
    assert claimed
    with alone(study):
        assert recover(study, storage, trials) == []
    dead = Owner.own().model_copy(update={"started": "long ago"})
    storage.set_trial_user_attr(claimed.id, "owner", dead.model_dump())
    with alone(study):
        assert recover(study, storage, trials) == [0]
    assert states(trials) == {"FAIL": 1, "WAITING": 1}
    again = claim(study, storage, trials, "s")
    assert again
    assert again.values == claimed.values
    assert again.trial.number == 1


def test_a_trial_given_back_by_two_is_queued_once(tiny: Tiny) -> None:
    study = loaded(tiny)
    storage = open_storage(study)
    trials = open_trials(study, storage)
    claimed = claim(study, storage, trials, "s")
    assert claimed
    assert give_back(storage, trials, claimed.id, "stopped")
    assert not give_back(storage, trials, claimed.id, "stopped")
    assert states(trials) == {"FAIL": 1, "WAITING": 1}


def test_owners_are_known_by_more_than_their_number() -> None:
    own = Owner.own()
    assert own.state() == "alive"
    assert own.model_copy(update={"started": "1"}).state() == "dead"
    assert own.model_copy(update={"machine": "other"}).state() == "elsewhere"
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    assert own.model_copy(update={"pid": gone.pid}).state() == "dead"


def test_a_worker_elsewhere_is_dead_once_it_shows_no_sign_of_life() -> None:
    owner = Owner.own().model_copy(update={"machine": "other"}).model_dump()
    assert not is_abandoned({"owner": owner}, begun=1000, now=1100, claims_are_locked=False)
    assert is_abandoned({"owner": owner}, begun=1000, now=1400, claims_are_locked=False)
    assert not is_abandoned({"owner": owner, "beat": 1350}, begun=1000, now=1400, claims_are_locked=False)
    assert is_abandoned({}, begun=1000, now=1001, claims_are_locked=True)
    assert not is_abandoned({}, begun=1000, now=1001, claims_are_locked=False)


def test_failures_count_while_they_follow_each_other(tiny: Tiny) -> None:
    study = loaded(tiny, n_trials=9)
    storage = open_storage(study)
    trials = open_trials(study, storage)
    for error in ("", "one", "two"):
        claimed = claim(study, storage, trials, "s")
        assert claimed
        if error:
            claimed.trial.set_user_attr("error", error)
            trials.tell(claimed.trial, state=TrialState.FAIL)
        else:
            trials.tell(claimed.trial, 1.0)
    assert failures_in_a_row(trials.trials, "s") == ["two", "one"]
    assert failures_in_a_row(trials.trials, "other") == []


def test_what_two_machines_queued_is_tried_once(tiny: Tiny) -> None:
    study = loaded(tiny)
    storage = open_storage(study)
    trials = open_trials(study, storage)
    prepare(study, storage, trials)
    trials.enqueue_trial(dict(study.defaults), user_attrs=dict(trials.trials[0].user_attrs))
    assert claim(study, storage, trials, "s")
    assert claim(study, storage, trials, "s") is None
    third = claim(study, storage, trials, "s")
    assert third
    assert third.values != study.defaults


def test_a_grid_is_every_combination_once(tiny: Tiny) -> None:
    space = {
        "system.allocation.pressure": {"type": "choice", "choices": ["none", "early"]},
        "system.allocation.rho": {"type": "float", "low": 0.5, "high": 1.0, "step": 0.5, "when": {"system.allocation.pressure": ["early"]}},
    }
    study = loaded(tiny, space=space, sampler={"name": "grid", "seed": 0, "arguments": {}}, n_trials=None)
    storage = open_storage(study)
    for _ in range(2):
        prepare(study, storage, open_trials(study, storage))
    assert study.total == finished(study, "s") == 3
    assert {tuple(trial.params.values()) for trial in trials_of(study).trials} == {("none",), ("early", 0.5), ("early", 1.0)}
    assert is_over(study, counts(trials_of(study).trials))
