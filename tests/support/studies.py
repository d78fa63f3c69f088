"""Studies of the scripted experiment: sixty trials of it take seconds."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import yaml
from optuna import Study as Trials
from pydantic import JsonValue

from support.tiny import OPTIONS, Tiny
from taec.study.claims import prepare
from taec.study.load import load
from taec.study.sharing import SharedParts
from taec.study.storage import open_storage, open_trials
from taec.study.study import Study
from taec.study.worker import Worker

PLAIN: Mapping[str, JsonValue] = {
    "name": "tiny",
    "base": ["experiment=scripted", "system=taec"],
    "space": {
        "system.admission.alpha": {"type": "float", "low": 0.0, "high": 1.0, "step": 0.1},
        "system.allocation.kappa": {"type": "float", "low": 0.0, "high": 1.0},
    },
    "objectives": ["accuracy"],
    "sampler": {"name": "random", "seed": 0, "arguments": {}},
    "pruner": {"name": "none", "p": 0.05, "after": 5, "every": 1},
    "n_trials": 5,
    "tune": [],
    "report": ["benchmark.questions=3"],
    "winners": 1,
    "failures": 3,
    "workers": 1,
    "storage": None,
    "save": None,
}


def written(tiny: Tiny, **changes: JsonValue) -> Path:
    """A study file in the test's folder."""
    file = tiny.folder / "tiny.yaml"
    file.write_text("# python -m taec sweep tiny.yaml\n" + yaml.safe_dump({**PLAIN, **changes}, sort_keys=False), encoding="utf-8")
    return file


def loaded(tiny: Tiny, *words: str, **changes: JsonValue) -> Study:
    """The checked study."""
    return load([str(written(tiny, **changes)), *words], [OPTIONS / "conf"])


def trials_of(study: Study) -> Trials:
    """The study in its storage."""
    return open_trials(study, open_storage(study))


def worked(study: Study, session: str = "a", parts: SharedParts | None = None) -> Trials:
    """The study brought to its total by one worker in this process."""
    prepare(study, open_storage(study), trials_of(study))
    Worker(study, session, parts).work()
    return trials_of(study)


def states(trials: Trials) -> Counter[str]:
    """How many trials are in each state."""
    return Counter(trial.state.name for trial in trials.trials)
