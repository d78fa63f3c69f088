"""Composition: what overrides mean, and that every fault of a command line is told in one go."""

from pathlib import Path

import pytest
from support.tiny import OPTIONS, Tiny

from taec.core.errors import UsageError
from taec.experiment.catalogue import catalogue
from taec.experiment.compose import configurations
from taec.experiment.locations import shipped

TAEC = ("system=taec",)
OWN_LABEL = {"A", "M", "V", "AM", "AV", "MV", "no_pressure", "no_detail"}


def faults(tiny: Tiny, *overrides: str, multirun: bool = False) -> tuple[str, ...]:
    with pytest.raises(UsageError) as caught:
        tiny.configs(*overrides, multirun=multirun)
    return caught.value.faults


def test_a_sweep_is_one_configuration_a_job(tiny: Tiny) -> None:
    configs = tiny.configs("system=taec", "ablation=A,M", "benchmark.questions=1,2", multirun=True)
    assert [(config.label, config.resolved["benchmark"]["questions"]) for config in configs] == [
        ("taec-A", 1), ("taec-A", 2), ("taec-M", 1), ("taec-M", 2),
    ]  # fmt: skip
    assert len({config.digest for config in configs}) == 4


def test_jobs_with_one_run_folder_are_one(tiny: Tiny) -> None:
    assert len(tiny.configs("run.concurrency=1,2", "ablation=none,none", multirun=True)) == 1


@pytest.mark.parametrize("ablation", sorted(OWN_LABEL))
def test_an_ablation_means_the_same_in_any_order(ablation: str) -> None:
    first, second = (
        configurations(words)[0] for words in ((f"ablation={ablation}", "system=taec"), ("system=taec", f"ablation={ablation}"))
    )
    assert first.resolved == second.resolved
    assert first.ablation == ablation


def test_every_ablation_file_is_labelled_by_its_name() -> None:
    assert set(catalogue([shipped("conf")])["ablation"]) == OWN_LABEL | {"none"}


def test_no_two_ablations_are_the_same() -> None:
    found = configurations(["ablation=glob(*)"], multirun=True)
    assert len({config.digest for config in found}) == len(OWN_LABEL) + 1


def test_a_value_wins_over_the_ablation(tiny: Tiny) -> None:
    config = tiny.config("system.allocation.strategy=proportional", "system=taec", "ablation=A")
    assert config.resolved["system"]["allocation"] | {"strategy": "proportional"} == config.resolved["system"]["allocation"]


@pytest.mark.parametrize("system", ["vanilla", "react", "dag"])
def test_an_ablation_of_a_system_without_the_parts(tiny: Tiny, system: str) -> None:
    assert faults(tiny, f"system={system}", "ablation=A") == (f"ablation=A needs system=taec: {system} has none of the three components",)


BAD = [
    ("system=vanila", "system=vanila: there is no such system; did you mean 'vanilla'? Known: dag, react, taec, vanilla"),
    ("ablaton=A", "ablaton=A: there is no key 'ablaton'; did you mean 'ablation'? Known: "),
    ("systm=react", "systm=react: there is no key 'systm'; did you mean 'system'? Known: "),
    ("budget.pags=3", "budget.pags=3: there is no key 'budget.pags'; did you mean 'budget.pages'? Known: name, model_calls, "),
    ("kapa=0.3", "kapa=0.3: there is no key 'kapa'; did you mean 'system.allocation.kappa'?"),
    ("system.alocation.kappa=1", "there is no key 'system.alocation.kappa'; did you mean 'system.allocation.kappa'?"),
    ("benchmark.questions.x=1", "there is no key 'benchmark.questions.x'; 'benchmark.questions' holds a single value"),
    ("system.allocation.kappa=1.5", "system.allocation.kappa=1.5: must be less than or equal to 1"),
    ("budget.pages=0", "budget.pages=0: must be greater than or equal to 1"),
    ("budget.pages=many", 'budget.pages="many": must be a valid integer'),
    ("budget.pages=2.5", "budget.pages=2.5: must be a valid integer"),
    ("run.concurrency=true", "run.concurrency=true: must be a valid integer"),
    ("run.retry_failures=maybe", 'run.retry_failures="maybe": must be a valid boolean'),
    ("system.first_search=questoin", "must be 'question' or 'model'; did you mean 'question'?"),
    ("system.allocation.early.onset=9000", "system.allocation.early: full (3500) has to be above onset (9000)"),
    ("run.expected_fingerprint=abc", "run.expected_fingerprint=\"abc\": must match pattern '^[0-9a-f]{16}$'"),
    ("+system.kapa=1", "system.kapa: no such key; Known: name, first_search, "),
    ("+run.concurrency=1", "+run.concurrency=1: the key exists; write run.concurrency=1"),
    ("~budget.pages", "budget.pages: is missing"),
    ("~judge", "judge: no option is chosen; choose one with judge=<name>"),
    ("+ablation=A", "+ablation=A: a group takes no +; write ablation=A"),
    ("system=[taec,dag]", "system=[taec,dag]: system takes one option; for one run each write -m system=taec,dag"),
    ("system@other=dag", "system@other=dag: the place of a group is fixed; write system=dag"),
    ("system=null", "system=null: there is no such system; "),
    ("other@there=1", "'other' is no group; "),
    ("benchmark.folder=${oc.env:NO_SUCH_VARIABLE}", "benchmark.folder: "),
    ("tracking={name: mlflow}", "tracking: mlflow needs a folder and an experiment; tracking=none exports nothing"),
    ("benchmark.questions=???", "benchmark.questions: Missing mandatory value"),
]  # fmt: skip


@pytest.mark.parametrize(("override", "message"), BAD, ids=[override for override, _ in BAD])
def test_one_fault_is_one_message(tiny: Tiny, override: str, message: str) -> None:
    (fault,) = faults(tiny, "system=taec", override)
    assert message in fault


def test_all_faults_are_told_together(tiny: Tiny) -> None:
    found = faults(tiny, "system=tae", "budget.pages=0", "budgt.pages=3", "judge=mark", "system.alocation.tau=1", "ablation=A,Z", "x=[1")
    beginnings = (
        "x=[1: ", "ablation=A,Z: several", "system=tae: ", "judge=mark: ", "budgt.pages=3: ", "system.alocation.tau=1: ",
        "budget.pages=0: ", "ablation=Z: ",
    )  # fmt: skip
    assert [[fault for fault in found if fault.startswith(begin)] != [] for begin in beginnings] == [True] * 8
    assert len(found) == 8


def test_a_fault_of_many_jobs_is_told_once(tiny: Tiny) -> None:
    assert len(faults(tiny, "system=taec", "ablation=A,M,V", "budget.pages=0", multirun=True)) == 1


def test_a_folder_that_is_not_there(tiny: Tiny) -> None:
    with pytest.raises(UsageError, match="--config-dir nowhere: there is no such folder"):
        configurations([], folders=[Path("nowhere")])


def test_values_are_normalised_before_the_digest(tiny: Tiny) -> None:
    assert (
        tiny.config("system=taec", "system.allocation.kappa=1").digest == tiny.config("system=taec", "system.allocation.kappa=1.0").digest
    )


@pytest.mark.parametrize(
    "override", ["run.concurrency=1", "output.folder=elsewhere", "cache.folder=c", "tracking=mlflow", "run.retry_failures=true"]
)
def test_where_and_how_fast_is_no_part_of_the_identity(tiny: Tiny, override: str) -> None:
    assert tiny.config(override).run_name == tiny.config().run_name


@pytest.mark.parametrize(
    "override", ["budget.pages=4", "benchmark.questions=5", "system=react", "backbone.searches=1", "collection.render.pixels=784"]
)
def test_what_is_run_is_the_identity(tiny: Tiny, override: str) -> None:
    assert tiny.config(override).digest != tiny.config().digest


def test_the_run_folder_is_named_by_what_is_run(tiny: Tiny) -> None:
    config = tiny.config("system=taec", "ablation=AV")
    assert config.run_name == f"tiny-taec-AV-script-{config.digest}"
    assert tiny.config().run_name.startswith("tiny-vanilla-script-")


def test_an_experiment_may_set_anything_and_the_command_line_wins(tiny: Tiny, tmp_path: Path) -> None:
    (tmp_path / "conf/experiment").mkdir(parents=True)
    (tmp_path / "conf/experiment/mine.yaml").write_text(
        "# @package _global_\ndefaults: [scripted, override /system: taec, override /ablation: M]\n"
        "run: {concurrency: 7}\nbudget: {pages: 3}\n"
    )
    folders = [OPTIONS / "conf", tmp_path / "conf"]
    (config,) = configurations(["experiment=mine", "budget.pages=2"], folders=folders)
    assert (config.label, config.plain.run.concurrency, config.plain.budget.pages) == ("taec-M", 7, 2)
    with pytest.raises(UsageError, match="ablation=M needs system=taec: dag has none"):
        configurations(["experiment=mine", "system=dag"], folders=folders)
