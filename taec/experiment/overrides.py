"""The overrides of a command line, taken apart: what cannot be read, and the jobs that sweeps multiply into."""

import itertools
import shlex
from collections.abc import Iterator, Sequence
from typing import cast

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Glob, Override, ValueType
from hydra.errors import HydraException

from taec.experiment.catalogue import Catalogue
from taec.records.provenance import redacted

NOTHING_CHOSEN = "experiment=null"
"""What the configuration says by itself; Hydra takes no null for a group."""


def parse(texts: Sequence[str]) -> tuple[list[Override], list[str]]:
    """The overrides by Hydra's grammar, and a fault for each text that is none; of several for one key the last counts."""
    parser = OverridesParser.create()
    found: dict[str, Override] = {}
    faults = []
    for text in texts:
        if text == NOTHING_CHOSEN:
            continue
        try:
            override = parser.parse_override(text)
        except HydraException as error:
            reason = str(error).strip().splitlines()[0]
            faults.append(f"{redacted([text])[0]}: cannot be read as key=value ({reason}); unusual text needs quotes: \"key='...'\"")
            continue
        if override.is_hydra_override():
            faults.append(f"{text}: taec runs its jobs itself, so Hydra's own settings have no effect")
        elif override.value_type is not None and override.is_interval_sweep():
            faults.append(f"{text}: an interval has no list of values; name them: key=1,2,3")
        else:
            found[override.get_key_element()] = override
    return list(found.values()), faults


def sweep_without_multirun(overrides: Sequence[Override], texts: Sequence[str]) -> list[str]:
    """A fault that names the command to type, where values are swept though one run was asked for."""
    swept = [override.input_line for override in overrides if override.is_sweep_override()]
    if not swept:
        return []
    command = shlex.join(["python", "-m", "taec", "-m", *texts])
    return [f"{' and '.join(map(str, swept))}: several values need -m, for one run each: {command}"]


def expand(overrides: Sequence[Override], groups: Catalogue) -> list[tuple[str, ...]]:
    """The jobs of a command line: the cartesian product of all values, the first override varying slowest."""
    return list(itertools.product(*(tuple(_texts(override, groups)) for override in overrides)))


def _texts(override: Override, groups: Catalogue) -> Iterator[str]:
    if not override.is_sweep_override():
        yield str(override.input_line)
        return
    if override.value_type == ValueType.GLOB_CHOICE_SWEEP:
        pattern = cast(Glob, override.value())
        values = pattern.filter(list(groups.get(override.key_or_group, ())))
    else:
        values = list(override.sweep_string_iterator())
    for value in values:
        yield f"{override.get_key_element()}={value}"
