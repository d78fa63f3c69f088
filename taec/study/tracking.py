"""A study in MLflow: a parent run with Optuna's own pictures, a child for each trial. Whatever is wrong with the store is told once."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from taec.experiment.console import warn
from taec.experiment.store import Store
from taec.experiment.tracking import Sweep, export, export_comparison
from taec.records.manifest import MANIFEST
from taec.study.study import Study

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial


class Tracked:
    """Exports trials as they end, and the study when it does. After the first trouble it leaves the store alone."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._store = study.tune.plain.tracking.store()
        self._sweep = Sweep(f"study {study.name}", (study.folder,))
        self._done: set[int] = set()

    @property
    def store(self) -> Store | None:
        """The store, None where there is none or it cannot be used."""
        return self._store

    def trials(self, trials: "Sequence[FrozenTrial]") -> None:
        """Export what has ended since the last time. Runs of other machines are theirs to export."""
        for trial in trials:
            if trial.number in self._done or trial.state.name not in ("COMPLETE", "PRUNED") or self._store is None:
                continue
            self._done.add(trial.number)
            folder = self._study.folder / "trials" / str(trial.user_attrs.get("run"))
            if (folder / MANIFEST).is_file():
                values = {f"searched.{key}": str(value) for key, value in trial.params.items()}
                tags = {"kind": "trial", "study": self._study.name, "trial": str(trial.number), "trial_state": trial.state.name, **values}
                self._attempt(f"trial {trial.number}", lambda store, folder=folder, tags=tags: export(store, [folder], self._sweep, tags))  # type: ignore[misc]

    def study(self, folders: Sequence[Path], files: Sequence[Path]) -> None:
        """Export the report's runs, and lay files beside the parent."""
        tags = {"kind": "report", "study": self._study.name}
        self._attempt("the report", lambda store: export(store, folders, self._sweep, tags))
        self._attempt("the summary", lambda store: export_comparison(store, self._sweep, files))

    def _attempt(self, what: str, act: Callable[[Store], None]) -> None:
        if self._store is None:
            return
        try:
            act(self._store)
        except Exception as error:
            said = str(error).strip().splitlines()
            warn(f"{what} was not exported to MLflow, and nothing more will be: {type(error).__name__}: {said[0] if said else ''}")
            self._store = None
