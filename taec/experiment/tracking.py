"""The export of run folders to MLflow. The folders are the truth: an export can be repeated, and no trouble with it harms a run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, cast

from omegaconf import OmegaConf
from pydantic import JsonValue

from taec.core.errors import UsageError
from taec.experiment.measures import legal, metrics, parameters
from taec.experiment.store import Store
from taec.records.journal import read_rows
from taec.records.manifest import Manifest, read_manifest

if TYPE_CHECKING:
    from mlflow import MlflowClient

ARTIFACTS = (
    "config.yaml", "manifest.json", "summary.json", "rows.jsonl", "trajectories.jsonl", "figure.png", "figure.svg",
)  # fmt: skip
IDENTITY = "taec.run_id"
"""The tag by which an exported run is found again."""
PARENT = "mlflow.parentRunId"
AT_ONCE = 100
"""Parameters and tags that MLflow takes in one call."""

Nodes = dict[str, dict[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class Sweep:
    """What the runs of one command have in common: a parent run, named by the command's runs, with files of its own."""

    title: str
    folders: tuple[Path, ...]
    artifacts: tuple[Path, ...] = ()


def export(store: Store, folders: Sequence[Path], sweep: Sweep | None = None) -> None:
    """Export run folders, under one parent where there is a sweep. A run that was exported before is brought up to date.

    Raises UsageError where a folder is no run folder, and whatever MLflow raises.
    """
    runs = [_read(folder) for folder in folders]
    with store.open() as (client, experiment):
        parent = _export_sweep(client, experiment, sweep, [run.manifest for run in runs]) if sweep else None
        for run in runs:
            _export_run(client, experiment, run, parent)


@dataclass(frozen=True, slots=True)
class _Run:
    folder: Path
    manifest: Manifest
    config: Nodes
    complete: bool
