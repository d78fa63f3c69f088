import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taec.core.errors import InfrastructureError, UsageError
from taec.records.journal import ROWS, TRAJECTORIES, Journal, read_rows, read_trajectories
from taec.records.rows import Row

IDS = [f"q{number}" for number in range(4)]


@pytest.fixture
def folder(tmp_path: Path, finished) -> Path:
    """A run folder with four finished questions."""
    with Journal(tmp_path / "run") as journal:
        for question_id in IDS:
            journal.append(*finished(question_id))
    return tmp_path / "run"


def ids(rows: list[Row]) -> list[str]:
    return [row.question_id for row in rows]


def test_what_was_appended_is_read_back(folder: Path, finished) -> None:
    row, trajectory = finished("q2")
    assert ids(read_rows(folder)) == IDS
    assert read_rows(folder)[2] == row
    stored = list(read_trajectories(folder))[2]
    assert stored.question_id == "q2"
    assert (stored.nodes, stored.memories) == (trajectory.graph.nodes, trajectory.graph.memories)
    assert (list(stored.calls), list(stored.searches)) == (trajectory.calls, trajectory.searches)
    assert (stored.notices, list(stored.events), stored.answer) == (trajectory.notices, trajectory.events, trajectory.answer)
    assert json.loads((folder / ROWS).read_text(encoding="utf-8").splitlines()[0])["question_id"] == "q0"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(data=st.data())
def test_a_cut_at_any_byte_costs_one_question_at_most(folder: Path, finished, tmp_path: Path, data: st.DataObject) -> None:
    whole = (folder / ROWS).read_bytes()
    kept = data.draw(st.integers(0, len(whole)))
    cut = tmp_path / "cut"
    cut.mkdir(exist_ok=True)
    (cut / ROWS).write_bytes(whole[:kept])
    (cut / TRAJECTORIES).write_bytes((folder / TRAJECTORIES).read_bytes())
    complete = IDS[: whole[: kept + 1].count(b"\n")]
    assert ids(read_rows(cut)) == complete
    with Journal(cut) as journal:
        assert list(journal.rows) == complete
        torn = kept > 0 and kept < len(whole) and whole[kept - 1 : kept + 1].count(b"\n") == 0
        assert len(journal.notices) == torn
        journal.append(*finished("q9"))
    assert ids(read_rows(cut)) == [*complete, "q9"]


@pytest.mark.parametrize("tail", [b"\0" * 50, b'{"question_id": "q9"', b'{"a": 1}garbage\n', b"\n"])
def test_a_torn_end_is_dropped_and_said(folder: Path, tail: bytes) -> None:
    whole = (folder / TRAJECTORIES).read_bytes()
    (folder / TRAJECTORIES).write_bytes(whole + tail)
    with Journal(folder) as journal:
        assert [TRAJECTORIES in notice for notice in journal.notices] == [True]
        assert list(journal.rows) == IDS
    assert (folder / TRAJECTORIES).read_bytes() == whole


def test_damage_in_the_middle_names_file_and_line(folder: Path) -> None:
    lines = (folder / ROWS).read_bytes().splitlines(keepends=True)
    (folder / ROWS).write_bytes(lines[0] + b"{broken\n" + lines[1])
    with pytest.raises(InfrastructureError, match=r"rows\.jsonl, line 2 is not JSON"):
        read_rows(folder)
    with pytest.raises(InfrastructureError, match=r"rows\.jsonl, line 2 is not JSON"):
        Journal(folder)
    (folder / ROWS).write_bytes(lines[0] + b'{"question_id": "from another version"}\n')
    with pytest.raises(InfrastructureError, match=r"rows\.jsonl, line 2 is not a Row"):
        Journal(folder)
    (folder / ROWS).write_bytes(lines[0])
    with Journal(folder) as journal:
        assert list(journal.rows) == ["q0"]


def test_the_latest_row_of_a_question_wins_and_keeps_its_place(folder: Path) -> None:
    with Journal(folder) as journal:
        journal.amend(journal.rows["q1"].model_copy(update={"correct": True, "rule": "exact"}))
        assert journal.rows["q1"].correct is True
    assert ids(read_rows(folder)) == IDS
    assert [row.correct for row in read_rows(folder)] == [None, True, None, None]


def test_new_verdicts_replace_all_rows_at_once(folder: Path, finished) -> None:
    with Journal(folder) as journal:
        journal.amend(journal.rows["q1"].model_copy(update={"correct": True}))
        journal.rewrite(row.model_copy(update={"correct": False, "rule": "no_match"}) for row in list(journal.rows.values()))
        journal.append(*finished("q4"))
    assert [(row.question_id, row.rule) for row in read_rows(folder)] == [*((name, "no_match") for name in IDS), ("q4", "")]
    assert len((folder / ROWS).read_bytes().splitlines()) == 5
    assert sorted(path.name for path in folder.iterdir() if path.name != ".lock") == [ROWS, TRAJECTORIES]


def test_verdicts_that_cannot_be_made_leave_the_rows_as_they_were(folder: Path) -> None:
    before = (folder / ROWS).read_bytes()
    with Journal(folder) as journal, pytest.raises(ZeroDivisionError):
        journal.rewrite(row.model_copy(update={"searches": 1 // 0}) for row in journal.rows.values())
    assert (folder / ROWS).read_bytes() == before


def test_a_second_process_is_told_to_wait(folder: Path) -> None:
    code = f"from pathlib import Path; from taec.records.journal import Journal; Journal(Path({str(folder)!r}))"
    command = [sys.executable, "-c", code]
    with Journal(folder):
        second = subprocess.run(command, capture_output=True, text=True, check=False)
        with pytest.raises(UsageError, match="Another process is writing"):
            Journal(folder)
    assert "UsageError: Another process is writing" in second.stderr
    assert subprocess.run(command, check=False).returncode == 0


def test_a_folder_that_cannot_be_made_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be used as a run folder"):
        Journal(tmp_path / "file")
    with pytest.raises(UsageError, match="cannot be used as a run folder"):
        Journal(tmp_path / "file" / "run")
    with pytest.raises(UsageError, match="is not a run folder"):
        read_rows(tmp_path)
    with pytest.raises(UsageError, match="is not a run folder"):
        read_trajectories(tmp_path)


FILL = """
import resource, sys
from pathlib import Path
from taec.core.errors import InfrastructureError
from taec.records.journal import Journal, read_rows, read_trajectories

folder, limit = Path(sys.argv[1]), int(sys.argv[2])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
with Journal(folder) as journal:
    row, written = journal.rows["q0"], 0
    first = next(read_trajectories(folder))
    log = journal._trajectories_log
    try:
        while True:
            log.append(first.model_copy(update={"question_id": f"f{written}"}).model_dump_json())
            journal.amend(row.model_copy(update={"question_id": f"f{written}"}))
            written += 1
    except InfrastructureError as error:
        print(error)
assert [row.question_id for row in read_rows(folder)][4:] == [f"f{at}" for at in range(written)], "rows damaged"
assert len(list(read_trajectories(folder))) >= 4 + written, "trajectories damaged"
with Journal(folder) as journal:
    assert not journal.notices, journal.notices
    assert len(journal.rows) == 4 + written
"""
"""Writes until the disk refuses, then checks that all that was accepted is there."""


def fill(folder: Path, limit: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", FILL, str(folder), str(limit)], capture_output=True, text=True, check=False)


def test_a_file_that_may_not_grow_loses_nothing(folder: Path) -> None:
    done = fill(folder, 20_000)
    assert done.returncode == 0, done.stderr
    assert "free some space, then give the same command again" in done.stdout


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may mount")
def test_a_full_disk_loses_nothing(tmp_path: Path, finished) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(disk)], capture_output=True, check=False).returncode:
        pytest.skip("no tmpfs can be mounted here")
    try:
        with Journal(disk / "run") as journal:
            for question_id in IDS:
                journal.append(*finished(question_id))
        done = fill(disk / "run", 0)
        assert done.returncode == 0, done.stderr
        assert "No space left on device" in done.stdout
    finally:
        subprocess.run(["umount", str(disk)], check=True)
