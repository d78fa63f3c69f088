"""One question answered outside any benchmark, and kept: a folder with its row, its trajectory and the configuration."""

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omegaconf import OmegaConf

from taec.analysis.viewer import Answered
from taec.collections.store import Collection
from taec.core.progress import Stage
from taec.core.questions import Question
from taec.core.trajectory import Node
from taec.experiment.assemble import left_out, make_services
from taec.experiment.config import Config
from taec.experiment.job import CONFIG
from taec.experiment.money import PriceList, require_prices
from taec.experiment.parts import Parts
from taec.experiment.registry import option
from taec.experiment.runner import answered
from taec.records.journal import Journal
from taec.records.lines import disk_trouble, replace_file
from taec.records.manifest import now
from taec.records.provenance import code_state
from taec.records.rows import Row, make_row
from taec.records.trajectories import TrajectoryRecord, record
from taec.retrievers.fingerprint import expected_fingerprint
from taec.systems.agent.exposure import Exposure
from taec.systems.agent.settings import AgentSettings
from taec.systems.base import Services, Session, System

ID = "question"
"""The id of the only question of such a folder."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a question and where it lies; `warnings` are about the documents."""

    folder: Path
    answered: Answered
    collection: Collection
    warnings: tuple[str, ...]


def ask(config: Config, text: str, stage: Stage, parts: Parts) -> Asked:
    """Answer one question over the documents of `config`, or over its benchmark's where it names none.

    Raises UsageError and InfrastructureError as a run does.
    """
    require_prices(config)
    services = make_services(config, stage, parts)
    collection = parts.collection(config, stage)
    folder = _made(config, text)
    row, trajectory = asyncio.run(_answer(config, text, services, folder, stage))
    known = () if config.plain.documents is not None else parts.benchmark(config).warnings
    hints, facts = describe(config, trajectory.nodes)
    shown = Answered(row, trajectory, collection, hints, facts)
    return Asked(folder, shown, collection, (*known, *left_out(collection)))


def describe(config: Config, nodes: Sequence[Node]) -> tuple[list[str], dict[str, str]]:
    """The hints that an agent's next prompt would have held, and what answered, in words."""
    system = config.options["system"]
    hints = Exposure(system.exposure).hints(nodes) if isinstance(system, AgentSettings) else []
    chosen = ", ".join(f"{kind}={config.option(kind)}" for kind in ("backbone", "retriever"))
    return hints, {"system": f"{config.label} ({chosen})"}


async def _answer(config: Config, text: str, services: Services, folder: Path, stage: Stage) -> tuple[Row, TrajectoryRecord]:
    system: System = option("system", config.module("system")).build(config.options["system"])
    try:
        found = await expected_fingerprint(services.retriever, config.plain.run.expected_fingerprint)
        session = Session(text, services)
        started = time.perf_counter()
        stage("answering", 0, 1)
        await answered(system, session)
        stage("answering", 1, 1)
    finally:
        await services.backbone.close()
        await services.slot_source.close()
    question = Question(ID, text, ("",), "Str", answerable=True)
    made = make_row(question, session.trajectory, time.perf_counter() - started, code_state().fingerprint, found)
    row = PriceList.of(config).answered(made)
    with Journal(folder) as journal:
        await asyncio.to_thread(journal.append, row, session.trajectory)
    return row, record(ID, session.trajectory)


def _made(config: Config, text: str) -> Path:
    """A folder of its own for every question, with the configuration: its name says when and what was asked."""
    words = "-".join(re.findall(r"\w+", text.lower())[:6])[:40]
    stem = f"ask-{now():%Y%m%d-%H%M%S}-{words}"
    parent = config.plain.output.folder.expanduser().resolve()
    with disk_trouble(parent):
        folder = next(path for number in range(1, 1000) if not (path := parent / (stem if number == 1 else f"{stem}-{number}")).exists())
        folder.mkdir(parents=True)
    own = config.plain.documents
    roots = [str(root.expanduser().resolve()) for root in ([own] if isinstance(own, Path) else own or ())]
    replace_file(folder / CONFIG, [OmegaConf.to_yaml(config.resolved | {"documents": roots or None}).rstrip()])
    return folder
