"""The MLflow store: one SQLite database with the artifacts beside it, made once however many processes start together."""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from filelock import FileLock

if TYPE_CHECKING:
    from mlflow import MlflowClient

PATIENCE = 20.0
"""Seconds to wait for a store that another process is writing to."""
CREATION = 120.0
"""Seconds to wait while another process makes the store: two at once damage it for good."""


@dataclass(frozen=True, slots=True)
class Store:
    """Where runs are exported to."""

    folder: Path
    experiment: str

    @property
    def database(self) -> Path:
        return self.folder / "mlflow.db"

    @property
    def uri(self) -> str:
        """Absolute, so that it means the same wherever `mlflow ui` is started."""
        return f"sqlite:///{self.database}"

    def runs_page(self) -> str:
        """Where `mlflow ui` shows the runs: it opens an experiment on its page for traces, of which there are none here."""
        with sqlite3.connect(f"file:{quote(str(self.database))}?mode=ro", uri=True, timeout=PATIENCE) as connection:
            row = connection.execute("SELECT experiment_id FROM experiments WHERE name = ?", (self.experiment,)).fetchone()
        return f"http://127.0.0.1:5000/#/experiments/{row[0]}/runs"

    @contextmanager
    def open(self) -> Iterator[tuple["MlflowClient", str]]:
        """A client and the id of the experiment. Raises whatever is wrong with the store, soon instead of after MLflow's retries."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with FileLock(self.folder / ".mlflow.lock", timeout=CREATION):
            if self.database.exists():
                self._probe()
            client = _client(self.uri)
            yield client, self._experiment(client)

    def _probe(self) -> None:
        with sqlite3.connect(f"file:{quote(str(self.database))}?mode=rw", uri=True, timeout=PATIENCE) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("SELECT count(*) FROM sqlite_master")
            connection.rollback()

    def _experiment(self, client: "MlflowClient") -> str:
        found = client.get_experiment_by_name(self.experiment)
        if found is None:
            return str(client.create_experiment(self.experiment, artifact_location=(self.folder / "artifacts").as_uri()))
        if found.lifecycle_stage == "deleted":
            client.restore_experiment(found.experiment_id)
        return str(found.experiment_id)


@cache
def _client(uri: str) -> "MlflowClient":
    # before the first import: MLflow reports usage over the network unless it is asked not to
    os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
    from mlflow import MlflowClient

    # both tell of every table they make, and of an error once more than whoever catches it
    for name in ("mlflow", "alembic"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return MlflowClient(tracking_uri=uri)
