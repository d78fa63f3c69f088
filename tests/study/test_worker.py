"""Trials that are run: resumed, shared, pruned, failed and told."""

import pytest
from optuna.trial import TrialState
from pydantic import JsonValue
from support.studies import loaded, states, trials_of, worked
from support.tiny import Tiny

from taec.core.errors import InfrastructureError
from taec.experiment import job
from taec.experiment.parts import Parts
from taec.experiment.progress import Lines
from taec.records.journal import read_rows
from taec.records.manifest import read_manifest
from taec.records.rows import Row
from taec.study.sharing import SharedParts
from taec.study.trial import run_trial
from taec.study.worker import Worker

ALLOCATION: dict[str, JsonValue] = {
    "system.allocation.kappa": {"type": "float", "low": 0.0, "high": 1.0},
    "system.allocation.tau": {"type": "float", "low": 0.1, "high": 10.0, "log": True},
}
GOOD_AND_BAD: dict[str, JsonValue] = {"benchmark.folder": {"type": "choice", "choices": ["/nowhere"]}}


def test_a_study_goes_on_to_its_total_and_not_beyond(tiny: Tiny) -> None:
    worked(loaded(tiny, n_trials=3))
    worked(loaded(tiny, n_trials=5))
    trials = worked(loaded(tiny, n_trials=4))
    assert states(trials) == {"COMPLETE": 5}
    assert {trial.values[0] for trial in trials.trials} == {1.0}


def test_a_trial_is_a_run_folder_like_any_other(tiny: Tiny) -> None:
    study = loaded(tiny, n_trials=2)
    for trial in worked(study).trials:
        folder = study.folder / "trials" / trial.user_attrs["run"]
        assert len(read_rows(folder)) == 6
        assert read_manifest(folder).configuration == trial.user_attrs["configuration"]


def test_equal_trials_are_run_once(tiny: Tiny) -> None:
    study = loaded(tiny, n_trials=6, space={"system.allocation.pressure": {"type": "choice", "choices": ["early", "none"]}})
    trials = worked(study).trials
    assert len([path for path in (study.folder / "trials").iterdir() if path.is_dir()]) == 2
    assert sum("equal to" in trial.user_attrs for trial in trials) == 4
    assert {trial.user_attrs["questions"] for trial in trials} == {6}


def test_a_trial_that_changes_only_allocation_repeats_no_search_and_no_requirement(tiny: Tiny) -> None:
    parts = SharedParts()
    worked(loaded(tiny, n_trials=1, space=ALLOCATION), parts=parts)
    searched, asked, decoded = parts.searched, parts.asked, parts.decoded
    assert min(searched, asked, decoded) > 0
    assert states(worked(loaded(tiny, n_trials=4, space=ALLOCATION), parts=parts)) == {"COMPLETE": 4}
    assert (parts.searched, parts.asked, parts.decoded) == (searched, asked, decoded)


def test_what_is_shared_changes_no_row(tiny: Tiny) -> None:
    study = loaded(tiny, n_trials=3)
    for trial in worked(study).trials:
        shared = read_rows(study.folder / "trials" / trial.user_attrs["run"])
        config = study.report_config(trial.params)
        alone = job.run(tiny.config(*study.words[1:], *_typed(trial.params)), Lines(lambda line: None), Parts()).rows
        assert config.digest != study.trial_config(trial.params).digest
        assert [_content(row) for row in sorted(shared, key=lambda row: row.question_id)] == [_content(row) for row in alone]


def test_a_bad_trial_is_told_and_the_study_goes_on(tiny: Tiny, tiny_cache: object) -> None:
    folders: list[JsonValue] = [str(tiny_cache), "/nowhere"]
    study = loaded(tiny, n_trials=4, failures=50, space={"benchmark.folder": {"type": "choice", "choices": folders}})
    trials = worked(study)
    assert states(trials)["COMPLETE"] == 4
    failed = [trial for trial in trials.trials if trial.state == TrialState.FAIL]
    assert failed
    assert all("tiny.pdf cannot be read" in trial.user_attrs["error"] for trial in failed)


def test_several_failures_in_a_row_end_a_session(tiny: Tiny) -> None:
    study = loaded(tiny, failures=3, space=GOOD_AND_BAD)
    for session in ("first", "second"):
        with pytest.raises(InfrastructureError, match=r"3 trials in a row failed, the last with: .*tiny\.pdf cannot be read"):
            worked(study, session)
    assert states(trials_of(study)) == {"FAIL": 6}


def test_where_the_surroundings_fail_the_parameters_are_tried_again(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    study = loaded(tiny, "benchmark.marks=['','',down]", "run.concurrency=1", n_trials=2, failures=1)
    with pytest.raises(InfrastructureError, match="service is down"):
        worked(study)
    monkeypatch.setenv("SCRIPTED_UP", "1")
    trials = worked(study, "second")
    assert states(trials) == {"FAIL": 1, "COMPLETE": 2}
    assert trials.trials[1].params == trials.trials[0].params == study.defaults


def test_a_clear_loser_is_given_up_with_its_rows_kept(tiny: Tiny) -> None:
    pruner: JsonValue = {"name": "wilcoxon", "p": 0.05, "after": 6, "every": 1}
    space: JsonValue = {"budget.fresh_pixels": {"type": "int", "low": 100000, "high": 300000, "step": 50000}}
    study = loaded(
        tiny, "benchmark.questions=20", "run.concurrency=1",
        n_trials=6, space=space, pruner=pruner, objectives=["context_bytes"], sampler={"name": "grid", "seed": 0, "arguments": {}},
    )  # fmt: skip
    trials = worked(study).trials
    assert [trial.state.name for trial in trials] == ["COMPLETE", *["PRUNED"] * 4]
    for trial in trials[1:]:
        answered = trial.user_attrs["questions"]
        assert 6 <= answered < 20
        assert trial.intermediate_values.keys() == {answered}
        assert "worse than the best on the same questions" in trial.user_attrs["pruned"]
    assert len([path for path in (study.folder / "trials").iterdir() if path.is_dir()]) == 5


def test_several_objectives_are_told_together_and_never_pruned(tiny: Tiny) -> None:
    study = loaded(
        tiny, objectives=["accuracy", "context_bytes"], n_trials=3, sampler={"name": "nsga2", "seed": 0, "arguments": {}},
        pruner={"name": "wilcoxon", "p": 0.9, "after": 1, "every": 1},
    )  # fmt: skip
    trials = worked(study)
    assert states(trials) == {"COMPLETE": 3}
    assert all(trial.values[0] == 1.0 and trial.values[1] > 0 for trial in trials.trials)


def test_a_trial_without_a_verdict_has_no_value(tiny: Tiny) -> None:
    study = loaded(tiny, "benchmark.marks=[undecided]", failures=1)
    with pytest.raises(InfrastructureError, match="1 of 6 rows have no verdict"):
        worked(study)


def test_a_trial_cut_short_goes_on_from_its_rows(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    study = loaded(tiny, "benchmark.marks=['','',down]", "run.concurrency=1")
    with pytest.raises(InfrastructureError):
        run_trial(study, study.trial_config(study.defaults), SharedParts(), {})
    monkeypatch.setenv("SCRIPTED_UP", "1")
    assert run_trial(study, study.trial_config(study.defaults), SharedParts(), {}).questions == 6


def test_a_worker_that_is_told_to_stop_gives_its_trial_back(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    study = loaded(tiny)

    def stopped(*words: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("taec.study.worker.run_trial", stopped)
    with pytest.raises(KeyboardInterrupt):
        Worker(study, "s").work()
    assert states(trials_of(study)) == {"FAIL": 1, "WAITING": 1}


def _typed(values: dict[str, object]) -> list[str]:
    return [f"{key}={value}" for key, value in values.items()]


def _content(row: Row) -> dict[str, object]:
    return row.model_dump(exclude={"seconds", "batch"})
