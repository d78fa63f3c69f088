"""From a checked configuration to the parts of a run: benchmark, collection, retriever, acting model, judge and system."""

from dataclasses import dataclass

from taec.benchmarks.base import Benchmark
from taec.collections.store import Collection
from taec.core.errors import UsageError
from taec.core.progress import Stage
from taec.experiment.config import Config
from taec.experiment.parts import Parts
from taec.experiment.registry import option
from taec.judges.base import Judge
from taec.systems.base import Services, System

TOLD = 20
"""Warnings about documents at most: a folder of thousands may have hundreds."""


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

    async def close(self) -> None:
        """Release every model's connections."""
        await self.services.backbone.close()
        await self.services.slot_source.close()
        await self.judge.close()


def assemble(config: Config, stage: Stage, parts: Parts | None = None) -> Assembly:
    """Load, render and index whatever `parts` does not hold yet, and build the rest.

    Raises UsageError where a file is missing or unusable, InfrastructureError where the disk or a service fails.
    """
    parts = parts or Parts()
    benchmark = parts.benchmark(config)
    # first, with the models: a missing key should not come up after an hour of rendering
    judge: Judge = option("judge", config.module("judge")).build(config.options["judge"])
    services = make_services(config, stage, parts)
    collection = parts.collection(config, stage)
    system: System = option("system", config.module("system")).build(config.options["system"])
    warnings = (*benchmark.warnings, *collection.report.warnings, *unknown_gold(benchmark, collection))
    return Assembly(config, benchmark, collection, services, system, judge, warnings)


def make_services(config: Config, stage: Stage, parts: Parts) -> Services:
    """The models first, then pages and retriever, which take longer. Raises as `assemble` does."""
    backbone, slot_source = parts.backbone(config), parts.slot_source(config)
    collection = parts.collection(config, stage)
    require_pages(collection)
    retriever = parts.retriever(config, stage)
    return Services(backbone, retriever, collection, parts.encoder(config, stage), slot_source, config.plain.budget.limits())


def require_pages(collection: Collection) -> None:
    """Raises UsageError where no document could be read: there is nothing to search."""
    if not collection.pages:
        raise UsageError(*collection.report.documents, "None of the documents has a page that can be read. Repair them, or name others.")


def left_out(collection: Collection) -> tuple[str, ...]:
    """What a person has to know of the documents: those that could not be read, single pages of others, files that are there twice."""
    told = (*(f"{trouble.rstrip('.')}; it is left out" for trouble in collection.report.documents), *collection.report.warnings)
    more = len(told) - TOLD
    return told if more <= 0 else (*told[:TOLD], f"and {more} more of the kind")


def unknown_gold(benchmark: Benchmark, collection: Collection) -> tuple[str, ...]:
    """A gold page that is not in the collection can never be found: coverage has a ceiling, which a reader has to know."""
    known = {page.id for page in collection.pages}
    unknown = {page for question in benchmark.questions for page in question.gold if page not in known}
    return (f"{len(unknown)} gold pages are not in the collection, the first is {min(unknown)}",) if unknown else ()
