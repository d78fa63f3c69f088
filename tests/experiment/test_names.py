"""Names of runs in a table: short, and never the same for two."""

import pytest
from support.tiny import Tiny

from taec.experiment.names import names


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        (["system=react,dag"], ["react", "dag"]),
        (["system=taec", "ablation=none,A"], ["taec", "taec-A"]),
        (["budget.pages=3,4", "system=dag,react"], [f"{name} budget.pages={pages}" for pages in (3, 4) for name in ("dag", "react")]),
        (["benchmark.marks=[a],[b]"], ["vanilla benchmark.marks=['a']", "vanilla benchmark.marks=['b']"]),
        (["output.folder=a,b"], ["vanilla", "vanilla"]),
    ],
)
def test_names(tiny: Tiny, overrides: list[str], expected: list[str]) -> None:
    assert names(tiny.configs(*overrides, multirun=True)) == expected
