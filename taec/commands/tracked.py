"""MLflow beside a run: whatever is wrong with the store is told, and nothing else."""

from collections.abc import Sequence
from pathlib import Path

from taec.experiment.config import TrackingSettings
from taec.experiment.console import say, warn
from taec.experiment.store import Store
from taec.experiment.tracking import Sweep, export, export_comparison


class Tracked:
    """Exports each run of a command when it is finished. The stores are made now, before any run begins."""

    def __init__(self, tracking: Sequence[TrackingSettings], sweep: Sweep | None) -> None:
        self._sweep = sweep
        self._usable = {store: _tried(store) for settings in tracking if (store := settings.store())}

    def add(self, tracking: TrackingSettings, folder: Path) -> None:
        """Export one run. A store that was unusable at the start is not tried again: it may take long to refuse."""
        store = tracking.store()
        if store is None:
            return
        if self._usable[store]:
            try:
                export(store, [folder], self._sweep)
            except Exception as error:
                warn(f"the run was not exported to MLflow: {reason(error)}")
            else:
                return
        warn(f"to export it later: python -m taec track {folder}")

    def compare(self, files: Sequence[Path]) -> None:
        """Export what shows the runs of a sweep together."""
        for store, usable in self._usable.items():
            if usable and self._sweep:
                try:
                    export_comparison(store, self._sweep, files)
                except Exception as error:
                    warn(f"the comparison was not exported to MLflow: {reason(error)}")

    def say_how_to_look(self) -> None:
        """The command that opens MLflow's own pages, for every store in use."""
        for store, usable in self._usable.items():
            if usable:
                say(f"MLflow: {how_to_look(store)}")


def _tried(store: Store) -> bool:
    try:
        with store.open():
            return True
    except Exception as error:
        warn(f"the MLflow store {store.database} cannot be used, the run goes on without it: {reason(error)}")
        return False


def how_to_look(store: Store) -> str:
    """The command that opens MLflow's own pages, and the page with the runs."""
    return f"mlflow ui --backend-store-uri {store.uri}, then {store.runs_page()}"


def reason(error: Exception) -> str:
    """The first line of what MLflow or its database says."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
