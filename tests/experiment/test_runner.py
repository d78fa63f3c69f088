"""Answering: whose trouble becomes a row, whose stops the run, and what is asked again."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.tiny import Tiny

from taec.core.errors import InfrastructureError, SystemFailure
from taec.core.questions import Question
from taec.experiment.assemble import Assembly, assemble
from taec.experiment.runner import Runner
from taec.judges.base import Judge, Verdict
from taec.records.journal import Journal, read_trajectories
from taec.records.rows import Row
from taec.systems.base import Session


def ready(tiny: Tiny, *overrides: str) -> Assembly:
    return assemble(tiny.config(*overrides), lambda name, done, total: None)


async def answer(assembly: Assembly, folder: Path) -> dict[str, Row]:
    """Run into `folder` and give the rows that were told as finished."""
    told: list[Row] = []
    with Journal(folder) as journal:
        await Runner(assembly, journal, "code", "0" * 16, told.append).run()
        assert len(told) == len({row.question_id for row in told})
        assert {row.question_id: row for row in told}.items() <= dict(journal.rows).items()
    return {row.question_id: row for row in told}


class Raises:
    """A system that raises for the first question and answers the others."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def answer(self, session: Session) -> None:
        if "page 1?" in session.question:
            raise self._error
        session.trajectory.answer, session.trajectory.ending = "2", "answered"


async def test_every_question_becomes_a_judged_row(tiny: Tiny, tmp_path: Path) -> None:
    rows = await answer(ready(tiny, "system=react", "benchmark.questions=7", "benchmark.marks=[wrong]"), tmp_path / "run")
    assert {name: row.correct for name, row in rows.items()} == {f"q{n}": n > 1 for n in range(1, 8)}
    assert all((row.code, row.fingerprint, row.rule, row.searches) == ("code", "0" * 16, "same", 2) for row in rows.values())


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (SystemFailure("call_ceiling", "too many"), "call_ceiling"),
        (ValueError("?"), "ValueError at test_runner.py:"),
        (TimeoutError("slow"), "TimeoutError at test_runner.py:"),
    ],
)
async def test_a_systems_trouble_is_a_wrong_row_with_its_reason(tiny: Tiny, tmp_path: Path, error: Exception, failure: str) -> None:
    rows = await answer(replace(ready(tiny, "benchmark.questions=3"), system=Raises(error)), tmp_path / "run")
    assert rows["q1"].failure.startswith(failure)
    assert (rows["q1"].correct, rows["q1"].rule, rows["q1"].ending, rows["q1"].trouble) == (False, "failure", "failed", "system")
    assert [rows[name].failure for name in ("q2", "q3")] == ["", ""]
    events = {record.question_id: record.events for record in read_trajectories(tmp_path / "run")}
    assert str(error) in events["q1"][-1]


@pytest.mark.parametrize(
    "error", [InfrastructureError("down"), OSError(28, "No space left on device"), ConnectionError("reset"), MemoryError()]
)
async def test_trouble_of_the_surroundings_stops_the_run_and_leaves_no_row(tiny: Tiny, tmp_path: Path, error: Exception) -> None:
    assembly = ready(tiny, "benchmark.questions=4", "run.concurrency=1")
    with pytest.raises(InfrastructureError):
        await answer(replace(assembly, system=Raises(error)), tmp_path / "run")
    rows = await answer(assembly, tmp_path / "run")
    assert set(rows) == {"q1", "q2", "q3", "q4"}


async def test_an_empty_answer_is_wrong_without_asking_the_judge(tiny: Tiny, tmp_path: Path) -> None:
    class Blank:
        async def answer(self, session: Session) -> None:
            session.trajectory.answer, session.trajectory.ending = "  ", "answered"

    rows = await answer(replace(ready(tiny, "benchmark.questions=1"), system=Blank()), tmp_path / "run")
    assert (rows["q1"].correct, rows["q1"].rule) == (False, "no answer")


async def test_an_answer_without_a_verdict_is_judged_again_and_not_answered_again(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assembly = ready(tiny, "benchmark.marks=[undecided]")
    rows = await answer(assembly, tmp_path / "run")
    assert (rows["q1"].correct, rows["q1"].trouble, rows["q1"].answer) == (None, "judge", "1")
    assert set(await answer(assembly, tmp_path / "run")) == {"q1"}
    monkeypatch.setenv("SCRIPTED_UP", "1")
    judged = await answer(replace(assembly, system=Raises(ValueError())), tmp_path / "run")
    assert {name: row.correct for name, row in judged.items()} == {"q1": True}
    assert await answer(assembly, tmp_path / "run") == {}


async def test_a_judge_that_breaks_costs_no_answer(tiny: Tiny, tmp_path: Path) -> None:
    class Broken(Judge):
        name = version = "broken"

        def __init__(self, error: Exception) -> None:
            self._error = error

        async def judge(self, items: Sequence[tuple[Question, str]]) -> list[Verdict]:
            raise self._error

    assembly = ready(tiny, "benchmark.questions=2", "run.concurrency=1")
    rows = await answer(replace(assembly, judge=Broken(KeyError("x"))), tmp_path / "one")
    assert [row.rule for row in rows.values()] == [rows["q1"].rule] * 2
    assert rows["q1"].rule.startswith("the judge failed: KeyError at test_runner.py:")
    with pytest.raises(InfrastructureError):
        await answer(replace(assembly, judge=Broken(InfrastructureError("down"))), tmp_path / "two")
    with Journal(tmp_path / "two") as journal:
        assert [(row.question_id, row.answer, row.trouble) for row in journal.rows.values()] == [("q1", "1", "judge")]


async def test_failures_stay_until_they_are_to_be_tried_again(tiny: Tiny, tmp_path: Path) -> None:
    assembly = ready(tiny, "benchmark.questions=3")
    await answer(replace(assembly, system=Raises(ValueError())), tmp_path / "run")
    assert await answer(assembly, tmp_path / "run") == {}
    again = ready(tiny, "benchmark.questions=3", "run.retry_failures=true")
    assert {name: row.correct for name, row in (await answer(again, tmp_path / "run")).items()} == {"q1": True}


async def test_no_more_questions_at_once_than_allowed(tiny: Tiny, tmp_path: Path) -> None:
    class Counting:
        now = most = 0

        async def answer(self, session: Session) -> None:
            self.now += 1
            self.most = max(self.most, self.now)
            await session.candidates("x", 1)
            await session.call([])
            self.now -= 1

    system = Counting()
    await answer(replace(ready(tiny, "benchmark.questions=20", "run.concurrency=4"), system=system), tmp_path / "run")
    assert system.most == 4
