"""The export of run folders to MLflow. The folders are the truth: an export can be repeated, and no trouble with it harms a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

import yaml
from pydantic import JsonValue

from taec.experiment.measures import metrics, parameters
from taec.experiment.store import Store
from taec.records.journal import read_rows
from taec.records.manifest import Manifest, read_manifest
from taec.records.rows import Row

if TYPE_CHECKING:
    from mlflow import MlflowClient

ARTIFACTS = (
    "config.yaml", "manifest.json", "summary.json", "rows.jsonl", "trajectories.jsonl", "figure.png", "figure.svg",
)  # fmt: skip
IDENTITY = "taec.run_id"
"""The tag by which an exported run is found again."""
PARENT = "mlflow.parentRunId"
AT_ONCE = 100
"""Parameters that MLflow takes in one call."""

Nodes = Mapping[str, Mapping[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class Sweep:
    """The runs of one command: `title` says which, `folders` are all that it means to make."""

    title: str
    folders: tuple[Path, ...]

    @property
    def identity(self) -> str:
        """The same for the same command, whether or not all its runs are there; 32 hex digits."""
        return sha256("\n".join(sorted(map(str, self.folders))).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class _Run:
    """What an export is made from: a run folder as it is on the disk."""

    folder: Path
    config: Nodes
    manifest: Manifest
    rows: Sequence[Row]


def export(store: Store, folders: Sequence[Path], sweep: Sweep | None = None, tags: Mapping[str, str] = MappingProxyType({})) -> None:
    """Export run folders, under one parent where there is a sweep; a run that was exported before is brought up to date. `tags` are further
    ones, or other values of those that every run has.

    Raises UsageError where a folder is no run folder, and whatever MLflow raises.
    """
    runs = [_read(folder) for folder in folders]
    with store.open() as (client, experiment):
        further = {**tags, PARENT: _parent(client, experiment, sweep)} if sweep else tags
        for run in runs:
            _export_run(client, experiment, run, further)


def export_comparison(store: Store, sweep: Sweep, files: Sequence[Path]) -> None:
    """Lay files that show the runs of a sweep together beside its parent. Raises whatever MLflow raises."""
    with store.open() as (client, experiment):
        parent = _parent(client, experiment, sweep)
        for file in files:
            client.log_artifact(parent, str(file))
        client.set_terminated(parent)


def _read(folder: Path) -> _Run:
    rows = read_rows(folder)
    # libyaml where it is there: a configuration takes PyYAML's own parser 60 ms
    config = cast(Nodes, yaml.load((folder / "config.yaml").read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    return _Run(folder, config, read_manifest(folder), rows)


def _export_run(client: "MlflowClient", experiment: str, run: _Run, further: Mapping[str, str]) -> None:
    from mlflow.entities import Param

    started, ended = _span(run.manifest)
    run_id = _found_or_made(client, experiment, run.manifest.run_id, _title(run), started)
    _log(client, run_id, metrics(run.rows), {**_tags(run), **further}, ended)
    params = [Param(name, value) for name, value in parameters(run.config).items()]
    for start in range(0, len(params), AT_ONCE):
        client.log_batch(run_id, params=params[start : start + AT_ONCE])
    for name in ARTIFACTS:
        if (run.folder / name).is_file():
            client.log_artifact(run_id, str(run.folder / name))
    complete = bool(run.manifest.sessions) and run.manifest.sessions[-1].outcome == "complete"
    client.set_terminated(run_id, "FINISHED" if complete else "KILLED", ended)


def _parent(client: "MlflowClient", experiment: str, sweep: Sweep) -> str:
    """The id of the parent run."""
    parent = _found_or_made(client, experiment, sweep.identity, sweep.title, None)
    client.set_tag(parent, "kind", "sweep")
    return parent


def _found_or_made(client: "MlflowClient", experiment: str, identity: str, title: str, started: int | None) -> str:
    found = client.search_runs([experiment], filter_string=f"tags.`{IDENTITY}` = '{identity}'", max_results=1)
    run = found[0] if found else client.create_run(experiment, start_time=started, tags={IDENTITY: identity}, run_name=title)
    return str(run.info.run_id)


def _log(client: "MlflowClient", run_id: str, values: Mapping[str, float], tags: Mapping[str, str], when: int) -> None:
    from mlflow.entities import Metric, RunTag

    measured = [Metric(name, value, when, 0) for name, value in values.items()]
    client.log_batch(run_id, metrics=measured, tags=[RunTag(name, value) for name, value in tags.items()])


def _title(run: _Run) -> str:
    """What the run list shows: benchmark, system with its ablation, backbone."""
    return f"{run.config['benchmark']['name']} {run.manifest.system} {run.config['backbone']['name']}"


def _tags(run: _Run) -> dict[str, str]:
    """Flat tags, so that a search works without nesting."""
    manifest, session = run.manifest, run.manifest.sessions[-1] if run.manifest.sessions else None
    chosen = {kind: str(run.config[kind]["name"]) for kind in ("system", "backbone", "retriever", "benchmark", "requirements")}
    code = session.code if session else None
    return {
        **chosen,
        "judge": manifest.judge.name,
        "judge_model": manifest.judge.model,
        "kind": "run",
        "ablation": str(run.config["system"].get("ablation", "none")),
        "configuration": manifest.configuration,
        "fingerprint": manifest.retriever.fingerprint,
        "code": code.fingerprint if code else "",
        "version": code.version if code else "",
        "mlflow.source.name": "taec",
        "mlflow.source.git.commit": (code.commit or "") if code else "",
        "mlflow.note.content": f"Run folder: `{run.folder}`",
    }


def _span(manifest: Manifest) -> tuple[int, int]:
    """First start and last end of a run, in milliseconds since 1970."""
    last = manifest.sessions[-1] if manifest.sessions else None
    return _milliseconds(manifest.created), _milliseconds((last.ended or last.started) if last else manifest.created)


def _milliseconds(when: datetime) -> int:
    return int(when.timestamp() * 1000)
