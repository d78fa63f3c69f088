"""A study file is checked like every configuration: all faults at once, each with the nearest right name, before anything runs."""

import re
from pathlib import Path

import pytest
from pydantic import JsonValue
from support.studies import loaded, written
from support.tiny import OPTIONS, Tiny

from taec.cli import run
from taec.core.errors import UsageError
from taec.study.load import load, names, study_file

FLOAT: dict[str, JsonValue] = {"type": "float", "low": 0.0, "high": 1.0}


def faults(tiny: Tiny, *words: str, **changes: JsonValue) -> str:
    with pytest.raises(UsageError) as caught:
        loaded(tiny, *words, **changes)
    return "\n".join(caught.value.faults)


def test_a_key_that_is_not_there_is_told_its_nearest_name(tiny: Tiny) -> None:
    said = faults(tiny, space={"system.admission.alfa": FLOAT, "system.memory.gama": FLOAT})
    assert "did you mean 'system.admission.alpha'?" in said
    assert "did you mean 'system.memory.gamma'?" in said


def test_a_misspelt_key_of_the_study_on_the_command_line_is_told_its_nearest_name(tiny: Tiny) -> None:
    assert faults(tiny, "n_trails=3") == "n_trails=3: a study has no key 'n_trails'; did you mean 'n_trials'?"


def test_each_end_of_each_range_is_checked(tiny: Tiny) -> None:
    said = faults(tiny, space={"system.allocation.kappa": {"type": "float", "low": -1.0, "high": 2.0}})
    assert "system.allocation.kappa=-1.0: " in said
    assert "system.allocation.kappa=2.0: " in said


def test_each_choice_is_checked(tiny: Tiny) -> None:
    said = faults(tiny, space={"ablation": {"type": "choice", "choices": ["A", "AMM"]}})
    assert said == "ablation=AMM: there is no such ablation; did you mean 'AM'? Known: A, AM, AV, M, MV, V, no_detail, no_pressure, none"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sampler": {"name": "tpo", "seed": 0, "arguments": {}}}, "did you mean 'tpe'?"),
        ({"sampler": {"name": "tpe", "seed": 0, "arguments": {"n_startup": 3}}}, "did you mean 'n_startup_trials'?"),
        ({"sampler": {"name": "qmc", "seed": 0, "arguments": {"qmc_type": "x"}}}, "QMCSampler refuses them"),
        ({"sampler": {"name": "grid", "seed": 0, "arguments": {}}}, "space.system.allocation.kappa: a grid needs a step, or choices"),
        ({"sampler": {"name": "cmaes", "seed": 0, "arguments": {}}, "objectives": ["accuracy", "tokens"]}, "knows one objective"),
        ({"objectives": ["acuracy"]}, "did you mean 'accuracy'?"),
        ({"objectives": ["accuracy", "accuracy"]}, "named twice"),
        ({"n_trials": None}, "say how many"),
        ({"n_trails": 5}, "did you mean 'n_trials'?"),
        ({"space": {}}, "the space is empty"),
        ({"space": {"system.allocation.kappa": {**FLOAT, "when": {"x": [1]}}}}, "'when' names x"),
        ({"space": {"system.memory.decay": {"type": "choice", "choices": [1]}}}, "system.memory.decay"),
        ({"storage": "NO_SUCH_VARIABLE"}, "no such environment variable"),
        ({"storage": "postgres//x://y"}, "an address looks like"),
        ({"objectives": ["cost"]}, "the objective cost needs prices"),
    ],
)
def test_what_is_wrong_with_a_study_is_said(tiny: Tiny, changes: dict[str, JsonValue], message: str) -> None:
    assert message in faults(tiny, **changes)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("system.admission.alpha=0.5", "the study searches this key"),
        ("space.x=1", "the space is the study's file's"),
        ("n_trials=1,2", "one value"),
        ("n_trials=0", "greater than or equal to 1"),
        ("sampler.nme=tpe", "did you mean 'name'?"),
        ("n_trial=3", "a study has no key 'n_trial'; did you mean 'n_trials'?"),
        ("benchmark.quesions=3", "did you mean 'benchmark.questions'?"),
    ],
)
def test_overrides_are_checked_too(tiny: Tiny, word: str, message: str) -> None:
    assert message in faults(tiny, word)


def test_overrides_reach_the_study_and_the_configuration(tiny: Tiny) -> None:
    study = loaded(tiny, "n_trials=7", "sampler.name=tpe", "benchmark.questions=2", "output.folder=here")
    assert (study.total, study.settings.sampler.name, study.tune.resolved["benchmark"]["questions"]) == (7, "tpe", 2)
    assert study.folder == tiny.folder / "here" / f"study-{study.name}"


def test_only_what_makes_trials_other_trials_is_part_of_a_studys_identity(tiny: Tiny) -> None:
    study = loaded(tiny)
    alike = loaded(tiny, "n_trials=9", "workers=4", "sampler.name=tpe", "pruner.name=wilcoxon", "winners=3", "run.concurrency=1")
    assert alike.identity == study.identity
    assert loaded(tiny, "benchmark.questions=2").identity != study.identity
    assert loaded(tiny, "objectives=[context_bytes]").identity != study.identity


def test_the_defaults_are_known_and_strangers_are_told(tiny: Tiny) -> None:
    assert loaded(tiny).defaults == {"system.admission.alpha": 0.5, "system.allocation.kappa": 0.5}
    outside = loaded(tiny, space={"system.admission.alpha": {"type": "float", "low": 0.6, "high": 1.0}})
    assert outside.strangers == ["system.admission.alpha"]


def test_the_mlflow_store_is_no_storage(tiny: Tiny) -> None:
    store = tiny.folder / "mlruns/mlflow.db"
    assert "the MLflow store" in faults(tiny, "tracking=mlflow", storage=f"sqlite:///{store}")
    assert "the MLflow store" in faults(tiny, "tracking=mlflow", storage="sqlite:///mlruns/mlflow.db")


def test_a_password_is_in_no_command(tiny: Tiny) -> None:
    study = loaded(tiny, "storage='postgresql://me:s3cret@127.0.0.1/x'")
    assert "s3cret" not in study.command


def test_a_study_that_is_not_there(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sweep", "coordinaton"]) == 2
    assert "did you mean 'coordination'?" in capsys.readouterr().err
    assert run(["sweep"]) == 2
    assert "sweep needs one study" in capsys.readouterr().err
    (tiny.folder / "list.yaml").write_text("- 1\n")
    assert run(["sweep", "list.yaml"]) == 2
    assert "holds no mapping" in capsys.readouterr().err


def test_shipped_studies_are_found_by_name() -> None:
    assert names() == ["ablations", "admission", "allocation", "coordination", "exposure", "pareto"]
    assert study_file("pareto").samefile(study_file("sweeps/pareto.yaml"))


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) for name in names()])
def test_a_shipped_study_is_sound_and_begins_with_its_command(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = study_file(name).read_text(encoding="utf-8").splitlines()
    assert first.startswith(f"# python -m taec sweep {name}")
    assert second.startswith("# ")
    monkeypatch.chdir(tmp_path)
    study = load([name])
    assert study.strangers == []
    assert study.report.resolved["benchmark"]["split"] == "report"
    assert study.tune.resolved["benchmark"]["split"] == "tune"
    assert list(tmp_path.iterdir()) == []


def test_plan_costs_a_study_and_makes_nothing(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tiny, n_trials=4)
    assert run(["plan", str(file), "--config-dir", str(OPTIONS / "conf")]) == 0
    said = capsys.readouterr().out
    assert "0 of 4 trials finished" in said
    assert re.search(r"4 trials left +24 ", said)
    assert list(tiny.folder.iterdir()) == [file]
