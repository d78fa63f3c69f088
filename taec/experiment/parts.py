"""What runs share: benchmarks, collections and retrievers, each built once for equal settings.

Jobs of a multirun and trials of a study differ in little; a part that a difference cannot touch is the same object for all of them.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from taec.backbones.base import Backbone
from taec.backbones.ocr import Line, Ocr, OcrCache
from taec.benchmarks.base import Benchmark
from taec.collections.build import build_collection
from taec.collections.store import Collection
from taec.core.errors import InfrastructureError, UsageError
from taec.core.images import ImageEncoder
from taec.core.progress import Stage
from taec.documents.discovery import Discovery, discover
from taec.experiment.config import Config
from taec.experiment.locations import cache_folder
from taec.experiment.opening import INDICES
from taec.experiment.registry import option
from taec.requirements.base import SlotSource
from taec.retrievers.base import Retriever

Part = TypeVar("Part")


class Parts:
    """Builds parts on demand and keeps them."""

    def __init__(self) -> None:
        self._benchmarks: dict[str, Benchmark] = {}
        self._collections: dict[str, Collection] = {}
        self._retrievers: dict[str, Retriever] = {}
        self._discoveries: dict[str, Discovery] = {}

    def benchmark(self, config: Config) -> Benchmark:
        """The benchmark of `config`. Raises UsageError where its files are missing or wrong."""
        settings = config.options["benchmark"]
        return _kept(
            self._benchmarks,
            _key(config.resolved["benchmark"]),
            lambda: option("benchmark", config.module("benchmark")).build(settings),
        )

    def collection(self, config: Config, stage: Stage) -> Collection:
        """The pages of `documents`, or of the benchmark's documents where that is null.

        A benchmark's document that cannot be read raises UsageError, since without it the benchmark would be another one; of one's own
        it is left out and stands in the collection's report. Raises InfrastructureError where the disk fails.
        """
        own = bool(config.plain.roots)

        def built() -> Collection:
            documents = self.discovery(config).documents if own else self.benchmark(config).documents
            with _cache(config) as cache:
                collection = build_collection(documents, cache, config.plain.collection, _ocr(cache), stage)
            if not own:
                collection.report.require_all_documents()
            return collection

        origin = list(map(str, config.plain.roots)) or config.resolved["benchmark"]
        return _kept(self._collections, _key(origin, config.resolved["collection"], config.resolved["cache"]), built)

    def discovery(self, config: Config) -> Discovery:
        """What lies under `documents`. Raises UsageError where nothing does, or where names collide."""
        roots = config.plain.roots
        return _kept(self._discoveries, _key(list(map(str, roots))), lambda: discover(roots, cache_of(config) / "files.sqlite"))

    def retriever(self, config: Config, stage: Stage) -> Retriever:
        """The retriever of `config` over its collection. Raises UsageError and InfrastructureError as its parts do."""
        collection = self.collection(config, stage)

        def built() -> Retriever:
            stage("indexing", 0, 1)
            corpus = collection.corpus(collection.folder / INDICES)
            with _cache(config):
                retriever: Retriever = option("retriever", config.module("retriever")).build(config.options["retriever"], corpus, stage)
            stage("indexing", 1, 1)
            return retriever

        return _kept(self._retrievers, _key(config.resolved["retriever"], str(collection.folder)), built)

    def encoder(self, config: Config, stage: Stage) -> ImageEncoder:
        """What encodes the pages that a run sends: its own."""
        return ImageEncoder(self.collection(config, stage), config.plain.budget.rules())

    def backbone(self, config: Config) -> Backbone:
        """The acting model of a run, which closes it: its own. Raises UsageError without its key, InfrastructureError by the disk."""
        with _cache(config) as cache:
            backbone: Backbone = option("backbone", config.module("backbone")).build(config.options["backbone"], cache)
        return backbone

    def slot_source(self, config: Config) -> SlotSource:
        """The source of requirements of a run, which closes it: its own. Raises as `backbone` does."""
        with _cache(config) as cache:
            source: SlotSource = option("requirements", config.module("requirements")).build(config.options["requirements"], cache)
        return source


def cache_of(config: Config) -> Path:
    """The cache folder of `config`, made where it is missing. Raises UsageError where it cannot be."""
    folder = cache_folder(config.plain.cache.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cache.folder={folder} cannot be made: {error.strerror}. Name another with cache.folder=.") from error
    return folder


@contextmanager
def _cache(config: Config) -> Iterator[Path]:
    folder = cache_of(config)
    try:
        yield folder
    except (OSError, sqlite3.OperationalError) as error:
        raise InfrastructureError(f"The cache folder {folder} cannot be used: {error}. Name another with cache.folder=.") from error


def _kept(kept: dict[str, Part], key: str, build: Callable[[], Part]) -> Part:
    if key not in kept:
        kept[key] = build()
    return kept[key]


def _key(*values: object) -> str:
    return json.dumps(values, sort_keys=True)


def _ocr(cache: Path) -> Callable[[list[bytes]], list[list[Line]]]:
    """Reads pages without a text layer; no engine and no file is opened before the first one."""
    engines: list[Ocr] = []

    def read(jpegs: list[bytes]) -> list[list[Line]]:
        if not engines:
            engines.append(Ocr(OcrCache(cache / "ocr.sqlite"), os.cpu_count() or 1))
        return engines[0].read_all(jpegs)

    return read
