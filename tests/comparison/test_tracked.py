"""Runs named by MLflow, in a real store: by id, by a query, and from the artifacts where the folder is gone."""

import shutil
from pathlib import Path

import pytest
from mlflow import MlflowClient
from support.rows import judged_row
from support.saved import saved_run

from taec.cli import run
from taec.comparison.sides import is_mlflow
from taec.comparison.tracked import tracked
from taec.core.errors import InfrastructureError, UsageError
from taec.experiment.store import Store
from taec.experiment.tracking import Sweep, export


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, list[Path], list[str]]:
    """A store with two runs of one sweep; the folder of the second is gone. With the folders and the ids."""
    place = tmp_path_factory.mktemp("mlflow")
    store = Store(place / "store", "compared")
    rows = [judged_row(f"q{at}", True) for at in range(3)]
    folders = [saved_run(place / f"{tau}", rows, f"system.allocation.tau={tau}") for tau in (1, 2)]
    export(store, folders, Sweep("two", tuple(folders)))
    shutil.rmtree(folders[1])
    client = MlflowClient(tracking_uri=store.uri)
    found = client.search_runs([client.get_experiment_by_name("compared").experiment_id], "tags.kind = 'run'")
    return store, folders, sorted((run.info.run_id for run in found), key=lambda name: client.get_run(name).data.tags["taec.run_id"])


def test_by_id_from_the_folder_and_from_the_artifacts(exported) -> None:
    store, folders, ids = exported
    (here,), (gone,) = tracked(f"mlflow:{ids[0]}", store), tracked(ids[1], store)
    assert (here.source, here.folder) == (str(folders[0]), folders[0])
    assert (gone.source, gone.folder) == (f"mlflow:{ids[1]} (its artifacts)", None)
    assert [side.config["system"]["allocation"]["tau"] for side in (here, gone)] == [1.0, 2.0]
    assert len(gone.rows) == 3


def test_by_a_query_without_parents(exported) -> None:
    store, _, _ = exported
    assert len(tracked("tags.system = 'taec'", store)) == 2
    assert len(tracked("mlflow:params.system.allocation.tau = '2.0'", store)) == 1


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ("mlflow:" + "0" * 32, "not found"),
        ("tags.system = 'vanilla'", "no run of the experiment 'compared'"),
        ("mlflow:nonsense", "nonsense: "),
    ],
)
def test_what_is_not_there_is_told(exported, asked: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        tracked(asked, exported[0])


def test_a_run_whose_rows_are_nowhere_is_told(exported, tmp_path: Path) -> None:
    store = Store(exported[0].folder, "bare")
    with store.open() as (client, experiment):
        bare = client.create_run(experiment, tags={"kind": "run"}).info.run_id
    with pytest.raises(UsageError, match=r"names no run folder, and the store holds no config.yaml and no manifest.json and no rows.jsonl"):
        tracked(f"mlflow:{bare}", store)


def test_an_experiment_that_is_not_there_is_not_made(exported) -> None:
    store = Store(exported[0].folder, "misspelt")
    with pytest.raises(UsageError, match=r"tracking.experiment=misspelt: the store in .* has .*compared"):
        tracked(exported[2][0], store)
    assert MlflowClient(tracking_uri=store.uri).get_experiment_by_name("misspelt") is None


def test_a_store_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "mlflow.db").write_text("this is no database, whatever its name says")
    with pytest.raises(InfrastructureError, match="cannot be used"):
        tracked("mlflow:x", Store(tmp_path, "taec"))


def test_as_it_is_typed(exported, capsys: pytest.CaptureFixture[str]) -> None:
    store, _, _ = exported
    words = ["tags.system = 'taec'", f"tracking.folder={store.folder}", "tracking.experiment=compared"]
    assert run(["compare", *words]) == 0
    printed = capsys.readouterr().out
    assert "system.allocation.tau" in printed
    assert "have the same verdict on every one of 3 questions" in printed


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("mlflow:abc", True),
        ("0" * 32, True),
        ("tags.system = 'taec'", True),
        ("params.`x` LIKE 'a%'", True),
        ("metrics.accuracy > 0.5", True),
        ("system=taec", False),
        ("runs/a", False),
        ("", False),
    ],
)
def test_which_operands_mlflow_is_asked_for(word: str, answer: bool) -> None:
    assert is_mlflow(word) == answer
