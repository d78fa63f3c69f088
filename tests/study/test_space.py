"""The typed space: what it takes, what it yields, and that a value survives its way into a configuration."""

import optuna
import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from taec.study.space import Parameter, Value, combinations, corners, suggested, written

ALPHA = Parameter(type="float", low=0.0, high=1.0, step=0.1)
SPACE = {
    "mode": Parameter(type="choice", choices=("none", "early", "late")),
    "rho": Parameter(type="float", low=0.25, high=1.0, step=0.25, when={"mode": ("early", "late")}),
    "fine": Parameter(type="int", low=1, high=3, when={"rho": (1.0,)}),
}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"type": "choice"}, "a choice has choices"),
        ({"type": "choice", "choices": [1], "low": 0}, "neither low"),
        ({"type": "float", "low": 0}, "has low and high"),
        ({"type": "int", "low": 2, "high": 2}, "low has to be below high"),
        ({"type": "int", "low": 1, "high": 2.5}, "whole numbers"),
        ({"type": "float", "low": 0, "high": 1, "log": True}, "begins above 0"),
        ({"type": "float", "low": 1, "high": 2, "log": True, "step": 0.5}, "has no step"),
        ({"type": "float", "low": 0, "high": 1, "step": 0.3}, "do not end on high=1"),
    ],
)
def test_a_parameter_that_is_no_set_of_values_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Parameter.model_validate(given)


def test_both_ends_are_values_and_steps_are_round() -> None:
    assert ALPHA.values == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert Parameter(type="int", low=1, high=9, step=4).values == (1, 5, 9)
    assert Parameter(type="float", low=0.001, high=1, log=True).values is None
    drawn = {ALPHA.suggest(trial, "a") for trial in _trials(300)}
    assert drawn == set(ALPHA.values)


def test_what_a_parameter_holds() -> None:
    assert ALPHA.holds(0.3)
    assert not ALPHA.holds(0.35)
    assert not ALPHA.holds(True)
    log = Parameter(type="float", low=0.01, high=1, log=True)
    assert log.holds(0.5)
    assert not log.holds(2.0)
    assert not log.holds("0.5")


def test_a_conditional_key_is_searched_only_where_it_applies() -> None:
    for trial in _trials(60):
        chosen = suggested(trial, SPACE)
        assert ("rho" in chosen) == (chosen["mode"] != "none")
        assert ("fine" in chosen) == (chosen.get("rho") == 1.0)


def test_combinations_leave_out_what_does_not_apply() -> None:
    found = [tuple(values.items()) for values in combinations(SPACE)]
    assert len(found) == len(set(found)) == 1 + 2 * (3 + 3)


def test_every_end_is_checked_with_what_it_depends_on() -> None:
    found = list(corners(SPACE))
    assert {"mode": "early", "rho": 1.0, "fine": 3} in found
    assert {"mode": "early", "rho": 0.25} in found
    assert {"mode": "late"} in found
    assert len(found) == 3 + 2 + 2


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(min_size=1)))
def test_a_value_is_read_back_as_it_was_written(value: Value) -> None:
    override = OverridesParser.create().parse_override(f"key={written(value)}")
    assert override.value() == value
    assert isinstance(override.value(), bool) == isinstance(value, bool)


def _trials(count: int) -> list[optuna.Trial]:
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    return [study.ask() for _ in range(count)]
