"""What a study file holds: one YAML in `sweeps/`, whose first line is the command that runs it."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, JsonValue, model_validator

from taec.core.settings import Settings
from taec.study.space import Parameter

Positive = Annotated[int, Field(ge=1)]
Objective = Literal["accuracy", "context_bytes", "cost", "tokens"]
Share = Annotated[float, Field(gt=0, lt=1)]


class SamplerSettings(Settings):
    """Who proposes the next parameters; `arguments` are those of Optuna's class of that name."""

    name: str
    seed: Annotated[int, Field(ge=0)]
    arguments: dict[str, JsonValue]


class PrunerSettings(Settings):
    """When a trial is given up: `wilcoxon` compares it with the best finished trial, question by question (`taec/study/pruning.py`)."""

    name: Literal["wilcoxon", "none"]
    p: Share
    after: Positive
    every: Positive


class StudySettings(Settings):
    """A study. `base`, `tune` and `report` are overrides of the configuration: for all runs, for trials, and for the winners' runs.

    `n_trials` is the total of finished trials over all sessions and machines (null: all combinations of a grid); `failures` in a row end
    a session. `storage` is null for a journal in the study's folder, a path for a journal there, an Optuna URL, or the name of an
    environment variable that holds one. `save` is a configuration folder that the winner is written to.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    base: tuple[str, ...]
    space: dict[str, Parameter]
    objectives: Annotated[tuple[Objective, ...], Field(min_length=1)]
    sampler: SamplerSettings
    pruner: PrunerSettings
    n_trials: Positive | None
    tune: tuple[str, ...]
    report: tuple[str, ...]
    winners: Annotated[int, Field(ge=0)]
    failures: Positive
    workers: Positive
    storage: str | None
    save: Path | None

    @model_validator(mode="after")
    def _fits_together(self) -> "StudySettings":
        if not self.space:
            raise ValueError("the space is empty; name a key of the configuration to search")
        known: set[str] = set()
        for key, parameter in self.space.items():
            for other in parameter.when:
                if other not in known:
                    raise ValueError(f"space.{key}: 'when' names {other}, which has to stand before it in the space")
            known.add(key)
        if len(set(self.objectives)) < len(self.objectives):
            raise ValueError("an objective is named twice")
        if self.n_trials is None and self.sampler.name != "grid":
            raise ValueError("n_trials is null, which only a grid knows by itself; say how many")
        return self
