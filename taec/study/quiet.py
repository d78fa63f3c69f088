"""Optuna without its talk: it logs every trial, and warns of every argument that may change some day."""

import warnings
from types import ModuleType


def quiet_optuna() -> ModuleType:
    """The package, imported when first needed."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)
    return optuna
