"""From read rows to a benchmark: the way of all files that are not part of taec.

Nothing is dropped in silence. Questions on documents that are not there are left out, and counted; pages that a document lacks are no
gold, and counted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from taec.benchmarks import notices
from taec.benchmarks.base import Benchmark
from taec.benchmarks.counts import Release, count, recognised
from taec.benchmarks.entries import Entry, identifiers
from taec.benchmarks.files import Table, digest
from taec.benchmarks.pool import Pool
from taec.benchmarks.selection import Selected, choose, told
from taec.core.errors import UsageError
from taec.core.pages import page_id
from taec.core.questions import MetricName, Question
from taec.documents.base import Document


class Files(Selected):
    """Where the files of a benchmark lie that is not part of taec."""

    annotations: Path | None
    """The file of its questions."""
    documents: Path | None
    """The folder of its documents."""

    def identity(self) -> dict[str, JsonValue]:
        """Questions count by what their file holds, not by where it lies: another file at the same place is another run."""
        values = super().identity()
        if self.annotations is not None:
            values |= {"annotations": digest(self.annotations)}
        if self.documents is not None:
            values |= {"documents": str(self.documents.expanduser().resolve())}
        return values


@dataclass(frozen=True, slots=True)
class Origin:
    """What a loader knows of its benchmark: what it is called, its releases (the paper's first), and what its files should be."""

    title: str
    annotations: str
    documents: str
    releases: Sequence[Release] = ()
    metrics: tuple[MetricName, ...] = ()
    """Its official metrics."""

    @property
    def hint(self) -> str:
        """The end of a message about a wrong file."""
        return f"Set benchmark.annotations to {self.annotations}."


def places(settings: Files, origin: Origin) -> tuple[Path, Path]:
    """The file and the folder. Raises UsageError naming each that is not set, with what it should be."""
    faults = []
    if settings.annotations is None:
        faults.append(f"benchmark.annotations is not set: {origin.title} is not part of taec. Set it to {origin.annotations}.")
    if settings.documents is None:
        faults.append(f"benchmark.documents is not set: {origin.title} needs {origin.documents}.")
    if settings.annotations is None or settings.documents is None:
        raise UsageError(*faults)
    return settings.annotations, settings.documents.expanduser()


def named_documents(entries: Sequence[Entry], documents: Mapping[str, Document], origin: Origin, folder: Path) -> dict[str, Document]:
    """Those of the documents that the rows name, in the documents' order. Raises UsageError where there is none."""
    named = {name for entry in entries for name in entry.documents}
    there = {name: document for name, document in documents.items() if name in named}
    if not there:
        what = "holds" if folder.is_dir() else "is no folder; it should hold"
        raise UsageError(
            f"benchmark.documents={folder} {what} none of the {len(named)} documents that are named, such as {min(named, default='')}. "
            f"Set it to {origin.documents}."
        )
    return there


def load(
    origin: Origin,
    settings: Files,
    table: Table,
    entries: Sequence[Entry],
    there: Mapping[str, Document],
    remarks: Sequence[str] = (),
    asked: Sequence[Entry] | None = None,
) -> Benchmark:
    """The benchmark of these rows over those of their documents that are `there`; `asked` are the rows to choose from, all unless given.

    `remarks` are what a loader has to say of its file beside what is said of every file.
    """
    name = str(settings.model_dump()["name"])
    ids, pool = identifiers(entries, name), Pool(there)
    present = [entry for entry in entries if pool.holds(entry)]
    rows = {entry.row for entry in (entries if asked is None else asked)}
    every = [_question(entry, ids[entry.row], _annotated(entry)) for entry in entries]
    by_row = {entry.row: _question(entry, ids[entry.row], pool.gold(entry)) for entry in present}
    chosen = choose([question for row, question in by_row.items() if row in rows], settings)
    counts = count(every)
    release = recognised(origin.releases, table.sha256, counts) if origin.releases else ""
    missing = sorted({name for entry in entries for name in entry.documents} - set(there))
    lacking = {entry.row: pages for entry in present if (pages := pool.lacking(entry))}
    repeated = sum(many - 1 for many in Counter((entry.documents, entry.text) for entry in entries).values())
    facts: dict[str, JsonValue] = {
        "annotations": table.name,
        "annotations_sha256": table.sha256,
        "release": release,
        "file": counts,
        "present": count(list(by_row.values())),
        "asked": count(chosen),
        "documents_indexed": len(pool.indexed),
        "documents_missing": list(missing),
        "documents_identical": dict(pool.twins),
        "pages_out_of_range": {str(row): list(pages) for row, pages in lacking.items()},
        "repeated_questions": repeated,
        "selection": told(settings, chosen),
    }
    warnings = (
        *notices.of_release(origin.title, origin.releases, release, counts),
        *(f"{origin.title}: {remark}" for remark in remarks),
        *notices.of_missing(origin.title, missing, len(entries) - len(present), len(entries)),
        *notices.of_pages(origin.title, lacking),
        *notices.of_twins(origin.title, pool.twins),
        *notices.of_repeats(origin.title, repeated),
    )
    return Benchmark(name, chosen, pool.indexed, facts, warnings, origin.metrics)


def _annotated(entry: Entry) -> frozenset[str]:
    return frozenset(page_id(name, number) for name, number in entry.gold)


def _question(entry: Entry, name: str, gold: frozenset[str]) -> Question:
    return Question(
        id=name,
        text=entry.text,
        references=entry.references,
        answer_format=entry.answer_format,
        answerable=entry.answerable,
        items=entry.items,
        gold=gold,
        hop=entry.hop,
        sources=entry.sources,
        documents=entry.documents,
        split=entry.split,
    )
