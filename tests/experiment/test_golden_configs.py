"""What every shipped choice composes to. TAEC_REGENERATE=1 writes the files anew; the difference is for a person to read."""

import os
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from taec.experiment.catalogue import catalogue
from taec.experiment.compose import configurations
from taec.experiment.locations import shipped

GOLDEN = Path(__file__).parents[1] / "golden/config"
OPTIONS = catalogue([shipped("conf")])
CASES = {
    "default": ((), None),
    **{f"system-{name}": ((f"system={name}",), "system") for name in OPTIONS["system"]},
    **{f"ablation-{name}": ((f"ablation={name}",), "system") for name in OPTIONS["ablation"] if name != "none"},
    **{f"experiment-{name}": ((f"experiment={name}",), "benchmark") for name in OPTIONS["experiment"]},
}


@pytest.mark.parametrize("case", CASES)
def test_composed(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAEC_CACHE", raising=False)
    overrides, node = CASES[case]
    (config,) = configurations(overrides)
    composed = OmegaConf.to_yaml(config.resolved if node is None else config.resolved[node])
    file = GOLDEN / f"{case}.yaml"
    if "TAEC_REGENERATE" in os.environ:
        file.write_text(composed, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == composed


def test_no_golden_file_is_left_over() -> None:
    assert {file.stem for file in GOLDEN.glob("*.yaml")} == set(CASES)
