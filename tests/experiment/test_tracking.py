"""MLflow: what an export looks like, that twice is once, and that a store in any state harms nothing."""

import sqlite3
from pathlib import Path
from urllib.parse import urlparse

import pytest
from mlflow import MlflowClient
from mlflow.entities import Run
from support.tiny import Tiny

from taec.cli import run
from taec.experiment import job, store
from taec.experiment.progress import Lines
from taec.experiment.store import Store
from taec.experiment.tracking import PARENT, Sweep, export, export_comparison


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One store for this module, since making one takes seconds; each test has an experiment of its own."""
    return Store(tmp_path_factory.mktemp("mlflow"), "shared")


def own(shared: Store, experiment: str) -> Store:
    return Store(shared.folder, experiment)


def runs(store: Store) -> list[Run]:
    client = MlflowClient(tracking_uri=store.uri)
    found = client.get_experiment_by_name(store.experiment)
    return list(client.search_runs([found.experiment_id])) if found else []


def finished(tiny: Tiny, *overrides: str) -> job.Finished:
    return job.run(tiny.config(*overrides), Lines(lambda line: None))


def test_exported_twice_is_one_run_and_up_to_date(tiny: Tiny, shared: Store) -> None:
    place = own(shared, "twice")
    done = finished(tiny, "system=taec", "ablation=AV")
    export(place, [done.folder])
    (done.folder / "summary.json").write_text("{}")
    export(place, [done.folder])
    (found,) = runs(place)
    assert found.info.status == "FINISHED"
    assert found.info.run_name == "tiny taec-AV script"
    expected = {"system": "taec", "ablation": "AV", "backbone": "script", "retriever": "listed", "benchmark": "tiny", "kind": "run"}
    assert expected.items() <= found.data.tags.items()
    assert (found.data.tags["configuration"], found.data.tags["fingerprint"]) == (done.config.digest, done.rows[0].fingerprint)
    assert found.data.metrics["accuracy"] == 1.0
    assert found.data.params["system.allocation.strategy"] == "detail"
    artifacts = Path(urlparse(found.info.artifact_uri).path)
    assert artifacts.is_relative_to(place.folder)
    assert {file.name for file in artifacts.iterdir()} >= {
        "config.yaml",
        "manifest.json",
        "rows.jsonl",
        "trajectories.jsonl",
        "summary.json",
    }


def test_the_runs_of_a_sweep_stand_under_one_parent(tiny: Tiny, shared: Store) -> None:
    place = own(shared, "sweep")
    folders = tuple(finished(tiny, f"benchmark.questions={count}").folder for count in (1, 2))
    sweep = Sweep("benchmark.questions=1,2", folders)
    picture = tiny.folder / "figure.png"
    picture.touch()
    for folder in folders * 2:
        export(place, [folder], sweep)
        export_comparison(place, sweep, [picture])
    found = runs(place)
    (parent,) = (each for each in found if each.data.tags["kind"] == "sweep")
    assert (parent.info.run_name, parent.info.status) == ("benchmark.questions=1,2", "FINISHED")
    assert Path(urlparse(parent.info.artifact_uri).path, "figure.png").exists()
    children = [each for each in found if each is not parent]
    assert [each.data.tags[PARENT] for each in children] == [parent.info.run_id] * 2
    assert sorted(each.data.metrics["questions"] for each in children) == [1, 2]


def test_an_experiment_that_was_deleted_comes_back(tiny: Tiny, shared: Store) -> None:
    place = own(shared, "deleted")
    folder = finished(tiny, "benchmark.questions=1").folder
    export(place, [folder])
    client = MlflowClient(tracking_uri=place.uri)
    client.delete_experiment(client.get_experiment_by_name("deleted").experiment_id)
    export(place, [folder])
    assert len(runs(place)) == 1


def scripted(tiny: Tiny, *words: str) -> int:
    return run([*tiny.command()[3:], f"output.folder={tiny.folder / 'runs'}", *words])


def test_track_exports_what_was_not_exported(tiny: Tiny, shared: Store, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(finished(tiny, f"benchmark.questions={count}").folder) for count in (1, 2)]
    words = ["track", f"tracking.folder={shared.folder}", "tracking.experiment=track"]
    assert [run([*words, *folders]), run([*words, *folders])] == [0, 0]
    assert len(runs(own(shared, "track"))) == 2
    assert f"mlflow ui --backend-store-uri sqlite:///{shared.folder}/mlflow.db" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["track"], "track needs run folders"),
        (["track", "nowhere"], "nowhere is not there"),
        (["track", "."], "track needs run folders"),
        (["track", ".", "tracking.foldr=x"], "did you mean 'tracking.folder'?"),
        (["track", ".", "tracking=none"], "tracking=none exports nothing"),
    ],
)
def test_track_says_what_is_wrong(tiny: Tiny, words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 2
    assert message in capsys.readouterr().err


def garbage(folder: Path) -> None:
    folder.mkdir()
    (folder / "mlflow.db").write_bytes(b"no database" * 1000)


def a_file(folder: Path) -> None:
    folder.write_text("no folder")


def half_made(folder: Path) -> None:
    folder.mkdir()
    with sqlite3.connect(folder / "mlflow.db") as connection:
        connection.execute("CREATE TABLE experiments (x INTEGER)")


@pytest.mark.parametrize("break_it", [garbage, a_file, pytest.param(half_made, marks=pytest.mark.slow)])
def test_a_broken_store_never_fails_a_run(tiny: Tiny, break_it: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert callable(break_it)
    break_it(tiny.folder / "mlruns")
    assert scripted(tiny, "tracking=mlflow", "benchmark.questions=1") == 0
    said = capsys.readouterr().err
    assert "cannot be used, the run goes on without it" in said
    assert f"to export it later: python -m taec track {tiny.run_folder}" in said
    assert "Traceback" not in said
    assert run(["track", str(tiny.run_folder)]) == 3


def test_a_locked_store_never_fails_a_run(
    tiny: Tiny, shared: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with shared.open():
        pass
    monkeypatch.setattr(store, "PATIENCE", 0.05)
    other = sqlite3.connect(shared.database, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    words = ("tracking=mlflow", f"tracking.folder={shared.folder}", "tracking.experiment=locked", "benchmark.questions=1")
    assert scripted(tiny, *words) == 0
    assert "database is locked" in capsys.readouterr().err
    other.execute("ROLLBACK")
    other.close()
    assert scripted(tiny, *words) == 0
    assert capsys.readouterr().err == ""
    assert len(runs(own(shared, "locked"))) == 1
