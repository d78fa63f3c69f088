"""Fixtures for runs that cost nothing: the scripted options, a three-page document and a folder to run in."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.pdf import text_pdf
from taec.experiment.compose import configurations
from taec.experiment.config import Config

ROOT = Path(__file__).parents[2]
OPTIONS = ROOT / "tests/support/options"
FILLER = "This line is here because short pages are read by OCR, which takes a while.\n" * 3


@dataclass(frozen=True)
class Tiny:
    """A folder of one's own in which the scripted options run."""

    folder: Path
    environment: Mapping[str, str]

    def configs(self, *overrides: str, multirun: bool = False) -> list[Config]:
        """The configurations of a scripted experiment."""
        chosen = ("experiment=scripted", f"output.folder={self.folder / 'runs'}", *overrides)
        return configurations(chosen, multirun=multirun, folders=[OPTIONS / "conf"])

    def config(self, *overrides: str) -> Config:
        return self.configs(*overrides)[0]

    def command(self, *words: str) -> list[str]:
        """The command line of a scripted experiment."""
        return [sys.executable, "-m", "taec", "--config-dir", str(OPTIONS / "conf"), "experiment=scripted", *words]

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a scripted experiment as a user does."""
        return self.call(self.command(*words), **environment)

    def call(self, command: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env={**self.environment, **environment}, capture_output=True, text=True, timeout=120, check=False
        )

    @property
    def run_folder(self) -> Path:
        """The only run folder."""
        (found,) = (self.folder / "runs").iterdir()
        return found


@pytest.fixture(scope="session")
def tiny_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that all tests of a session share, with the document beside it: rendering happens once."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.pdf").write_bytes(text_pdf([f"Page {n}\n{FILLER}The number is {n}." for n in range(1, 4)]))
    return folder


@pytest.fixture
def tiny(tiny_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    """The scripted options, importable here and in subprocesses."""
    added = {"TINY_FOLDER": str(tiny_cache), "TAEC_CACHE": str(tiny_cache / "cache")}
    for name, value in added.items():
        monkeypatch.setenv(name, value)
    monkeypatch.syspath_prepend(str(OPTIONS))
    monkeypatch.chdir(tmp_path)
    path = os.pathsep.join([str(OPTIONS), str(ROOT)])
    return Tiny(tmp_path, {**os.environ, "PYTHONPATH": path, "COLUMNS": "160"})
