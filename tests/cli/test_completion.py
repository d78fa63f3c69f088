"""Completion as Bash asks for it."""

import shutil
import sys

import pytest
from support.tiny import Tiny

from taec.cli import run


def completed(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    monkeypatch.setenv("COMP_LINE", line)
    assert run(["--shell-completion", "query=bash"]) == 0
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("taec sys", ["system.", "system="]),
        ("python -m taec system=r", ["system=react"]),
        ("python3.11 -m taec system=taec -m ablation=A", ["ablation=A", "ablation=AM", "ablation=AV"]),
        ("taec ablation=A,M -m budget.pa", ["budget.pages="]),
        ("taec run system=react system.vis", ["system.visual_budget="]),
        ("taec -", []),
        ("taec tr", ["track", "tracking.", "tracking="]),
    ],
)
def test_words(line: str, expected: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert completed(line, monkeypatch, capsys) == expected


def test_options_of_further_folders(tiny: Tiny, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = " ".join(tiny.command()[3:5])
    assert completed(f"taec {words} backbone=s", monkeypatch, capsys) == ["backbone=script"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs Bash")
def test_in_bash(tiny: Tiny) -> None:
    python = sys.executable
    script = f"""
        eval "$({python} -m taec -sc install=bash)"
        COMP_LINE="{python} -m taec -m system=v"; COMP_POINT=${{#COMP_LINE}}; COMP_WORDS=({python} -m taec -m system = v)
        _taec_completion; printf '%s\\n' "${{COMPREPLY[@]}}"
        COMP_WORDBREAKS=" "; _taec_completion; printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = tiny.call(["bash", "-c", script])
    assert done.stdout.split() == ["vanilla", "system=vanilla"]
