"""A run folder: what is in it, how it goes on, and when it refuses to."""

import json
from pathlib import Path

import pytest
from omegaconf import OmegaConf
from support.tiny import Tiny

from taec.core.errors import InfrastructureError, UsageError
from taec.experiment import job
from taec.experiment.progress import Lines
from taec.experiment.saved import questions_of, read_run
from taec.experiment.validation import check
from taec.records.journal import read_rows
from taec.records.manifest import read_manifest
from taec.records.provenance import CodeState


def run(tiny: Tiny, *overrides: str) -> job.Finished:
    return job.run(tiny.config(*overrides), Lines(lambda line: None))


def test_a_run_leaves_rows_manifest_and_configuration(tiny: Tiny) -> None:
    done = run(tiny, "system=taec", "ablation=A")
    assert [row.question_id for row in done.rows] == [f"q{n}" for n in range(1, 7)]
    assert {path.name for path in done.folder.iterdir()} >= {"config.yaml", "manifest.json", "rows.jsonl", "trajectories.jsonl"}
    saved = OmegaConf.to_container(OmegaConf.load(done.folder / "config.yaml"))
    assert isinstance(saved, dict)
    assert check({str(node): values for node, values in saved.items()}).digest == done.config.digest
    manifest = read_manifest(done.folder)
    assert (manifest.configuration, manifest.system, manifest.retriever.pages) == (done.config.digest, "taec-A", 3)
    assert (manifest.benchmark["name"], manifest.backbone["model"], manifest.judge.name) == ("tiny", "script-1", "marks")
    assert [session.outcome for session in manifest.sessions] == ["complete"]
    assert {row.fingerprint for row in done.rows} == {manifest.retriever.fingerprint}
    assert {row.code for row in done.rows} == {manifest.sessions[0].code.fingerprint}


def test_a_complete_run_is_left_as_it_is(tiny: Tiny) -> None:
    folder = run(tiny).folder
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert len(run(tiny).rows) == 6
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_torn_line_is_dropped_and_its_question_answered_again(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    folder = run(tiny).folder
    rows = folder / "rows.jsonl"
    rows.write_bytes(rows.read_bytes()[:-40])
    done = run(tiny)
    assert sorted(row.question_id for row in done.rows) == [f"q{n}" for n in range(1, 7)]
    assert len(rows.read_text().splitlines()) == 6
    assert "was torn" in capsys.readouterr().err
    assert len(read_manifest(folder).sessions) == 2


def test_a_stopped_run_says_so_in_its_manifest_and_goes_on(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InfrastructureError, match="service is down"):
        run(tiny, "benchmark.marks=['','',down]", "run.concurrency=1")
    folder = job.run_folder(tiny.config("benchmark.marks=['','',down]"))
    assert len((folder / "rows.jsonl").read_text().splitlines()) == 2
    monkeypatch.setenv("SCRIPTED_UP", "1")
    assert all(row.correct for row in run(tiny, "benchmark.marks=['','',down]").rows)
    assert [session.outcome for session in read_manifest(folder).sessions] == ["stopped by InfrastructureError", "complete"]


def test_rows_of_other_code_are_told(tiny: Tiny, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run(tiny)
    monkeypatch.setattr(job, "code_state", lambda: CodeState(version="2", fingerprint="f" * 16, commit=None, dirty=None))
    run(tiny)
    assert "6 rows of this run were made by other code" in capsys.readouterr().err


def test_an_expected_fingerprint_is_checked_before_anything_is_answered(tiny: Tiny) -> None:
    found = run(tiny).rows[0].fingerprint
    run(tiny, "benchmark.questions=2", f"run.expected_fingerprint='{found}'")
    with pytest.raises(UsageError, match=f"fingerprint is {found}, run.expected_fingerprint is 0000000000000000"):
        run(tiny, "benchmark.questions=3", "run.expected_fingerprint='0000000000000000'")


def test_rows_of_two_retrievers_are_never_mixed(tiny: Tiny) -> None:
    folder = run(tiny).folder
    manifest = (folder / "manifest.json").read_text()
    (folder / "manifest.json").write_text(manifest.replace(read_manifest(folder).retriever.fingerprint, "a" * 16))
    with pytest.raises(UsageError, match="rows of both must not be mixed"):
        run(tiny)


def test_a_missing_document_is_named(tiny: Tiny, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"tiny\.pdf cannot be read: No such file"):
        run(tiny, f"benchmark.folder={tmp_path}")
    assert not (tmp_path / "runs").exists()


def test_an_unreadable_document_is_named(tiny: Tiny, tmp_path: Path) -> None:
    (tmp_path / "tiny.pdf").write_bytes(b"no PDF at all")
    with pytest.raises(UsageError, match=r"tiny\.pdf cannot be opened"):
        run(tiny, f"benchmark.folder={tmp_path}")


def test_a_cache_folder_that_cannot_be_made(tiny: Tiny, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cache\.folder=.* cannot be made: Not a directory"):
        run(tiny, f"cache.folder={tmp_path / 'file' / 'cache'}")


def test_two_runs_share_nothing(tiny: Tiny) -> None:
    configs = tiny.configs("system=vanilla,react", multirun=True)
    first, second = (job.run(config, Lines(lambda line: None)) for config in configs)
    assert first.folder != second.folder
    assert {row.searches for row in first.rows} == {1}
    assert {row.searches for row in second.rows} == {2}
    assert read_manifest(first.folder).run_id != read_manifest(second.folder).run_id


def test_rows_carry_official_metrics_and_those_made_without_get_them(tiny: Tiny) -> None:
    made = run(tiny, "benchmark.marks=[wrong,raise]")
    assert [row.scores for row in made.rows[:3]] == [{"anls": 0.0}, {"anls": 0.0}, {"anls": 1.0}]
    file = made.folder / "rows.jsonl"
    lines = map(json.loads, file.read_text().splitlines())
    file.write_text("".join(json.dumps({name: row[name] for name in row if name != "scores"}) + "\n" for row in lines))
    assert all(not row.scores for row in read_rows(made.folder))
    assert [row.scores for row in run(tiny, "benchmark.marks=[wrong,raise]").rows] == [row.scores for row in made.rows]
    assert [row.scores for _, row in questions_of(read_run(made.folder))] == [row.scores for row in made.rows]
