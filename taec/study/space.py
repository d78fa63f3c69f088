"""The search space: typed ranges and choices for any key of the configuration, some only where another choice was made."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import Field, model_validator

from taec.core.settings import Settings

if TYPE_CHECKING:
    import optuna

Value = float | int | str | bool | None
Values = Mapping[str, Value]
"""Chosen values by key of the configuration."""
DIGITS = 12
"""Decimals that a stepped float keeps: 3 * 0.1 is to be 0.3, the same configuration as a typed one."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RESERVED = ("null", "true", "false", "nan", "inf")


class Parameter(Settings):
    """One key's values: `choices`, or a range with both ends included. `when` names earlier keys and those of their values it needs.

    A `log` range has no step; a float range with a `step` ends on one.
    """

    type: Literal["float", "int", "choice"]
    low: float | None = None
    high: float | None = None
    step: float | None = Field(default=None, gt=0)
    log: bool = False
    choices: tuple[Value, ...] = ()
    when: dict[str, tuple[Value, ...]] = Field(default={})

    @model_validator(mode="after")
    def _is_a_set_of_values(self) -> "Parameter":
        ranged = (self.low, self.high, self.step)
        if self.type == "choice":
            if not self.choices or self.log or any(value is not None for value in ranged):
                raise ValueError("a choice has choices, and neither low, high, step nor log")
            return self
        if self.choices or self.low is None or self.high is None:
            raise ValueError(f"a {self.type} has low and high, and no choices")
        if self.low >= self.high:
            raise ValueError("low has to be below high; both ends are included")
        if self.log and (self.step is not None or self.low <= 0):
            raise ValueError("a log range has no step and begins above 0")
        if self.type == "int" and any(value is not None and value != int(value) for value in ranged):
            raise ValueError("an int has whole numbers for low, high and step")
        if self.step and abs(round((self.high - self.low) / self.step) * self.step - (self.high - self.low)) > 1e-9:
            raise ValueError(f"steps of {self.step:g} from {self.low:g} do not end on high={self.high:g}, so that it is never tried")
        return self

    @property
    def ends(self) -> tuple[Value, ...]:
        """What has to be checked before anything runs: all choices, or both ends."""
        return self.choices if self.type == "choice" else (self._typed(self.low), self._typed(self.high))

    @property
    def values(self) -> tuple[Value, ...] | None:
        """All values in order, None where a range has no step."""
        if self.type == "choice":
            return self.choices
        step = self.step or (1 if self.type == "int" else None)
        if self.low is None or self.high is None or step is None or self.log:
            return None
        return tuple(self._typed(self.low + place * step) for place in range(round((self.high - self.low) / step) + 1))

    def applies(self, chosen: Values) -> bool:
        """Whether the key is searched, given what was chosen before it."""
        return all(key in chosen and chosen[key] in allowed for key, allowed in self.when.items())

    def holds(self, value: Value) -> bool:
        """Whether a value is one of the parameter's."""
        if self.values is not None:
            return any(value == known and isinstance(value, bool) == isinstance(known, bool) for known in self.values)
        number = isinstance(value, float | int) and not isinstance(value, bool)
        return number and self.low is not None and self.high is not None and self.low <= float(value or 0) <= self.high

    def suggest(self, trial: "Suggester", key: str) -> Value:
        """The trial's value."""
        if self.type == "choice":
            return trial.suggest_categorical(key, self.choices)
        assert self.low is not None
        assert self.high is not None
        if self.type == "int":
            return trial.suggest_int(key, int(self.low), int(self.high), step=int(self.step or 1), log=self.log)
        return self._typed(trial.suggest_float(key, self.low, self.high, step=self.step, log=self.log))

    def _typed(self, value: float | None) -> Value:
        assert value is not None
        return int(value) if self.type == "int" else round(value, DIGITS)


class Suggester(Protocol):
    """The part of `optuna.Trial` that is needed."""

    def suggest_categorical(self, name: str, choices: "tuple[Value, ...]") -> Value: ...

    def suggest_int(self, name: str, low: int, high: int, *, step: int = 1, log: bool = False) -> int: ...

    def suggest_float(self, name: str, low: float, high: float, *, step: float | None = None, log: bool = False) -> float: ...


Space = Mapping[str, Parameter]


def suggested(trial: "Suggester | optuna.Trial", space: Space) -> Values:
    """What the trial tries, in the order of the space."""
    chosen: dict[str, Value] = {}
    for key, parameter in space.items():
        if parameter.applies(chosen):
            chosen[key] = parameter.suggest(trial, key)
    return chosen


def corners(space: Space) -> Iterator[Values]:
    """Few sets of values in which every end of every parameter occurs; for a conditional one, with what it depends on chosen so."""
    free = {key: parameter.ends for key, parameter in space.items() if not parameter.when}
    for place in range(max(map(len, free.values()), default=0)):
        yield {key: ends[min(place, len(ends) - 1)] for key, ends in free.items()}
    for key, parameter in space.items():
        if parameter.when:
            for end in parameter.ends:
                yield {**_needed(key, space), key: end}


def _needed(key: str, space: Space) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for other, allowed in space[key].when.items():
        found |= _needed(other, space)
        found[other] = allowed[0]
    return found


def combinations(space: Space) -> Iterator[Values]:
    """Every set of values of a space whose ranges all have steps; conditional keys only where they apply."""

    def further(chosen: dict[str, Value], left: list[str]) -> Iterator[Values]:
        if not left:
            yield chosen
            return
        key, *rest = left
        parameter = space[key]
        if not parameter.applies(chosen):
            yield from further(chosen, rest)
            return
        for value in parameter.values or ():
            yield from further({**chosen, key: value}, rest)

    yield from further({}, list(space))


def overrides(values: Values) -> list[str]:
    """The values as overrides of the configuration."""
    return [f"{key}={written(value)}" for key, value in values.items()]


def written(value: Value) -> str:
    """A value in the grammar of overrides. Names stay bare, since an option is chosen by its bare name."""
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    if NAME.fullmatch(value) and value.lower() not in RESERVED:
        return value
    from hydra.core.override_parser.types import Quote, QuotedString

    return QuotedString(value, Quote.single).with_quotes()
