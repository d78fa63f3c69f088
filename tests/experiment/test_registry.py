"""From a name to a module: taec's own, another package's, or an error that says what is missing."""

from pathlib import Path

import pytest
from support.tiny import Tiny

from taec.core.errors import UsageError
from taec.experiment.registry import option


def test_an_own_option() -> None:
    assert option("system", "react").__name__ == "taec.systems.react"


def test_an_option_by_entry_point(tiny: Tiny) -> None:
    assert option("backbone", "script").__name__ == "scripted.model"


def test_an_unknown_option_names_both_places() -> None:
    with pytest.raises(UsageError, match=r"no module taec\.judges\.oracle and no entry point 'oracle' in the group taec\.judge"):
        option("judge", "oracle")


@pytest.mark.parametrize("name", ["agent.loop", "../x", ""])
def test_a_name_is_no_path(name: str) -> None:
    with pytest.raises(UsageError):
        option("system", name)


def test_a_module_that_is_no_option() -> None:
    with pytest.raises(UsageError, match=r"taec\.systems\.prompts has no Settings and no build"):
        option("system", "prompts")


def test_an_entry_point_that_cannot_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "broken-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[taec.judge]\nbroken = nowhere.at_all\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UsageError, match=r"judge=broken: the entry point nowhere\.at_all cannot be imported"):
        option("judge", "broken")
