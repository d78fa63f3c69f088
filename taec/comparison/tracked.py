"""Runs named by MLflow: an id or a query on tags, and from there to the run folder, or to what was exported of it."""

import re
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from taec.comparison.sides import CONFIG, MLFLOW, Side, read_side
from taec.core.errors import InfrastructureError, TaecError, UsageError
from taec.experiment.store import PATIENCE, Store
from taec.experiment.tracking import IDENTITY
from taec.records.journal import ROWS
from taec.records.manifest import MANIFEST, read_manifest

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

NOTE = re.compile(r"Run folder: `(?P<folder>.+)`")
ID = re.compile(r"[0-9a-f]{32}")
MOST = 50
"""Runs that one query may name."""


def tracked(word: str, store: Store) -> list[Side]:
    """The runs that an operand names, oldest first. Raises UsageError where there is none, or its rows are nowhere to be read."""
    if not store.database.is_file():
        raise UsageError(f"{word}: there is no MLflow store in {store.folder}; name it with tracking.folder=")
    found = MLFLOW.fullmatch(word)
    asked = (found and found["named"]) or word
    try:
        _require_experiment(store)
        with store.open() as (client, experiment):
            return [_side(client, run) for run in _runs(client, experiment, asked, store)]
    except TaecError:
        raise
    except Exception as error:
        raise InfrastructureError(f"The store {store.database} cannot be used: {type(error).__name__}: {error}") from error


def _require_experiment(store: Store) -> None:
    """Raises UsageError where the store lacks the experiment: opening it would make one."""
    with closing(sqlite3.connect(f"file:{quote(str(store.database))}?mode=ro", uri=True, timeout=PATIENCE)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM experiments WHERE lifecycle_stage = 'active'")]
    if store.experiment not in names:
        raise UsageError(f"tracking.experiment={store.experiment}: the store in {store.folder} has {', '.join(names)}")


def _runs(client: "MlflowClient", experiment: str, asked: str, store: Store) -> Sequence["Run"]:
    """The run of an id, in any experiment of the store, or those of a query in the configured one."""
    from mlflow import MlflowException

    try:
        if ID.fullmatch(asked):
            return [client.get_run(asked)]
        found = client.search_runs([experiment], filter_string=asked, order_by=["attributes.start_time ASC"], max_results=MOST)
    except MlflowException as error:
        raise UsageError(f"{asked}: {str(error.message).splitlines()[0]}") from None
    runs = [run for run in found if run.data.tags.get("kind") == "run"]
    if not runs:
        raise UsageError(f"{asked}: no run of the experiment '{store.experiment}' in {store.folder} is like that (tracking.experiment=)")
    return runs


def _side(client: "MlflowClient", run: "Run") -> Side:
    """The run as its folder holds it; where that is gone, as it was exported."""
    run_id, tags = str(run.info.run_id), run.data.tags
    noted = NOTE.search(tags.get("mlflow.note.content", ""))
    folder = Path(noted["folder"]) if noted else None
    if folder and (folder / MANIFEST).is_file() and read_manifest(folder).run_id == tags.get(IDENTITY):
        return read_side(folder)
    with tempfile.TemporaryDirectory() as place:
        held = {artifact.path for artifact in client.list_artifacts(run_id)}
        if missing := [name for name in (CONFIG, MANIFEST, ROWS) if name not in held]:
            gone = f"its folder {folder} is gone" if folder else "it names no run folder"
            raise UsageError(f"mlflow:{run_id}: {gone}, and the store holds no {' and no '.join(missing)} of it.")
        for name in (CONFIG, MANIFEST, ROWS):
            client.download_artifacts(run_id, name, place)
        return replace(read_side(Path(place)), source=f"mlflow:{run_id} (its artifacts)", folder=None)
