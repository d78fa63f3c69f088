"""What `compare` is given, found: run folders, MLflow runs, and override lists that nothing was run with."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from taec.comparison.differences import Nodes
from taec.core.errors import UsageError
from taec.experiment.catalogue import nearest
from taec.records.journal import ROWS, read_rows
from taec.records.manifest import MANIFEST, Manifest, read_manifest
from taec.records.provenance import redacted
from taec.records.rows import Row

CONFIG = "config.yaml"
MLFLOW = re.compile(
    r"mlflow:(?P<named>.+)|(?P<id>[0-9a-f]{32})|(?P<query>(tags?|params?|metrics?|attributes?)\.\S+\s*(=|!=|<|>|LIKE|ILIKE|IN)\s*.+)"
)
"""An operand that MLflow has to be asked for: `mlflow:<id or query>`, an id, or a query that begins with what it is about."""


@dataclass(frozen=True, slots=True)
class Side:
    """One thing compared: a run, or a configuration that nothing was run with (no manifest, no rows). `source` is where it was found."""

    name: str
    source: str
    config: Nodes
    manifest: Manifest | None = None
    rows: tuple[Row, ...] = ()
    folder: Path | None = None


def is_mlflow(word: str) -> bool:
    """Whether an operand has to be looked up in MLflow."""
    return not Path(word).exists() and MLFLOW.fullmatch(word) is not None


def read_side(folder: Path) -> Side:
    """The run in a folder. Raises UsageError where it is none."""
    manifest = read_manifest(folder)
    return Side(manifest.system, str(folder), _configuration(folder), manifest, tuple(read_rows(folder)), folder)


def configured(word: str, folders: Sequence[Path]) -> list[Side]:
    """The configurations of an override list as it would be typed, one a job of a sweep. Raises UsageError naming its faults."""
    from taec.experiment.compose import configurations
    from taec.experiment.names import names

    try:
        overrides = shlex.split(word)
    except ValueError as error:
        raise UsageError(f"{word}: cannot be taken apart as a command line is ({error})") from None
    shown = " ".join(redacted(overrides)) or "the default configuration"
    try:
        found = configurations(overrides, multirun=True, folders=folders)
    except UsageError as error:
        raise UsageError(*(f"in '{shown}': {fault}" for fault in error.faults)) from None
    return [Side(name, shown, cast(Nodes, config.resolved)) for name, config in zip(names(found), found, strict=True)]


def local(word: str, folders: Sequence[Path]) -> list[Side]:
    """What an operand names that needs no MLflow: a folder or an override list. Raises UsageError where it is neither."""
    path = Path(word)
    if word and path.is_file():
        raise UsageError(f"{word} is a file; a run is named by its folder")
    if word and path.exists():
        return [replace(read_side(path.resolve()), source=word)]
    if not word.strip() or "=" in word or word.startswith(("~", "+")):
        return configured(word, folders)
    raise UsageError(f"{word}: there is no such folder{_near(path)}; an MLflow run is named mlflow:ID, overrides hold key=value")


def numbered(sides: Sequence[Side]) -> list[Side]:
    """The sides under names that tell them apart: `1 taec-V`, `2 taec-M`."""
    return [replace(side, name=f"{at} {side.name}") for at, side in enumerate(sides, start=1)]


def _near(path: Path) -> str:
    if not path.parent.is_dir():
        return ""
    close = nearest(path.name, [each.name for each in path.parent.iterdir() if (each / ROWS).is_file() and (each / MANIFEST).is_file()])
    return f", did you mean '{path.parent / close}'?" if close else ""


def _configuration(folder: Path) -> Nodes:
    import yaml

    try:
        # as OmegaConf wrote it: the C loader reads it ten times faster
        data: JsonValue = yaml.load((folder / CONFIG).read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise UsageError(f"{folder / CONFIG} cannot be read: {error.strerror}.") from error
    except yaml.YAMLError as error:
        raise UsageError(f"{folder / CONFIG} is not YAML: {' '.join(str(error).split())}.") from error
    if not isinstance(data, dict):
        raise UsageError(f"{folder / CONFIG} holds no configuration.")
    return data
