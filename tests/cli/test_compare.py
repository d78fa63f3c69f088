"""`python -m taec compare` as it is typed."""

import json
import sys
from pathlib import Path

import pytest
from support.rows import judged_row
from support.saved import saved_run
from support.tiny import Tiny

from taec.cli import run

HEAVY = ("mlflow", "hydra", "omegaconf", "optuna", "faiss", "openai", "scipy", "matplotlib", "jinja2")


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the runs `a` and `b` in it, which differ in one value and three answers, and something that is no run."""
    monkeypatch.chdir(tmp_path)
    saved_run(tmp_path / "runs/a", [judged_row(f"q{at}", True) for at in range(4)])
    saved_run(tmp_path / "runs/b", [judged_row(f"q{at}", at == 0) for at in range(4)], "system.allocation.tau=2")
    (tmp_path / "runs/sweep-1").mkdir()
    return tmp_path / "runs"


def test_two_runs_that_differ_in_one_value(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "runs/a", "runs/b"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("system.") == 1
    (line,) = [line for line in printed.splitlines() if "system." in line]
    assert line.split() == ["system=taec", "system.allocation.tau", "1.0", "2.0"]
    assert "-75.0 [" in printed
    assert "Right in 1 taec, wrong in 2 taec: 3" in printed


def test_nothing_heavy_is_imported_to_compare_runs(runs: Path, tiny: Tiny) -> None:
    code = f"import sys; from taec.cli import run; run(['compare', {str(runs / 'a')!r}, {str(runs / 'b')!r}]); "
    done = tiny.call([sys.executable, "-c", f"{code}print([m for m in {HEAVY} if m in sys.modules])"])
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_other_folders_among_runs_are_left_out_and_named(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "runs/a", "runs/b", "runs/sweep-1"]) == 0
    assert "left out, no run folders: runs/sweep-1" in capsys.readouterr().err


def test_override_lists_run_nothing(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "system=taec ablation=A", "system=taec", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [side["questions"] for side in found["compared"]] == [0, 0]
    assert found["configuration"][0]["keys"]["system.ablation"] == {"1 taec-A": "A", "2 taec": "none"}
    assert not (runs.parent / "mlruns").exists()
    assert sorted(path.name for path in runs.parent.iterdir()) == ["runs"]


def test_a_run_against_an_override_list(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "runs/b", ""]) == 0
    printed = capsys.readouterr().out
    assert "Not run: 2 taec. Configurations alone are compared." in printed
    assert "system.allocation.tau" in printed


def test_a_diff_is_printed_alone(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "--diff", "runs/a", "runs/b"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["--- runs/a", "+++ runs/b"]
    assert [line for line in lines[2:] if line[0] in "+-"] == ["-    tau: 1.0", "+    tau: 2.0"]
    assert run(["compare", "--diff", "runs/a", "runs/a"]) == 0
    assert capsys.readouterr().out == "Nothing differs.\n"


@pytest.mark.parametrize(
    ("name", "begins"), [("x.md", "# Comparison"), ("x.json", "{"), ("x.html", "<!doctype html>"), ("x.txt", "Compared")]
)
def test_a_file_says_by_its_name_what_it_holds(runs: Path, name: str, begins: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "runs/a", "runs/b", f"output=made/{name}"]) == 0
    assert capsys.readouterr().out == f"Written: made/{name}\n"
    assert (runs.parent / "made" / name).read_text().startswith(begins)


@pytest.mark.parametrize(
    ("words", "faults"),
    [
        ([], ["compare needs two or more"]),
        (["runs/a"], ["compare needs two or more"]),
        (["runs/a", "runs/bb"], ["runs/bb: there is no such folder, did you mean 'runs/b'?"]),
        (["runs/a", "runs/sweep-1"], ["runs/sweep-1 is not a run folder"]),
        (["runs/a", "runs/b/rows.jsonl"], ["runs/b/rows.jsonl is a file; a run is named by its folder"]),
        (["system=tac", "sistem=taec"], ["in 'system=tac': system=tac: there is no such system", "in 'sistem=taec': "]),
        (["runs/a", "system='taec"], ["cannot be taken apart"]),
        (["runs/a", "runs/b", "base=3"], ["base=3: is the number"]),
        (["runs/a", "runs/b", "output=x.pdf"], ["output=x.pdf: name it .md"]),
        (["runs/a", "runs/b", "--format", "xml"], ["--format takes one of text, md, json, html, not xml"]),
        (["runs/a", "mlflow:0123", "tracking.folder=nowhere"], ["mlflow:0123: there is no MLflow store in "]),
        (["runs/a", "tags.system = 'taec'", "tracking=none"], ["tracking=none has no runs"]),
    ],
)
def test_what_is_wrong_is_told(runs: Path, words: list[str], faults: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *words]) == 2
    told = capsys.readouterr().err
    assert all(fault in told for fault in faults), told
    assert "Traceback" not in told


@pytest.mark.parametrize(("text", "fault"), [(None, "config.yaml cannot be read: No such file"), ("a: [", "config.yaml is not YAML: ")])
def test_a_damaged_run_is_one_clear_error(runs: Path, text: str | None, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    (runs / "b/config.yaml").unlink()
    if text:
        (runs / "b/config.yaml").write_text(text)
    assert run(["compare", "runs/a", "runs/b"]) == 2
    told = capsys.readouterr().err
    assert fault in told
    assert len(told.splitlines()) == 1


def test_flags_of_compare_belong_to_compare(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "--diff"]) == 2
    assert "--diff belongs to compare: python -m taec compare --diff RUN RUN" in capsys.readouterr().err


def test_real_runs_that_differ_in_one_value_differ_in_that_alone(tiny: Tiny) -> None:
    for overrides in ([], ["system.allocation.tau=2", "output.folder=others", "run.concurrency=1"]):
        assert tiny.run("system=taec", *overrides).returncode == 0
    (one,), (two,) = (list((tiny.folder / name).iterdir()) for name in ("runs", "others"))
    done = tiny.call([sys.executable, "-m", "taec", "compare", str(one), str(two), "--format", "json"])
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert [group["keys"] for group in found["configuration"]] == [{"system.allocation.tau": {"1 taec": 1.0, "2 taec": 2.0}}]
    assert found["outside_identity"] == ["run.concurrency", "output.folder"]
    assert found["manifest"] == []
    assert found["warnings"] == []
    assert found["comparisons"][0]["verdicts"]["n"] == 6
