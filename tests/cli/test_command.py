"""The real command: what it prints, where, and how it ends."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from support.tiny import OPTIONS, Tiny

from taec.cli import run

HEAVY = ("mlflow", "optuna", "faiss", "openai", "hydra", "omegaconf", "numpy", "matplotlib", "pydantic")


def test_help_is_ours_and_imports_nothing_heavy(tiny: Tiny) -> None:
    code = f"import sys; from taec.cli import run; run(['--help']); print([m for m in {HEAVY} if m in sys.modules])"
    done = tiny.call([sys.executable, "-c", code])
    assert done.stdout.splitlines()[-1] == "[]"
    assert "system        dag, react, taec, vanilla" in done.stdout
    assert "  track " in done.stdout


def test_help_shows_the_options_of_further_folders(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help", "--config-dir", str(OPTIONS / "conf")]) == 0
    assert "reader, script, vrag_rl_7b" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("taec ")


def test_a_run_from_any_folder_shows_its_table_and_where_it_lies(tiny: Tiny) -> None:
    done = tiny.run("system=react", "benchmark.marks=[wrong]")
    assert (done.returncode, done.stderr) == (0, "")
    assert "react: 6/6 questions, accuracy 0.833" in done.stdout
    assert "83.3" in done.stdout
    assert f"react: {tiny.run_folder}" in done.stdout
    files = {path.name for path in tiny.run_folder.iterdir()}
    assert files >= {
        "config.yaml",
        "manifest.json",
        "rows.jsonl",
        "trajectories.jsonl",
        "summary.json",
        "breakdowns.md",
        "figure.png",
        "figure.svg",
    }
    rows = [json.loads(line) for line in (tiny.run_folder / "rows.jsonl").read_text().splitlines()]
    assert sorted(row["question_id"] for row in rows) == [f"q{n}" for n in range(1, 7)]


def test_overrides_on_both_sides_of_multirun(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*tiny.command()[3:], "system=taec", "-m", "ablation=A,M,V", "benchmark.questions=2"]
    assert run(words) == 0
    shown = capsys.readouterr().out
    (comparison,) = (tiny.folder / "runs").glob("sweep-*")
    assert {path.name for path in comparison.iterdir()} == {"table.md", "table.csv", "figure.png", "figure.svg"}
    lines = (comparison / "table.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["name", "taec-A", "taec-M", "taec-V"]
    assert all(f"taec-{name}: {tiny.folder}/runs/tiny-taec-{name}-script-" in shown for name in "AMV")


def test_every_fault_in_one_message_and_exit_code_2(tiny: Tiny) -> None:
    done = tiny.run("system=vanila", "budget.pagse=3", "run.concurrency=0", "--mutlirun", "ablation=A")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == "taec: 5 faults"
    for meant in ("'--multirun'", "'vanilla'", "'budget.pages'", "run.concurrency=0: must be", "ablation=A needs system=taec"):
        assert meant in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tiny.folder / "runs").exists()


@pytest.mark.parametrize("words", [["rum"], ["system=vanila"], ["--cfg", "job", "system=vanila"], ["--cfg", "jb"], ["--resolve"]])
def test_a_wrong_request_ends_with_2_and_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1


def test_an_unwritable_output_folder(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    (tiny.folder / "file").touch()
    assert run([*tiny.command()[3:], f"output.folder={tiny.folder / 'file' / 'runs'}"]) == 2
    assert "output.folder=" in (said := capsys.readouterr().err)
    assert "cannot be written to: Not a directory" in said


def test_one_job_that_fails_does_not_stop_the_others(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    good = OPTIONS.parents[0]
    folders = f"benchmark.folder={good},{os.environ['TINY_FOLDER']}"
    assert run([*tiny.command()[3:], "-m", folders, "benchmark.questions=2"]) == 2
    shown = capsys.readouterr()
    assert "tiny.pdf cannot be read" in shown.err
    assert "2/2 questions" in shown.out


def test_a_service_that_is_down_is_exit_code_3_and_the_same_command_continues(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*tiny.command()[3:], "benchmark.marks=['',down]", "run.concurrency=1"]
    assert run(words) == 3
    assert capsys.readouterr().err.splitlines() == [
        "taec: The model's service is down.",
        "taec: what is finished is safe; the same command answers the rest",
    ]
    monkeypatch.setenv("SCRIPTED_UP", "1")
    assert run(words) == 0


def test_a_verdict_that_is_missing_is_exit_code_1(tiny: Tiny, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*tiny.command()[3:], "benchmark.marks=[undecided]"]
    assert run(words) == 1
    assert "1 answers have no verdict" in capsys.readouterr().out
    monkeypatch.setenv("SCRIPTED_UP", "1")
    assert run(words) == 0


def held(tiny: Tiny, *words: str) -> subprocess.Popen[str]:
    """A run whose model has answered four calls and will never answer another."""
    fifo = tiny.folder / "fifo"
    os.mkfifo(fifo)
    environment = {**tiny.environment, "SCRIPTED_HOLD": f"4:{fifo}"}
    process = subprocess.Popen(
        tiny.command(*words), cwd=tiny.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert fifo.read_text() == "held"
    return process


def questions(folder: Path) -> Counter[str]:
    return Counter(json.loads(line)["question_id"] for line in (folder / "rows.jsonl").read_text().splitlines())


def test_kill_9_loses_no_finished_question_and_the_same_command_finishes_the_rest(tiny: Tiny) -> None:
    process = held(tiny)
    process.kill()
    process.communicate()
    before = (tiny.run_folder / "rows.jsonl").read_text()
    assert 2 <= len(before.splitlines()) <= 4
    done = tiny.run()
    assert done.returncode == 0, done.stderr
    assert (tiny.run_folder / "rows.jsonl").read_text().startswith(before)
    assert questions(tiny.run_folder) == Counter({f"q{n}": 1 for n in range(1, 7)})


def test_ctrl_c_ends_with_130_and_the_same_command_continues(tiny: Tiny) -> None:
    process = held(tiny)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == "taec: stopped. The same command continues.\n"
    assert tiny.run().returncode == 0
    assert questions(tiny.run_folder) == Counter({f"q{n}": 1 for n in range(1, 7)})
    outcomes = [session["outcome"] for session in json.loads((tiny.run_folder / "manifest.json").read_text())["sessions"]]
    assert outcomes == ["stopped by CancelledError", "complete"]


def test_two_processes_do_not_write_into_one_run(tiny: Tiny) -> None:
    process = held(tiny)
    second = tiny.run()
    process.kill()
    process.communicate()
    assert second.returncode == 2
    assert "Another process is writing" in second.stderr
