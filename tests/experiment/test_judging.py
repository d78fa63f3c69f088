"""Verdicts by a model: after the answers, in one batch; again on run folders, together; and never mixed with another judge's."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.standin import Say, Seen, Standin, say
from support.tiny import Tiny

from taec.cli import run
from taec.records.journal import read_rows
from taec.records.manifest import read_manifest


class Judging:
    """Rules that 1 and 2 are right and everything else is wrong; has no tag for the questions in `silent`."""

    def __init__(self) -> None:
        self.silent: set[str] = set()

    def __call__(self, seen: Seen) -> Say:
        text = seen.body["messages"][0]["content"]
        if any(f"page {number}?" in text for number in self.silent):
            return say("Hard to say.")
        right = any(f"## Generated Answer\n{number}\n" in text for number in (1, 2))
        return say(f"<judge>{right}</judge>")


@pytest.fixture
def judging() -> Judging:
    return Judging()


@pytest.fixture
def server(judging: Judging, monkeypatch: pytest.MonkeyPatch) -> Iterator[Standin]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-judge-0123456789")
    with Standin(otherwise=judging).running() as standin:
        yield standin


def words(tiny: Tiny, *further: str) -> list[str]:
    return [*tiny.command()[3:], "benchmark.questions=3", *further]


def model_judge(server: Standin) -> tuple[str, ...]:
    return ("judge=gpt_4_1", f"judge.model.base_url={server.url}")


def rejudge(tiny: Tiny, *further: str) -> int:
    return run(["judge", "tracking=none", "--config-dir", tiny.command()[4], *further])


def test_a_model_judges_in_one_batch_after_all_answers(tiny: Tiny, server: Standin, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(tiny, *model_judge(server))) == 0
    lines = [json.loads(line) for line in (tiny.run_folder / "rows.jsonl").read_text().splitlines()]
    assert [line["correct"] for line in lines[:3]] == [None] * 3
    rows = read_rows(tiny.run_folder)
    assert sorted((row.question_id, row.correct) for row in rows) == [("q1", True), ("q2", True), ("q3", False)]
    facts = read_manifest(tiny.run_folder).judge
    assert (facts.name, facts.model) == ("gpt_4_1", "gpt-4.1")
    assert len(facts.rules) == 16
    assert {row.batch for row in rows} == {facts.batch}
    assert {(row.judge_calls, row.judge_prompt_tokens, row.judge_cost) for row in rows} == {(1, 100, (100 * 2 + 10 * 8) / 1e6)}
    assert json.loads((tiny.run_folder / "summary.json").read_text())["all"]["judge_cost"] == pytest.approx(3 * 280e-6)


def test_trouble_of_the_judge_is_no_wrong_answer_and_is_asked_again(
    tiny: Tiny, server: Standin, judging: Judging, capsys: pytest.CaptureFixture[str]
) -> None:
    judging.silent = {"1"}
    assert run(words(tiny, *model_judge(server))) == 1
    assert {row.question_id: row.correct for row in read_rows(tiny.run_folder)} == {"q1": None, "q2": True, "q3": False}
    judging.silent, before = set(), len(server.seen)
    assert rejudge(tiny, "--failed", str(tiny.run_folder), *model_judge(server)) == 0
    assert len(server.seen) == before + 1
    rows = {row.question_id: row for row in read_rows(tiny.run_folder)}
    assert (rows["q1"].correct, rows["q1"].judge_calls) == (True, 4)
    assert rows["q1"].batch == read_manifest(tiny.run_folder).judge.batch != rows["q2"].batch


def test_runs_are_judged_anew_together_without_being_answered_again(
    tiny: Tiny, server: Standin, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words(tiny, "-m", "system=vanilla,react", "benchmark.marks=[wrong]")) == 0
    folders = [folder for folder in (tiny.folder / "runs").iterdir() if (folder / "manifest.json").exists()]
    before = {folder: {row.question_id: row for row in read_rows(folder)} for folder in folders}
    trajectories = {folder: (folder / "trajectories.jsonl").read_bytes() for folder in folders}
    capsys.readouterr()
    assert rejudge(tiny, *map(str, (tiny.folder / "runs").iterdir()), *model_judge(server)) == 0
    assert "judged 6 answers of 2 runs" in capsys.readouterr().out
    assert len(server.seen) == 6
    assert len({read_manifest(folder).judge.batch for folder in folders}) == 1
    for folder in folders:
        rows = {row.question_id: row for row in read_rows(folder)}
        assert {name: row.correct for name, row in rows.items()} == {"q1": False, "q2": True, "q3": False}
        assert {name: row.answer for name, row in rows.items()} == {name: row.answer for name, row in before[folder].items()}
        assert (folder / "trajectories.jsonl").read_bytes() == trajectories[folder]
        assert len((folder / "rows.jsonl").read_text().splitlines()) == 3
        assert json.loads((folder / "summary.json").read_text())["all"]["right"] == 1


def test_verdicts_of_two_judges_are_never_mixed(tiny: Tiny, server: Standin, capsys: pytest.CaptureFixture[str]) -> None:
    undecided = ("benchmark.marks=[undecided]",)
    assert run(words(tiny, *undecided)) == 1
    folder = str(tiny.run_folder)
    assert rejudge(tiny, "--failed", folder, *model_judge(server)) == 2
    assert "those of two must not be mixed" in capsys.readouterr().err
    assert server.seen == []
    assert rejudge(tiny, folder, *model_judge(server)) == 0
    (tiny.run_folder / "rows.jsonl").write_text("".join((tiny.run_folder / "rows.jsonl").read_text().splitlines(keepends=True)[:2]))
    assert run(words(tiny, *undecided)) == 2
    assert f"python -m taec judge {folder} judge=marks" in capsys.readouterr().err


def test_a_run_is_judged_by_its_own_judge_unless_told_otherwise(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words(tiny, "benchmark.marks=[undecided]")) == 1
    monkeypatch.setenv("SCRIPTED_UP", "1")
    assert rejudge(tiny, "--failed", str(tiny.run_folder)) == 0
    assert {row.correct for row in read_rows(tiny.run_folder)} == {True}


def test_a_judge_that_is_down_leaves_everything_as_it_was(tiny: Tiny, server: Standin, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(tiny)) == 0
    before = (tiny.run_folder / "rows.jsonl").read_bytes()
    server._otherwise = lambda seen: Say({"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}, 401)
    assert rejudge(tiny, str(tiny.run_folder), *model_judge(server)) == 3
    assert (tiny.run_folder / "rows.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("operands", "told"),
    [
        ((), "judge needs run folders"),
        (("nowhere",), "is not there"),
        ((".",), "judge needs run folders"),
        ((".", "budget.max_cost=1"), "judge takes judge=, run.concurrency= and tracking= only"),
        ((".", "-m"), "one judge rules on all runs together"),
        ((".", "judge=gtp_4_1"), "did you mean 'gpt_4_1'"),
    ],
)
def test_what_cannot_be_judged(tiny: Tiny, operands: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert rejudge(tiny, *operands) == 2
    assert told in capsys.readouterr().err


def test_a_folder_that_is_no_longer_whole_is_refused(tiny: Tiny, server: Standin, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(tiny)) == 0
    folder = tiny.run_folder
    saved = {name: (folder / name).read_text() for name in ("config.yaml", "rows.jsonl")}
    for name, text, told in (
        ("config.yaml", "a: [b\n: x", "cannot be read"),
        ("config.yaml", saved["config.yaml"].replace("name: tiny", "name: tny"), "benchmark"),
        ("rows.jsonl", saved["rows.jsonl"].replace("page 2?", "page two?"), "the benchmark has changed since"),
    ):
        (folder / name).write_text(text)
        assert rejudge(tiny, str(folder), *model_judge(server)) == 2, told
        assert told in capsys.readouterr().err
        (folder / name).write_text(saved[name])
    (folder / "rows.jsonl").unlink()
    assert rejudge(tiny, str(folder), *model_judge(server)) == 2
    assert Path(folder / "rows.jsonl").exists() is False
