"""What Hydra shows through us."""

import pytest
from omegaconf import OmegaConf
from support.tiny import Tiny

from taec.cli import run


def test_the_composed_configuration_is_what_would_run(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--cfg", "job", "--resolve", "ablation=A", "system=taec"]) == 0
    shown = OmegaConf.create(capsys.readouterr().out)
    assert (shown.system.ablation, shown.system.admission.strategy, shown.system.allocation.strategy) == ("A", "coverage", "uniform")
    assert "hydra" not in shown


def test_every_job_of_a_sweep_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ablation=A,M", "--cfg", "job", "-m", "-p", "system.admission"]) == 0
    shown = capsys.readouterr().out
    assert [line for line in shown.splitlines() if line.startswith(("# job", "strategy"))] == [
        "# job 1 of 2: ablation=A", "strategy: coverage", "# job 2 of 2: ablation=M", "strategy: top_k",
    ]  # fmt: skip


def test_options_of_further_folders_are_composed(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*tiny.command()[3:], "--cfg", "job", "-p", "backbone"]) == 0
    assert "name: script" in capsys.readouterr().out


def test_info_and_hydra_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--info", "searchpath"]) == 0
    assert "conf" in capsys.readouterr().out
    assert run(["--hydra-help"]) == 0
    assert "Hydra" in capsys.readouterr().out
