"""MMLongBench-Doc: the released `samples.json`, read unchanged, over those of its documents that are present.

The file has no question ids, and a pair of document and question may occur twice: the id is the row's index in the file. Values are
strings; lists are Python literals. Pages count from 1. Some rows name pages that their document lacks (0, or a printed page number):
such pages are left out of gold, and counted in a warning.
"""

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, JsonValue, TypeAdapter, ValidationError

from taec.benchmarks.base import Benchmark
from taec.benchmarks.selection import select
from taec.core.errors import UsageError
from taec.core.pages import page_id
from taec.core.questions import AnswerFormat, Question
from taec.core.settings import Settings as BaseSettings
from taec.documents.base import Document
from taec.documents.pdf import page_count, pdf_files

RELEASES = {
    "35ff1e81ed4b598ae5966652eb698f78ac4b1bdffcaf9285b55e87c925f43d57": "first (git 04524e71, 2024-07-09)",
    "32879fb5ce06fa085c052f5a2cd03c4c93c84f4bf301fbe89f55e69dbfbf618a": "second (git 88b5f09f, 2024-07-15)",
    "4ffadad60b18cd7ede864155f3e8a366fe4deec2189b3d0a25691b7df4b839e8": "third (git a5cf967, 2025-09-24)",
}
"""By the sha256 of `samples.json`. The paper's 1,091 questions, 847 of them answerable, are the first release."""
PAPER = RELEASES["35ff1e81ed4b598ae5966652eb698f78ac4b1bdffcaf9285b55e87c925f43d57"]


class Settings(BaseSettings):
    """Where MMLongBench-Doc lies and which questions are asked."""

    name: Literal["mmlongbench"]
    """The registry name."""
    annotations: Path | None
    """The released `samples.json`."""
    documents: Path | None
    """The folder of its PDFs."""
    questions: Literal["answerable", "all"]
    """`answerable` is what the paper's tables score."""
    limit: int | None = Field(ge=1)
    """The first so many questions of the fixed shuffled order; null asks all."""


class _Row(BaseModel):
    """A row as it was released."""

    doc_id: str
    question: str
    answer: str
    evidence_pages: str
    evidence_sources: str
    answer_format: AnswerFormat


_ROWS = TypeAdapter(list[_Row])
_PAGES = TypeAdapter(list[int])
_LABELS = TypeAdapter(list[str])


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row with its literals read; `pages` without repeats, in order, as annotated."""

    index: int
    row: _Row
    pages: tuple[int, ...]
    sources: tuple[str, ...]
    items: tuple[str, ...]


def build(settings: Settings) -> Benchmark:
    """The questions whose document is present. Raises UsageError naming every fault of the settings and the file."""
    annotations, folder = _places(settings)
    try:
        written = annotations.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{annotations} cannot be read: {error.strerror or error}. Set benchmark.annotations to the released samples.json."
        ) from error
    entries = _parse(annotations, written)
    named = {entry.row.doc_id for entry in entries}
    documents = {name: document for name, document in pdf_files(folder).items() if name in named}
    if not documents:
        raise UsageError(
            f"{folder} holds none of the {len(named)} documents that {annotations.name} names. Set benchmark.documents to their folder."
        )
    present = [entry for entry in entries if entry.row.doc_id in documents]
    counts = {name: page_count(document.path) for name, document in documents.items()}
    questions = [_question(entry, counts[entry.row.doc_id]) for entry in present]
    asked = [question for question in questions if settings.questions == "all" or question.answerable]
    release = RELEASES.get(sha256(written).hexdigest(), "unknown")
    return Benchmark(
        settings.name,
        select(asked, settings.limit),
        tuple(documents.values()),
        _facts(entries, questions, written, release, documents),
        _warnings(entries, present, counts, release),
        metrics=("mmlongbench",),
    )


def _places(settings: Settings) -> tuple[Path, Path]:
    faults = []
    if settings.annotations is None:
        faults.append("MMLongBench-Doc is not part of taec. Add benchmark.annotations=<path of its samples.json>.")
    if settings.documents is None:
        faults.append("MMLongBench-Doc's PDFs are not part of taec. Add benchmark.documents=<folder that holds them>.")
    if settings.annotations is None or settings.documents is None:
        raise UsageError(*faults)
    return settings.annotations.expanduser(), settings.documents.expanduser()


def _parse(file: Path, written: bytes) -> list[_Entry]:
    try:
        rows = _ROWS.validate_json(written)
    except ValidationError as error:
        faults = [f"{file}: {'.'.join(map(str, fault['loc'])) or 'file'}: {fault['msg']}." for fault in error.errors()[:10]]
        raise UsageError(*faults, "Set benchmark.annotations to the released samples.json.") from error
    if not rows:
        raise UsageError(f"{file} holds no question. Set benchmark.annotations to the released samples.json.")
    entries, faults = [], []
    for index, row in enumerate(rows):
        try:
            pages = _PAGES.validate_python(ast.literal_eval(row.evidence_pages))
            sources = _LABELS.validate_python(ast.literal_eval(row.evidence_sources))
        except (ValueError, SyntaxError) as error:
            faults.append(f"{file} row {index}: evidence cannot be read as a list ({error}). Correct it.")
            continue
        items = _items(row.answer) if row.answer_format == "List" else ()
        entries.append(_Entry(index, row, tuple(dict.fromkeys(pages)), tuple(dict.fromkeys(sources)), items))
    if faults:
        raise UsageError(*faults)
    return entries


def _items(answer: str) -> tuple[str, ...]:
    """The items of a list answer; two rows labelled List hold a plain number, which is its one item."""
    try:
        value = ast.literal_eval(answer)
    except (ValueError, SyntaxError):
        return (answer.strip(),)
    return tuple(str(item).strip() for item in value) if isinstance(value, list | tuple) else (answer.strip(),)


def _question(entry: _Entry, pages: int | None) -> Question:
    row = entry.row
    answerable = row.answer_format != "None"
    hop = "single_hop" if len(entry.pages) == 1 else "multi_hop"
    return Question(
        id=f"mmlongbench-{entry.index:04d}",
        text=row.question.strip(),
        references=(", ".join(entry.items) or row.answer.strip(),),
        answer_format=row.answer_format,
        answerable=answerable,
        items=entry.items,
        gold=frozenset(page_id(row.doc_id, page) for page in _existing(entry, pages)),
        hop=hop if answerable and entry.pages else "",
        sources=entry.sources,
        documents=(row.doc_id,),
    )


def _existing(entry: _Entry, pages: int | None) -> list[int]:
    """The annotated pages that the document has; all of them where its pages could not be counted."""
    return [page for page in entry.pages if page >= 1 and (pages is None or page <= pages)]


def _facts(
    entries: Sequence[_Entry], present: Sequence[Question], written: bytes, release: str, documents: Mapping[str, Document]
) -> dict[str, JsonValue]:
    pairs = Counter((entry.row.doc_id, entry.row.question) for entry in entries)
    single = Counter(question.sources[0] for question in present if question.answerable and len(question.sources) == 1)
    return {
        "annotations_sha256": sha256(written).hexdigest(),
        "release": release,
        "rows": len(entries),
        "answerable": sum(entry.row.answer_format != "None" for entry in entries),
        "documents_named": len({entry.row.doc_id for entry in entries}),
        "documents": len(documents),
        "rows_present": len(present),
        "answerable_present": sum(question.answerable for question in present),
        "with_gold_present": sum(bool(question.gold) for question in present),
        "repeated_questions": sum(count - 1 for count in pairs.values()),
        "by_hop": dict(sorted(Counter(question.hop or "none" for question in present).items())),
        "by_single_source": dict(sorted(single.items())),
    }


def _warnings(entries: Sequence[_Entry], present: Sequence[_Entry], counts: Mapping[str, int | None], release: str) -> tuple[str, ...]:
    warnings = []
    if release != PAPER:
        answerable = sum(entry.row.answer_format != "None" for entry in entries)
        warnings.append(
            f"MMLongBench-Doc: release {release} with {len(entries)} questions, {answerable} answerable; the paper has 1091 and 847."
        )
    if left_out := len(entries) - len(present):
        missing = len({entry.row.doc_id for entry in entries}) - len(counts)
        warnings.append(f"MMLongBench-Doc: {missing} documents are not there; their {left_out} of {len(entries)} questions are left out.")
    lacking = [entry.index for entry in present if len(_existing(entry, counts[entry.row.doc_id])) < len(entry.pages)]
    if lacking:
        rows = ", ".join(map(str, lacking))
        warnings.append(f"MMLongBench-Doc: rows {rows} name pages that their document lacks; such pages are not gold.")
    return tuple(warnings)
