"""The end of a study: who wins, what is said of it, what is left on disk and in MLflow."""

import json
from collections.abc import Sequence

import optuna
import pytest
from mlflow import MlflowClient
from optuna.distributions import FloatDistribution
from optuna.trial import FrozenTrial, create_trial
from support.rows import judged_row
from support.studies import loaded, worked, written
from support.tiny import OPTIONS, Tiny

from taec.cli import run
from taec.experiment.tracking import PARENT
from taec.study.finish import finish
from taec.study.save import saved_file
from taec.study.study import Study
from taec.study.summary import Findings, data, markdown, verdict
from taec.study.tracking import Tracked
from taec.study.winners import Reported, compared, front, winners


def trial(number: int, *values: float, kappa: float = 0.0) -> FrozenTrial:
    made = create_trial(values=list(values), params={"system.allocation.kappa": kappa}, distributions={"system.allocation.kappa": SPACE})
    made.number = number
    return made


SPACE = FloatDistribution(0, 1)


def test_of_equals_the_earliest_wins(tiny: Tiny) -> None:
    study = loaded(tiny, winners=2)
    found = [trial(0, 0.5, kappa=0.5), trial(1, 0.6, kappa=0.1), trial(2, 0.6, kappa=0.2), trial(3, 0.6, kappa=0.1)]
    assert [each.number for each in winners(study, found)] == [1, 2]


def test_a_front_is_told_by_its_knee_and_its_ends(tiny: Tiny) -> None:
    study = loaded(tiny, objectives=["accuracy", "context_bytes"], winners=3)
    found = [
        trial(0, 0.50, 100.0, kappa=0.1),
        trial(1, 0.59, 200.0, kappa=0.2),
        trial(2, 0.60, 900.0, kappa=0.3),
        trial(3, 0.55, 300.0, kappa=0.4),
    ]
    assert [each.number for each in front(study, found)] == [2, 1, 0]
    assert [each.number for each in winners(study, found)] == [1, 2, 0]


def said(study: Study, defaults: Sequence[bool], winner: Sequence[bool], shared: int = 0) -> str:
    one, two = ([judged_row(f"q{n}", right, f"d{n}.pdf") for n, right in enumerate(run)] for run in (defaults, winner))
    reported = [
        Reported("defaults", study.report, one),
        Reported("trial 1", study.report_config({"system.allocation.kappa": 0.75}), two, compared(study, one, two)),
    ]
    found = [trial(0, 0.5), trial(1, 0.6, kappa=0.75)]
    return "\n".join(verdict(Findings(study, found, found[1:], reported, shared)))


def test_a_winner_like_the_defaults_is_said_to_be_that(tiny: Tiny) -> None:
    found = said(loaded(tiny), [True, False] * 20, [False, True] * 3 + [True, False] * 17)
    assert "trial 1 is NOT distinguishable from the defaults in accuracy: +0.0 points" in found
    assert "3 questions gained, 3 lost, exact McNemar p = 1.000" in found
    assert "best of 2 tries on the same questions" in found


def test_a_winner_that_is_better_or_worse_is_said_to_be_that(tiny: Tiny) -> None:
    study = loaded(tiny)
    assert "trial 1 is better than the defaults in accuracy: +50.0 points" in said(study, [True, False] * 20, [True] * 40)
    assert "trial 1 is WORSE than the defaults in accuracy: -50.0 points" in said(study, [True] * 40, [True, False] * 20)


def test_questions_that_were_tuned_on_are_no_report(tiny: Tiny) -> None:
    assert "7 questions were both tuned and reported on" in said(loaded(tiny), [True, False], [True, True], shared=7)


def test_a_finished_study_leaves_its_summary_and_its_winner(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    study = loaded(tiny, "benchmark.marks=[wrong]", "save=mine", n_trials=3)
    trials = worked(study).trials
    findings = finish(study, trials, Tracked(study))
    assert findings.shared == 3
    page, facts = (study.folder / "summary.md").read_text(), json.loads((study.folder / "summary.json").read_text())
    assert page == markdown(findings)
    assert json.loads(json.dumps(data(findings))) == facts
    assert facts["ties"] == 3
    assert "No trial was better than the defaults" in page
    assert "3 of 3 whole trials share the best value" in page
    assert [each["label"] for each in facts["report"]] == ["defaults", "trial 0"]
    assert (study.folder / "study.yaml").is_file()
    file = saved_file(study)
    assert file == tiny.folder / "mine/experiment/tiny.yaml"
    header = file.read_text().splitlines()
    assert header[0] == "# @package _global_"
    assert any(f"Study {study.name}, trial 0 of 3" in line for line in header)
    saved = run(["--config-dir", str(OPTIONS / "conf"), "--config-dir", "mine", "experiment=tiny", "output.folder=again"])
    assert saved == 0
    (again,) = (tiny.folder / "again").iterdir()
    # the same as the trial, whose questions the study had chosen
    assert again.name == study.trial_config(study.defaults).run_name
    assert "saved: " in capsys.readouterr().out


def test_what_a_study_did_not_write_is_not_overwritten(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    file = tiny.folder / "mine/experiment/tiny.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("mine: true\n")
    assert run(["sweep", str(written(tiny)), "save=mine", "--config-dir", str(OPTIONS / "conf")]) == 2
    assert "is there already, and no study wrote it" in capsys.readouterr().err
    assert file.read_text() == "mine: true\n"


@pytest.mark.slow
def test_mlflow_has_a_parent_with_pictures_and_a_child_for_each_trial(tiny: Tiny) -> None:
    space = {"budget.fresh_pixels": {"type": "int", "low": 100000, "high": 300000, "step": 50000}}
    study = loaded(tiny, "tracking=mlflow", n_trials=4, space=space, objectives=["context_bytes"])
    tracked = Tracked(study)
    trials = worked(study).trials
    tracked.trials(trials[:2])
    tracked.trials(trials)
    finish(study, trials, tracked)
    assert tracked.store
    client = MlflowClient(tracking_uri=tracked.store.uri)
    runs = client.search_runs([client.get_experiment_by_name("taec").experiment_id])
    (parent,) = [each for each in runs if each.data.tags["kind"] == "sweep"]
    children = [each for each in runs if each.data.tags["kind"] == "trial"]
    assert {each.data.tags[PARENT] for each in runs if each is not parent} == {parent.info.run_id}
    assert {each.data.tags["trial"] for each in children} <= {"0", "1", "2", "3"}
    assert {each.data.tags["study"] for each in children} == {study.name}
    assert all(each.data.tags["searched.budget.fresh_pixels"] == each.data.params["budget.fresh_pixels"] for each in children)
    files = {each.path for each in client.list_artifacts(parent.info.run_id)}
    assert files >= {"summary.md", "study.yaml", "history_context_bytes.png", "slices_context_bytes.png"}


@pytest.mark.slow
def test_a_broken_store_costs_a_study_nothing_but_its_export(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    (tiny.folder / "mlruns").write_text("no folder")
    study = loaded(tiny, "tracking=mlflow", n_trials=1)
    tracked = Tracked(study)
    finish(study, worked(study).trials, tracked)
    assert tracked.store is None
    assert capsys.readouterr().err.count("not exported to MLflow") == 1


def test_optuna_reads_the_storage_as_it_is(tiny: Tiny) -> None:
    study = loaded(tiny, n_trials=2)
    worked(study)
    storage = optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(str(study.folder / "journal.log")))
    found = optuna.load_study(study_name=None, storage=storage)
    assert (found.study_name, found.metric_names, len(found.trials)) == (study.name, ["accuracy"], 2)
