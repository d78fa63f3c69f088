"""From a checked configuration to the parts of a run: benchmark, collection, retriever, acting model, judge and system."""

from dataclasses import dataclass

from taec.benchmarks.base import Benchmark
from taec.collections.store import Collection
from taec.core.progress import Stage
from taec.experiment.config import Config
from taec.experiment.parts import Parts
from taec.experiment.registry import option
from taec.judges.base import Judge
from taec.systems.base import Services, System


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
    chosen, parts = config.options, parts or Parts()
    benchmark = parts.benchmark(config)
    # first: a missing key should not come up after an hour of rendering
    backbone, slot_source = parts.backbone(config), parts.slot_source(config)
    judge: Judge = option("judge", config.module("judge")).build(chosen["judge"])
    collection = parts.collection(config, stage)
    retriever = parts.retriever(config, stage)
    system: System = option("system", config.module("system")).build(chosen["system"])
    encoder = parts.encoder(config, stage)
    services = Services(backbone, retriever, collection, encoder, slot_source, config.plain.budget.limits())
    warnings = (*benchmark.warnings, *collection.report.warnings, *_unknown_gold(benchmark, collection))
    return Assembly(config, benchmark, collection, services, system, judge, warnings)


def _unknown_gold(benchmark: Benchmark, collection: Collection) -> tuple[str, ...]:
    """A gold page that is not in the collection can never be found: coverage has a ceiling, which a reader has to know."""
    known = {page.id for page in collection.pages}
    unknown = {page for question in benchmark.questions for page in question.gold if page not in known}
    return (f"{len(unknown)} gold pages are not in the collection, the first is {min(unknown)}",) if unknown else ()
