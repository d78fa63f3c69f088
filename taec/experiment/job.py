"""One run from its configuration to a complete run folder, whether it starts or goes on."""

import asyncio
import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from omegaconf import OmegaConf

from taec.core.errors import InfrastructureError, UsageError
from taec.experiment.assemble import Assembly, assemble
from taec.experiment.config import Config
from taec.experiment.console import warn
from taec.experiment.money import require_prices
from taec.experiment.parts import Parts
from taec.experiment.progress import Display, Tally
from taec.experiment.runner import Runner, pending, undecided
from taec.experiment.scoring import score_missing
from taec.judges.base import Judge
from taec.records.journal import Journal
from taec.records.lines import replace_file
from taec.records.manifest import (
    MANIFEST,
    CollectionFacts,
    JudgeFacts,
    Manifest,
    RetrieverFacts,
    new_batch,
    read_manifest,
    write_manifest,
)
from taec.records.provenance import code_state, environment
from taec.records.rows import Row
from taec.retrievers.fingerprint import expected_fingerprint
from taec.systems.prompts import prompts_digest

CONFIG = "config.yaml"
"""The resolved configuration in a run folder."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that is through: its folder and its rows, in the order of the benchmark's questions."""

    config: Config
    folder: Path
    rows: tuple[Row, ...]

    @property
    def undecided(self) -> int:
        """Rows without a verdict: the same command asks the judge again."""
        return sum(row.trouble == "judge" for row in self.rows)


def run_folder(config: Config) -> Path:
    """The absolute folder of a run."""
    return config.plain.output.folder.expanduser().resolve() / config.run_name


def run(config: Config, show: Display, parts: Parts | None = None) -> Finished:
    """Answer and judge what is missing of a run.

    Raises UsageError where the run cannot start as asked, InfrastructureError where it has to stop; both leave finished rows alone.
    """
    require_prices(config)
    assembly = assemble(config, show.stage, parts)
    for warning in assembly.warnings:
        warn(warning)
    with Journal(run_folder(config)) as journal:
        for notice in journal.notices:
            warn(notice)
        replace_file(journal.folder / CONFIG, [OmegaConf.to_yaml(config.resolved).rstrip()])
        score_missing(journal, assembly.benchmark)
        asyncio.run(_work(assembly, journal, show))
        rows = tuple(journal.rows[question.id] for question in assembly.benchmark.questions)
    return Finished(config, journal.folder, rows)


async def _work(assembly: Assembly, journal: Journal, show: Display) -> None:
    try:
        manifest = await _manifest(assembly, journal)
        code = code_state().fingerprint
        _tell_of_other_code(journal.rows.values(), code)
        questions, rows = assembly.benchmark.questions, dict(journal.rows)
        open_ids = {question.id for question in pending(questions, rows, assembly.config.plain.run)}
        unjudged = {question.id for question, _ in undecided(questions, rows)}
        told_anew = open_ids if assembly.judge.batched else open_ids | unjudged
        open_ids |= unjudged
        tally = Tally(len(questions))
        tally.add(row for row in rows.values() if row.question_id not in told_anew)
        show.begin(assembly.config.label, tally)
        if not open_ids:
            return
        _require_one_judge(manifest, assembly, journal)
        manifest = manifest.judged(facts(assembly.judge))
        with _session(manifest, journal.folder):
            await Runner(assembly, journal, code, manifest.retriever.fingerprint, show.finished, manifest.judge.batch, show.stage).run()
    finally:
        await assembly.close()


async def _manifest(assembly: Assembly, journal: Journal) -> Manifest:
    """The manifest of the run, new or as it stands. Raises UsageError where the retriever is not the one that was asked for."""
    config, retriever = assembly.config, assembly.services.retriever
    found = await expected_fingerprint(retriever, config.plain.run.expected_fingerprint)
    if (journal.folder / MANIFEST).exists():
        known = read_manifest(journal.folder)
        if journal.rows and known.retriever.fingerprint != found:
            raise UsageError(
                f"The rows in {journal.folder} come from a retriever with fingerprint {known.retriever.fingerprint}, and this one's is "
                f"{found}; rows of both must not be mixed. Name another output.folder, or move that run away."
            )
        return known
    index, collection = retriever.identity, assembly.collection
    return Manifest(
        configuration=config.digest,
        system=config.label,
        prompts=prompts_digest(),
        retriever=RetrieverFacts(name=index.name, pages=index.pages, digest=index.digest, fingerprint=found),
        collection=CollectionFacts(digest=collection.digest, pages=len(collection.pages), captions_sha256=collection.captions_sha256),
        benchmark={"name": config.option("benchmark"), **assembly.benchmark.facts},
        backbone={"name": config.option("backbone"), **assembly.services.backbone.identity()},
        requirements=dict(assembly.services.slot_source.identity()),
        judge=facts(assembly.judge),
    )


def facts(judge: Judge) -> JudgeFacts:
    """A judge about to judge a batch, for the manifest."""
    return JudgeFacts(name=judge.name, rules=judge.version, model=judge.model, batch=new_batch())


def is_verdict(row: Row) -> bool:
    """Whether a judge ruled on a row: what failed, or was left empty, is wrong without one."""
    return row.correct is not None and not row.failure and bool((row.answer or "").strip())


def _require_one_judge(manifest: Manifest, assembly: Assembly, journal: Journal) -> None:
    """Raises UsageError where standing verdicts come from another judge, or another version of this one."""
    known, judge = manifest.judge, assembly.judge
    if known.is_same(facts(judge)) or not any(map(is_verdict, journal.rows.values())):
        return
    raise UsageError(
        f"The verdicts in {journal.folder} are by {known}, and this run's judge is {facts(judge)}; those of two must not be mixed. "
        f"Judge what is there first: python -m taec judge {journal.folder} judge={judge.name}"
    )


@contextlib.contextmanager
def _session(manifest: Manifest, folder: Path) -> Iterator[None]:
    """Keeps the manifest's account of this session: begun, and how it ended."""
    begun = manifest.begin(code_state(), environment())
    write_manifest(folder, begun)
    try:
        yield
    except BaseException as error:
        # a disk that is full refuses this too, and what stopped the run is what has to be told
        with contextlib.suppress(InfrastructureError):
            write_manifest(folder, begun.end(f"stopped by {type(error).__name__}"))
        raise
    write_manifest(folder, begun.end("complete"))


def _tell_of_other_code(rows: Iterable[Row], code: str) -> None:
    other = [row for row in rows if row.code != code]
    if other:
        warn(
            f"{len(other)} rows of this run were made by other code ({other[0].code}; this is {code}). They stay; "
            "give output.folder=<another> to answer all questions with this code."
        )
