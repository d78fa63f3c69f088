"""docs/benchmarks.md is true: its example runs as it is written, and its commands are understood."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.benchmarks import by_id, read

from taec.experiment.compose import configurations

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```sh example\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


def shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    environment = {**os.environ, "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    command = ["bash", "-euo", "pipefail", "-c", script]
    return subprocess.run(
        command,
        cwd=folder,
        env={**environment, "TAEC_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_the_example_of_your_own_documents_loads(tmp_path: Path) -> None:
    script, _, _ = EXAMPLE.rpartition("python -m taec benchmark=folder")
    done = shell(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^answerable +3 ", done.stdout, re.MULTILINE)
    benchmark = read("folder", annotations=tmp_path / "questions.csv", documents=tmp_path / "papers")
    found = by_id(benchmark)
    assert set(found) == {"price", "tier", "food", "deadline"}
    assert found["price"].gold == {"Benefit_Options.pdf_p4"}
    assert not found["deadline"].answerable
    assert benchmark.warnings == ()


@pytest.mark.slow
def test_the_example_of_your_own_documents_runs(tmp_path: Path) -> None:
    done = shell(EXAMPLE, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "vanilla: 4/4 questions" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_understood(command: str) -> None:
    python, module, taec, *words = shlex.split(command)
    assert (python, module, taec) == ("python", "-m", "taec")
    assert configurations([word for word in words if word != "plan"])
