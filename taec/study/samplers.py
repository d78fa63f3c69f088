"""Optuna's samplers by name, with their own arguments."""

import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from taec.experiment.catalogue import suggestion
from taec.study.quiet import quiet_optuna
from taec.study.settings import SamplerSettings
from taec.study.space import Space

if TYPE_CHECKING:
    from optuna.samplers import BaseSampler

CLASSES = {
    "tpe": "TPESampler",
    "gp": "GPSampler",
    "cmaes": "CmaEsSampler",
    "nsga2": "NSGAIISampler",
    "qmc": "QMCSampler",
    "random": "RandomSampler",
    "grid": "RandomSampler",
}
"""Optuna's class of each name. A grid's combinations are queued, all of them, so that its sampler is never asked."""
NEEDS = {"gp": "torch", "cmaes": "cmaes"}

SHARED_SEED = ("qmc",)
"""Samplers whose workers have to agree on one sequence."""
APART = 100_003
"""Seeds of trials lie so far apart that studies with neighbouring seeds share none of them."""


def sampler_faults(settings: SamplerSettings, space: Space, objectives: int) -> Iterator[str]:
    """What is wrong with a sampler for a space."""
    if settings.name not in CLASSES:
        yield f"sampler.name={settings.name}: there is no such sampler; {suggestion(settings.name, CLASSES)}"
        return
    if objectives > 1 and settings.name == "cmaes":
        yield "sampler.name=cmaes knows one objective only; take tpe, nsga2 or random for several"
    if settings.name == "grid":
        endless = [key for key, parameter in space.items() if parameter.values is None]
        yield from (f"space.{key}: a grid needs a step, or choices" for key in endless)
    missing = NEEDS.get(settings.name)
    if missing and not _is_installed(missing):
        yield f"sampler.name={settings.name} needs the package {missing}: pip install {missing}"
        return
    known = [name for name in inspect.signature(_class(settings.name)).parameters if name != "seed"]
    yield from (
        f"sampler.arguments.{name}: {CLASSES[settings.name]} takes no such argument; {suggestion(name, known)}"
        for name in settings.arguments
        if name not in known
    )
    try:
        make_sampler(settings, 0)
    except (TypeError, ValueError) as error:
        yield f"sampler.arguments: {CLASSES[settings.name]} refuses them: {error}"


def make_sampler(settings: SamplerSettings, trials: int, salt: int = 0) -> "BaseSampler":
    """A sampler for the next trial of a study that has had so many: workers, and sessions, never repeat each other's draws.

    `salt` sets machines apart that may see the same number of trials at the same time.
    """
    apart = (settings.seed * APART + trials + salt) % 2**32
    return _class(settings.name)(**settings.arguments, seed=settings.seed if settings.name in SHARED_SEED else apart)


def _class(name: str) -> "Callable[..., BaseSampler]":
    found: Callable[..., BaseSampler] = getattr(quiet_optuna().samplers, CLASSES[name])
    return found


def _is_installed(package: str) -> bool:
    from importlib.util import find_spec

    return find_spec(package) is not None
