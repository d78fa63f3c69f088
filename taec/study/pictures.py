"""Optuna's own pictures of a study: history, importance, slices and, with several objectives, the front."""

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from taec.experiment.console import warn
from taec.study.study import Study

if TYPE_CHECKING:
    from optuna.study import Study as Trials

PICTURES = "pictures"

Draw = Callable[["Trials"], object]


def draw(study: Study, trials: "Trials") -> list[Path]:
    """The pictures as PNG files in the study's folder; one that cannot be drawn (too few trials, all alike) is told and left out."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    folder = study.folder / PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, plot in _plots(study):
        try:
            with warnings.catch_warnings(action="ignore"):
                plot(trials)
            pyplot.savefig(folder / f"{name}.png", dpi=100, bbox_inches="tight")
            files.append(folder / f"{name}.png")
        except Exception as error:
            said = str(error).strip().splitlines()
            warn(f"the picture {name} cannot be drawn: {said[0] if said else type(error).__name__}")
        pyplot.close("all")
    return files


def _plots(study: Study) -> Iterator[tuple[str, Draw]]:
    from optuna.visualization import matplotlib as plots

    objectives = study.settings.objectives
    kinds: dict[str, Callable[..., object]] = {
        "history": plots.plot_optimization_history,
        "importance": plots.plot_param_importances,
        "slices": plots.plot_slice,
    }
    for at, objective in enumerate(objectives):
        target = partial(_value, at) if len(objectives) > 1 else None
        for kind, plot in kinds.items():
            yield f"{kind}_{objective}", partial(plot, target=target, target_name=objective)
    if len(objectives) in (2, 3):
        yield "front", partial(plots.plot_pareto_front, target_names=list(objectives))


def _value(at: int, trial: object) -> float:
    values: list[float] = trial.values  # type: ignore[attr-defined]
    return values[at]
