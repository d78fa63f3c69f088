"""A run folder read back: its configuration, its benchmark, its rows in the order of the questions."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import JsonValue
from yaml import YAMLError

from taec.benchmarks.base import Benchmark
from taec.benchmarks.selection import Selected
from taec.core.errors import UsageError
from taec.core.questions import Question
from taec.experiment.compose import configurations
from taec.experiment.config import OUTSIDE_IDENTITY, BudgetSettings, Config
from taec.experiment.job import CONFIG
from taec.experiment.registry import option, settings_class
from taec.experiment.scoring import scored
from taec.experiment.validation import check
from taec.records.journal import read_rows
from taec.records.rows import Row


@dataclass(frozen=True, slots=True)
class SavedRun:
    """What a folder holds."""

    folder: Path
    config: Config
    rows: tuple[Row, ...]


def read_run(folder: Path) -> SavedRun:
    """The run in a folder. Raises UsageError where it has no rows or a configuration that this version cannot read."""
    rows = tuple(read_rows(folder))
    try:
        composed = OmegaConf.to_container(OmegaConf.load(folder / CONFIG), resolve=True)
        data = {str(node): values for node, values in composed.items()} if isinstance(composed, dict) else {}
        return SavedRun(folder, check(_completed(data)), rows)
    except (OSError, ValueError, YAMLError, OmegaConfBaseException) as error:
        raise UsageError(f"{folder / CONFIG} cannot be read: {error}") from error
    except UsageError as error:
        raise UsageError(*(f"{folder / CONFIG}: {fault}" for fault in error.faults)) from None


def _completed(data: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """With what says nothing of the rows (where, how fast, at what limit, no selection) as it is now, where the run was made without it."""
    (now,) = configurations([])
    budget = {key: now.resolved["budget"][key] for key in BudgetSettings.outside_identity}
    saved = data.get("budget")
    nodes: dict[str, JsonValue] = {node: dict(now.resolved[node]) | _node(data, node) for node in OUTSIDE_IDENTITY}
    whole = data | nodes | ({"budget": budget | saved} if isinstance(saved, dict) else {})
    benchmark = _node(data, "benchmark")
    if issubclass(settings_class("benchmark", str(benchmark.get("name"))), Selected):
        whole["benchmark"] = {"select": now.resolved["benchmark"]["select"], **benchmark}
    return whole


def _node(data: Mapping[str, JsonValue], name: str) -> dict[str, JsonValue]:
    node = data.get(name)
    return dict(node) if isinstance(node, dict) else {}


def questions_of(run: SavedRun) -> list[tuple[Question, Row]]:
    """Every row with its question and its official metrics, in the benchmark's order.

    Raises UsageError where the benchmark is not the one of the rows.
    """
    benchmark: Benchmark = option("benchmark", run.config.module("benchmark")).build(run.config.options["benchmark"])
    rows = {row.question_id: row for row in run.rows}
    found = [(question, scored(rows[question.id], question, benchmark)) for question in benchmark.questions if question.id in rows]
    changed = [question.id for question, row in found if question.text != row.question]
    if changed or len(found) < len(rows):
        first = changed[0] if changed else next(name for name in rows if name not in {question.id for question, _ in found})
        raise UsageError(f"{run.folder}: the benchmark has changed since: its question {first} is not the one that was answered.")
    return found
