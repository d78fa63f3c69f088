"""From a checked configuration to the parts of a run: benchmark, collection, retriever, acting model, judge and system."""

import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from taec.backbones.base import Backbone
from taec.backbones.ocr import Line, Ocr, OcrCache
from taec.benchmarks.base import Benchmark
from taec.collections.build import build_collection
from taec.collections.store import Collection
from taec.core.errors import InfrastructureError, UsageError
from taec.core.images import ImageEncoder
from taec.experiment.config import Config
from taec.experiment.locations import cache_folder
from taec.experiment.registry import option
from taec.judges.base import Judge
from taec.requirements.base import SlotSource
from taec.retrievers.base import Retriever
from taec.systems.base import Services, System

Stage = Callable[[str, int, int], None]
"""Told what is being prepared, how much of it is done and the total."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """The parts of one run. `warnings` are what the benchmark and the documents give reason to say."""

    config: Config
    benchmark: Benchmark
    collection: Collection
    services: Services
    system: System
    judge: Judge
    warnings: tuple[str, ...]


def assemble(config: Config, stage: Stage) -> Assembly:
    """Load, render and index whatever is not there yet, and build the parts.

    Raises UsageError where a file is missing or unusable, InfrastructureError where the disk or a service fails.
    """
    chosen = config.options
    benchmark: Benchmark = option("benchmark", config.module("benchmark")).build(chosen["benchmark"])
    cache = _made(cache_folder(config.plain.cache.folder))
    try:
        # first: a missing key should not come up after an hour of rendering
        backbone: Backbone = option("backbone", config.module("backbone")).build(chosen["backbone"], cache)
        collection = build_collection(benchmark.documents, cache, config.plain.collection, _ocr(cache), stage)
        collection.report.require_all_documents()
        stage("indexing", 0, 1)
        corpus = collection.corpus(collection.folder / "indices")
        retriever: Retriever = option("retriever", config.module("retriever")).build(chosen["retriever"], corpus)
        stage("indexing", 1, 1)
    except (OSError, sqlite3.OperationalError) as error:
        raise InfrastructureError(f"The cache folder {cache} cannot be used: {error}. Name another with cache.folder=.") from error
    slot_source: SlotSource = option("requirements", config.module("requirements")).build(chosen["requirements"])
    judge: Judge = option("judge", config.module("judge")).build(chosen["judge"])
    system: System = option("system", config.module("system")).build(chosen["system"])
    encoder = ImageEncoder(collection, config.plain.budget.rules())
    services = Services(backbone, retriever, collection, encoder, slot_source, config.plain.budget.limits())
    warnings = (*benchmark.warnings, *collection.report.warnings, *_unknown_gold(benchmark, collection))
    return Assembly(config, benchmark, collection, services, system, judge, warnings)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cache.folder={folder} cannot be made: {error.strerror}. Name another with cache.folder=.") from error
    return folder


def _ocr(cache: Path) -> Callable[[list[bytes]], list[list[Line]]]:
    """Reads pages without a text layer; no engine and no file is opened before the first one."""

    def read(jpegs: list[bytes]) -> list[list[Line]]:
        return Ocr(OcrCache(cache / "ocr.sqlite"), os.cpu_count() or 1).read_all(jpegs)

    return read


def _unknown_gold(benchmark: Benchmark, collection: Collection) -> tuple[str, ...]:
    """A gold page that is not in the collection can never be found: coverage has a ceiling, which a reader has to know."""
    known = {page.id for page in collection.pages}
    unknown = {page for question in benchmark.questions for page in question.gold if page not in known}
    return (f"{len(unknown)} gold pages are not in the collection, the first is {min(unknown)}",) if unknown else ()
