"""The overrides of a command line, taken apart: faults of spelling, and the jobs that sweeps multiply into."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Glob, Override, Transformer
from hydra.errors import HydraException

from taec.core.errors import UsageError
from taec.experiment.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Parsed:
    """What could be read of a command line's overrides, and one message for each that could not."""

    overrides: tuple[Override, ...]
    faults: tuple[str, ...]


def parse(texts: Sequence[str]) -> Parsed:
    """Parse each text by Hydra's grammar; of several overrides of one key the last counts."""
    parser = OverridesParser.create()
    found: dict[str, Override] = {}
    faults = []
    for text in texts:
        try:
            override = parser.parse_override(text)
        except HydraException as error:
            faults.append(f"{text}: not an override ({_first_line(error)}); write key=value, with quotes around unusual text")
            continue
        if override.is_hydra_override():
            faults.append(f"{text}: taec runs its jobs itself; Hydra's own settings have no effect")
        else:
            found[override.get_key_element()] = override
    return Parsed(tuple(found.values()), tuple(faults))


def sweeps(overrides: Sequence[Override]) -> list[Override]:
    """Those that hold several values."""
    return [override for override in overrides if override.is_sweep_override()]


def jobs(overrides: Sequence[Override], groups: Catalogue) -> list[tuple[str, ...]]:
    """The cartesian product of all values, the first override varying slowest. Raises UsageError for a sweep without an end."""
    return [tuple(job) for job in itertools.product(*(list(_values(override, groups)) for override in overrides))]


def _values(override: Override, groups: Catalogue) -> Iterator[str]:
    if not override.is_sweep_override():
        assert override.input_line is not None
        yield override.input_line
        return
    if not override.is_discrete_sweep():
        raise UsageError(f"{override.input_line}: an interval has no end of values; list them, or use a study")
    key = override.get_key_element()
    if isinstance(override.value(), Glob):
        ...
    for value in override.sweep_iterator(Transformer.str):
        yield f"{key}={value}"


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
