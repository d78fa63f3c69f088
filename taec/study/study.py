"""A study that was checked: its file, the configurations its trials and winners run under, and where it lies."""

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from pydantic import JsonValue

from taec.core.errors import UsageError
from taec.experiment.compose import Composer
from taec.experiment.config import Config
from taec.experiment.validation import check
from taec.study.settings import StudySettings
from taec.study.space import Value, Values, combinations, overrides, written


@dataclass(frozen=True)
class Study:
    """`words` are the overrides of every run, `folders` further configuration folders; `tune` and `report` the defaults' configurations."""

    settings: StudySettings
    command: str
    words: tuple[str, ...]
    folders: tuple[Path, ...]
    tune: Config
    report: Config
    direct: bool = False
    """Whether values can be set in the checked defaults: `taec/study/load.py` found that composing anew gives the same."""

    @cached_property
    def identity(self) -> str:
        """8 hex digits: the same for studies whose trials can stand side by side, whoever proposes, prunes or works on them."""
        space = {key: parameter.model_dump(mode="json") for key, parameter in self.settings.space.items()}
        kept = [self.tune.digest, space, self.settings.objectives]
        return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:8]

    @property
    def name(self) -> str:
        """Of the study in its storage and of its folder."""
        return f"{self.settings.name}-{self.identity}"

    @property
    def folder(self) -> Path:
        """Journal, trials' runs and summary."""
        return self.tune.plain.output.folder.expanduser().resolve() / f"study-{self.name}"

    @cached_property
    def defaults(self) -> Values:
        """What the searched keys are without the study, those that apply; raises nothing where one lies outside the space."""
        found: dict[str, Value] = {}
        for key, parameter in self.settings.space.items():
            if parameter.applies(found):
                found[key] = default_of(self.tune, key)
        return found

    @property
    def strangers(self) -> list[str]:
        """Searched keys whose default the space does not hold: the defaults are no trial then."""
        return [key for key, value in self.defaults.items() if not self.settings.space[key].holds(value)]

    @property
    def total(self) -> int:
        """Finished trials to reach."""
        if self.settings.sampler.name != "grid":
            return self.settings.n_trials or 0
        everything = len(list(combinations(self.settings.space)))
        return min(everything, self.settings.n_trials or everything)

    def trial_config(self, values: Values) -> Config:
        """The configuration of a trial. Raises UsageError where it is none."""
        if self.direct:
            return replaced(self.tune, {**values, "output.folder": str(self.folder / "trials")})
        return self._composed(self.settings.tune, values, "trials")

    def report_config(self, values: Values) -> Config:
        """The configuration of a winner, or of the defaults where `values` is empty, on the questions it is reported on."""
        return self._composed(self.settings.report, values, "report")

    def _composed(self, questions: Sequence[str], values: Values, place: str) -> Config:
        folder = written(str(self.folder / place))
        return Composer(self.folders).configuration([*self.words, *questions, *overrides(values), f"output.folder={folder}"])


def replaced(config: Config, values: Values) -> Config:
    """The configuration with values set in it, checked: a twentieth of the time of composing it. Raises UsageError naming all faults.

    What refers to a value keeps the old one, and no option can be chosen: see `Study.direct`.
    """
    data = copy.deepcopy(config.resolved)
    for key, value in values.items():
        *path, name = key.split(".")
        node: dict[str, JsonValue] = data  # type: ignore[assignment]
        for part in path:
            node = node[part]  # type: ignore[assignment]
        node[name] = value
    return check(data)


def default_of(config: Config, key: str) -> Value:
    """The value that a key has in a configuration; of a group, the option chosen. Raises UsageError where it holds more than one value."""
    if key == "ablation":
        return config.ablation
    node: object = config.resolved
    for part in key.split("."):
        node = node.get(part) if isinstance(node, dict) else None
    if isinstance(node, dict) and "." not in key:
        node = node.get("name")
    if isinstance(node, dict | list):
        raise UsageError(f"space.{key}: holds several values; search each of them by its own key")
    return node if isinstance(node, float | int | str | bool) else None
