"""The names that were probably meant."""

import pytest

from taec.core.spelling import nearest, suggestion


@pytest.mark.parametrize(
    ("written", "meant"), [("reakt", "react"), ("TAEC", "taec"), ("vanila", "vanilla"), ("no_presure", "no_pressure"), ("zzz", None)]
)
def test_nearest(written: str, meant: str | None) -> None:
    assert nearest(written, ["react", "taec", "vanilla", "no_pressure"]) == meant


def test_a_suggestion_lists_what_there_is() -> None:
    assert suggestion("dga", ["dag", "taec"]) == "did you mean 'dag'? Known: dag, taec"
    assert suggestion("dga", []) == "None is known."
