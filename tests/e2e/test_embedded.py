"""The embedded benchmark with the embedded reader, as a new user runs it: cold, then again."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Empty at the start, shared by the tests of this file: reading pages is what takes the time."""
    return tmp_path_factory.mktemp("cache")


def command(folder: Path, cache: Path, *words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "taec", *words, f"output.folder={folder}", "tracking=none"]
    environment = {**os.environ, "TAEC_CACHE": str(cache)}
    return subprocess.run(line, env=environment, capture_output=True, text=True, timeout=600, check=False)


def rows(folder: Path) -> dict[str, list[dict[str, object]]]:
    """Rows by run folder in the order of question ids, without what differs between two runs of the same thing."""
    found = {}
    for file in sorted(folder.glob("*/rows.jsonl")):
        read = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        for row in read:
            del row["seconds"], row["batch"]
        found[file.parent.name] = sorted(read, key=lambda row: str(row["question_id"]))
    return found


def test_a_cold_run_and_a_warm_one_give_the_same_rows(tmp_path: Path, cache: Path) -> None:
    words = ("-m", "system=vanilla,taec", "benchmark.limit=3")
    cold = command(tmp_path / "cold", cache, *words)
    assert cold.returncode == 0, cold.stderr
    warm = command(tmp_path / "warm", cache, *words)
    assert warm.returncode == 0, warm.stderr
    assert rows(tmp_path / "cold") == rows(tmp_path / "warm")
    assert [len(found) for found in rows(tmp_path / "cold").values()] == [3, 3]
    assert "accuracy" in cold.stdout


def test_ablations_of_taec_are_three_runs_that_differ_in_what_they_sent(tmp_path: Path, cache: Path) -> None:
    done = command(tmp_path, cache, "system=taec", "backbone=reader", "-m", "ablation=A,M,V", "benchmark.limit=3")
    assert done.returncode == 0, done.stderr
    found = rows(tmp_path)
    assert sorted(name.rsplit("-", 2)[0] for name in found) == ["sample-taec-A", "sample-taec-M", "sample-taec-V"]
    slots = {name.split("-")[2]: {bool(row["slots"]) for row in read} for name, read in found.items()}
    assert slots == {"A": {True}, "M": {False}, "V": {False}}
