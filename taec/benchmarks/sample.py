"""The embedded benchmark: 308 questions with gold pages over 35 real documents (738 pages).

Its README says what a line means. Splits are by document: nothing may be tuned on `report`; `mixed` questions have
evidence on both sides.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, JsonValue, ValidationError

from taec.benchmarks.base import Benchmark
from taec.benchmarks.counts import count
from taec.benchmarks.selection import Selected, choose, told
from taec.core.errors import UsageError
from taec.core.pages import page_id
from taec.core.questions import AnswerFormat, Question
from taec.documents.base import Document
from taec.documents.pdf import page_count, pdf_files

DATA = Path(__file__).parent / "data" / "sample"


class Settings(Selected):
    """Which questions of `sample` are asked."""

    name: Literal["sample"]
    """The registry name."""
    split: Literal["tune", "report", "mixed", "all"]
    """`tune` for developing, `report` for numbers, `mixed` with evidence on both sides."""


class _GoldPage(BaseModel):
    doc_id: str
    page: int


class _Line(BaseModel):
    """One line of `questions.jsonl`."""

    qid: str = Field(min_length=1)
    question: str = Field(min_length=1)
    answer: str | list[str]
    aliases: list[str]
    answer_format: AnswerFormat
    answerable: bool
    gold: list[_GoldPage]
    gold_alternatives: list[_GoldPage]
    hop: str | None
    source: str | None
    split: Literal["tune", "report", "mixed"]


def build(settings: Settings) -> Benchmark:
    """The benchmark as it ships with the package."""
    return load(DATA, settings)


def load(folder: Path, settings: Settings) -> Benchmark:
    """The benchmark in `folder`: `questions.jsonl` and `documents/`. Raises UsageError naming every fault in them."""
    file = folder / "questions.jsonl"
    try:
        written = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}.") from error
    lines, faults = _parse(file, written)
    documents = pdf_files(folder / "documents")
    faults += _page_faults(lines, documents, folder / "documents")
    if faults:
        raise UsageError(*faults)
    questions = [_question(line) for line in lines.values()]
    asked = [question for question in questions if settings.split in ("all", question.split)]
    if not asked:
        raise UsageError(f"{file} has no question of split '{settings.split}'. Set benchmark.split to another one.")
    chosen = choose(asked, settings)
    facts: dict[str, JsonValue] = {
        "annotations": file.name,
        "annotations_sha256": sha256(written).hexdigest(),
        "file": count(questions),
        "asked": count(chosen),
        "documents_indexed": len(documents),
        "selection": told(settings, chosen),
    }
    return Benchmark(settings.name, chosen, tuple(documents.values()), facts)


def _parse(file: Path, written: bytes) -> tuple[dict[int, _Line], list[str]]:
    """Lines by their number, and one fault for each that cannot be used."""
    lines: dict[int, _Line] = {}
    faults: list[str] = []
    first: dict[str, int] = {}
    for number, text in enumerate(written.splitlines(), start=1):
        if not text.strip():
            continue
        try:
            line = _Line.model_validate_json(text)
        except ValidationError as error:
            reasons = "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'line'}: {fault['msg']}" for fault in error.errors())
            faults.append(f"{file} line {number} cannot be used ({reasons}). Correct or remove it.")
            continue
        if (other := first.setdefault(line.qid, number)) != number:
            faults.append(f"{file} line {number}: the id '{line.qid}' is taken by line {other}. Give each question its own.")
        lines[number] = line
    if not lines and not faults:
        faults.append(f"{file} is empty. It holds one question a line.")
    return lines, faults


def _page_faults(lines: Mapping[int, _Line], documents: Mapping[str, Document], folder: Path) -> list[str]:
    """Missing documents, and gold pages that their document does not have."""
    named: dict[str, list[tuple[int, int]]] = {}
    for number, line in lines.items():
        for gold in line.gold + line.gold_alternatives:
            named.setdefault(gold.doc_id, []).append((number, gold.page))
    faults = []
    for name, places in sorted(named.items()):
        if name not in documents:
            faults.append(
                f"{folder / name} is missing (questions.jsonl names it {len(places)} times, first on line {places[0][0]}). Put it back."
            )
            continue
        pages = page_count(documents[name].path)
        faults += [
            f"questions.jsonl line {number}: {name} has no page {page} (it has 1 to {pages}). Correct the page."
            for number, page in places
            if pages is not None and not 1 <= page <= pages
        ]
    return faults


def _question(line: _Line) -> Question:
    items = tuple(line.answer) if isinstance(line.answer, list) else ()
    answer = ", ".join(line.answer) if isinstance(line.answer, list) else line.answer
    return Question(
        id=line.qid,
        text=line.question,
        references=(answer, *line.aliases),
        answer_format=line.answer_format,
        answerable=line.answerable,
        items=items,
        gold=frozenset(page_id(gold.doc_id, gold.page) for gold in line.gold),
        stand_ins=frozenset(page_id(gold.doc_id, gold.page) for gold in line.gold_alternatives),
        hop=line.hop or "",
        sources=(line.source,) if line.source else (),
        documents=tuple(dict.fromkeys(gold.doc_id for gold in line.gold)),
        split=line.split,
    )
