"""MMLongBench-Doc, read unchanged from any of its releases, over those of its documents that are present.

The files have no question ids, and a pair of document and question may occur twice: the id is the row's index in the file. Values are
strings in most of them, lists are Python literals; Hugging Face's parquet and VLMEvalKit's TSV have the same columns. Pages count from 1.
"""

from typing import Literal, get_args

from taec.benchmarks.base import Benchmark
from taec.benchmarks.counts import Release
from taec.benchmarks.entries import Entry
from taec.benchmarks.files import read_table
from taec.benchmarks.loading import Files, Origin, load, named_documents, places
from taec.benchmarks.places import pdfs
from taec.benchmarks.values import Malformed, Row, items, numbers, optional, text, texts
from taec.core.questions import AnswerFormat

NOT_ANSWERABLE = "Not answerable"

FIRST = {"questions": 1091, "answerable": 847}
SINGLE = {"Pure-text (Plain-text)": 134, "Table": 143, "Chart": 107, "Figure": 182}
SECOND = {"questions": 1082, "answerable": 859}

ORIGIN = Origin(
    "MMLongBench-Doc",
    "the released samples.json, the Hugging Face parquet or VLMEvalKit's TSV",
    "the folder of its PDFs",
    (
        Release("the paper's copy, which is most likely Hugging Face's (1,091 questions)", {**FIRST, "by_single_source": SINGLE}),
        Release(
            "the first release (git 04524e71, 2024-07-09)",
            {**FIRST, "by_single_source": {"Pure-text (Plain-text)": 130, "Table": 143, "Chart": 107, "Figure": 180}},
            "35ff1e81ed4b598ae5966652eb698f78ac4b1bdffcaf9285b55e87c925f43d57",
        ),
        Release(
            "the second release (git 88b5f09f, 2024-07-15)", SECOND, "32879fb5ce06fa085c052f5a2cd03c4c93c84f4bf301fbe89f55e69dbfbf618a"
        ),
        Release(
            "the third release (git a5cf967, 2025-09-24, GitHub's latest)",
            SECOND,
            "4ffadad60b18cd7ede864155f3e8a366fe4deec2189b3d0a25691b7df4b839e8",
        ),
        Release("VectifyAI's corrected V2", {"questions": 1071, "answerable": 877}),
        Release("the first release, or a copy of it (VLMEvalKit's)", FIRST),
    ),
    ("mmlongbench",),
)
"""The paper's table 10 has shares of 134, 143, 107 and 182 questions with one kind of evidence, which no release on GitHub has."""


class Settings(Files):
    """Where MMLongBench-Doc lies and which questions are asked."""

    name: Literal["mmlongbench"]
    """The registry name."""
    questions: Literal["answerable", "all"]
    """`answerable` is what the paper's tables score."""


def build(settings: Settings) -> Benchmark:
    """The questions whose document is present. Raises UsageError naming every fault of the settings and the file."""
    annotations, folder = places(settings, ORIGIN)
    table = read_table(annotations, ORIGIN.hint)
    entries = table.read(_entry, ORIGIN.hint)
    there = named_documents(entries, pdfs(folder), ORIGIN, folder)
    asked = [entry for entry in entries if entry.answerable or settings.questions == "all"]
    return load(ORIGIN, settings, table, entries, there, asked=asked)


def _entry(index: int, row: Row) -> Entry:
    document, answer, form = text(row, "doc_id"), optional(row, "answer") or "None", _form(row)
    pages = numbers(row, "evidence_pages")
    listed = _items(answer) if form == "List" else ()
    hop = "single_hop" if len(pages) == 1 else "multi_hop"
    return Entry(
        row=index,
        text=text(row, "question"),
        references=(", ".join(listed) or answer,),
        answer_format=form,
        answerable=form != "None",
        documents=(document,),
        gold=tuple((document, page) for page in pages),
        items=listed,
        hop=hop if form != "None" and pages else "",
        sources=texts(row, "evidence_sources"),
    )


def _form(row: Row) -> AnswerFormat:
    """The answer's format. Of a table library's NaN only the answer tells whether it was the format `None`."""
    written = optional(row, "answer_format")
    if not written and optional(row, "answer").casefold() == NOT_ANSWERABLE.casefold():
        return "None"
    for known in get_args(AnswerFormat):
        if written.casefold() == known.casefold():
            found: AnswerFormat = known
            return found
    raise Malformed(f"answer_format is '{written}', not one of {', '.join(get_args(AnswerFormat))}")


def _items(answer: str) -> tuple[str, ...]:
    """The items of a list answer; two rows labelled List hold a plain number, which is its one item."""
    try:
        found = items({"answer": answer}, "answer")
    except Malformed:
        found = ()
    return tuple(str(item).strip() for item in found) or (answer,)
