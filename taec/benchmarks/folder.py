"""Your own questions over your own documents: a table of questions, and a folder of PDFs and page images with its sub-folders.

All documents of the folder are searched, whether a question names them or not; a name is the path below the folder. What does not fit
is refused, not left out: the files are your own to correct.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal, get_args

from taec.benchmarks.base import Benchmark
from taec.benchmarks.columns import GUIDE, missing, unread
from taec.benchmarks.entries import Entry
from taec.benchmarks.files import read_table, refusal
from taec.benchmarks.loading import Files, Origin, load, places
from taec.benchmarks.pool import Pool
from taec.benchmarks.values import Malformed, Row, items, label, numbers, optional, text, texts
from taec.core.errors import UsageError
from taec.core.questions import AnswerFormat
from taec.core.spelling import nearest
from taec.documents.base import Document
from taec.documents.discovery import Discovery, discover
from taec.documents.images import is_image

ORIGIN = Origin("your own benchmark", "your file of questions (CSV, TSV, JSONL or JSON)", "the folder of your PDFs and page images")
YES, NO = frozenset({"true", "yes", "1", "1.0"}), frozenset({"false", "no", "0", "0.0"})


class Settings(Files):
    """Where your questions and documents lie, and which questions are asked."""

    name: Literal["folder"]
    """The registry name."""


def build(settings: Settings) -> Benchmark:
    """Your benchmark. Raises UsageError naming every fault of the settings and the files, and explaining the columns by an example."""
    annotations, folder = places(settings, ORIGIN)
    table = read_table(annotations, GUIDE)
    columns = dict.fromkeys(name for row in table.rows for name in row)
    if faults := list(missing(columns)):
        raise refusal([f"{table.name}: {fault}" for fault in faults], GUIDE)
    found = discover([folder])
    documents = {document.name: document for document in found.documents} | _twins(folder, found)
    entries, faults = table.attempt(_entry)
    misplaced = [f"{table.name} {fault}" for fault in (*_repeated_ids(entries), *_unknown(entries, documents))]
    if faults:
        raise refusal([*misplaced, *faults], GUIDE)
    if misplaced:
        raise UsageError(*misplaced)
    remarks = [f"{trouble}." for trouble in found.troubles if trouble.kind not in ("ignored", "duplicate")]
    if names := unread(columns):
        remarks.append(f"columns that are not read: {', '.join(names)}.")
    return load(ORIGIN, settings, table, entries, documents, remarks)


def _entry(index: int, row: Row) -> Entry:
    answerable = _answerable(row)
    listed = _answers(row) if answerable else ()
    answer = ", ".join(listed) if len(listed) > 1 else (listed[0] if listed else optional(row, "answer") or "Not answerable")
    gold = _gold(row)
    hop = label(row, "hop") or ("" if not gold else "single_hop" if len(gold) == 1 else "multi_hop")
    document = optional(row, "document")
    return Entry(
        row=index,
        text=text(row, "question"),
        references=(answer, *(alias for alias in texts(row, "aliases") if alias != answer)),
        answer_format=_form(row, answerable, listed),
        answerable=answerable,
        documents=tuple(dict.fromkeys([*([document] if document else []), *(name for name, _ in gold)])),
        gold=gold,
        released_id=optional(row, "id"),
        items=listed if len(listed) > 1 else (),
        hop=hop if answerable else "",
        sources=texts(row, "sources"),
        split=optional(row, "split"),
    )


def _answers(row: Row) -> tuple[str, ...]:
    """The items of a list, or the whole answer as its one item: a text that looks like a number or a tuple is a text."""
    written = row.get("answer")
    if isinstance(written, list | tuple) or (isinstance(written, str) and written.strip().startswith("[")):
        found = texts(row, "answer")
        if not found:
            raise Malformed("answer is empty")
        return found
    return (text(row, "answer"),)


def _answerable(row: Row) -> bool:
    written = optional({"answerable": str(value)} if isinstance(value := row.get("answerable"), bool) else row, "answerable").casefold()
    if written in NO:
        return False
    if written and written not in YES:
        raise Malformed(f"answerable is '{written}', neither true nor false")
    return optional(row, "answer_format").casefold() != "none"


def _form(row: Row, answerable: bool, listed: Sequence[str]) -> AnswerFormat:
    written = optional(row, "answer_format")
    if not answerable:
        return "None"
    if not written:
        return "List" if len(listed) > 1 else "Str"
    for known in get_args(AnswerFormat):
        if written.casefold() == known.casefold():
            found: AnswerFormat = known
            return found
    raise Malformed(f"answer_format is '{written}', not one of {', '.join(get_args(AnswerFormat))}")


def _gold(row: Row) -> tuple[tuple[str, int], ...]:
    """Evidence as document and page, from `document` and `pages`, and from `gold`."""
    written = row.get("pages")
    pages = numbers({"pages": written.replace(";", ",") if isinstance(written, str) else written}, "pages")
    document = optional(row, "document")
    if pages and not document:
        raise Malformed("pages are given, and document is missing")
    found = [(document, page) for page in pages]
    for each in items(row, "gold"):
        if not isinstance(each, Mapping):
            raise Malformed('gold has to be a list like [{"document": "a.pdf", "page": 3}]')
        name, numbered = text(each, "document"), numbers(each, "page")
        if not numbered:
            raise Malformed("gold names a document without a page")
        found += [(name, page) for page in numbered]
    return tuple(dict.fromkeys(found))


def _repeated_ids(entries: Sequence[Entry]) -> Iterator[str]:
    first: dict[str, int] = {}
    for entry in entries:
        if entry.released_id and (other := first.setdefault(entry.released_id, entry.row)) != entry.row:
            yield f"row {entry.row}: the id '{entry.released_id}' is taken by row {other}. Give each question its own."


def _unknown(entries: Sequence[Entry], documents: Mapping[str, Document]) -> Iterator[str]:
    """Documents that the folder lacks, and pages that a document lacks."""
    pool = Pool(documents)
    for entry in entries:
        absent = [name for name in entry.documents if name not in documents]
        for name in absent:
            close = next((known for known in documents if PurePosixPath(known).name == name), None) or nearest(name, documents)
            yield f"row {entry.row}: the folder has no '{name}'" + (f"; did you mean '{close}'?" if close else ".")
        if not absent and (pages := pool.lacking(entry)):
            yield f"row {entry.row}: {', '.join(entry.documents)} has no page {', '.join(map(str, pages))}. Pages count from 1."


def _twins(folder: Path, found: Discovery) -> dict[str, Document]:
    """Files that hold the same as another document: a question may name either."""
    paths = {trouble.document: folder / trouble.document for trouble in found.troubles if trouble.kind == "duplicate"}
    return {name: Document(name, path, ((1, path),) if is_image(path) else ()) for name, path in paths.items() if path.is_file()}
