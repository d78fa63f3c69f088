"""SlideVQA, read unchanged: the released JSONL, Hugging Face's parquet with the slides inside, VLMEvalKit's TSV, VisDoM's CSV.

A question is about one deck of 20 slides. Gold page p is the p-th image address of the row, from 1; VisDoM's copy counts from 0.
"""

from typing import Literal

from taec.benchmarks.base import Benchmark
from taec.benchmarks.counts import Release
from taec.benchmarks.embedded import unpack
from taec.benchmarks.entries import Entry
from taec.benchmarks.files import Table, read_table
from taec.benchmarks.loading import Files, Origin, load, named_documents, places
from taec.benchmarks.notices import listed
from taec.benchmarks.places import decks
from taec.benchmarks.values import Malformed, Row, items, label, numbers, optional, text, texts
from taec.benchmarks.vidoseek import hop_of

ORIGIN = Origin(
    "SlideVQA",
    "the released annotations/qa/test.jsonl, the Hugging Face parquet or VLMEvalKit's TSV",
    "the folder of its slide images, one folder a deck",
    (Release("the test split", {"questions": 2215}),),
    ("em", "f1"),
)
SLIDES = 20
"""Slides of a deck, where a row does not list them."""
LOST = ("None", "N/A")
"""What an answer was that a table library took for no value and wrote as NaN."""
REASONING = ("reasoning_type", "resoning_type")
"""The README's spelling and the one that files have."""


class Settings(Files):
    """Where SlideVQA lies and which questions are asked."""

    name: Literal["slidevqa"]
    """The registry name."""
    first_page: Literal[0, 1] | None
    """The number of a deck's first slide in the annotations; null finds out."""


def build(settings: Settings) -> Benchmark:
    """The questions whose deck is present. Raises UsageError naming every fault of the settings and the file."""
    annotations, folder = places(settings, ORIGIN)
    table = read_table(annotations, ORIGIN.hint)
    first, reason = _first_page(table) if settings.first_page is None else (settings.first_page, "")
    split = next((name for name in ("train", "dev", "test") if table.name.startswith(name)), "")
    entries = table.read(lambda index, row: _entry(index, row, 1 - first, split), ORIGIN.hint)
    urls: dict[str, tuple[str, ...]] = {}
    for entry, addresses in zip(entries, table.read(lambda _, row: _addresses(row), ORIGIN.hint), strict=True):
        urls[entry.documents[0]] = urls.get(entry.documents[0]) or addresses
    unpacked = unpack(table, folder, "deck_name") if table.pictures else 0
    there = named_documents(entries, decks(folder, urls), ORIGIN, folder)
    remarks = [reason] if reason else []
    if unpacked:
        remarks.append(f"decks whose slides were unpacked from {table.name} into {folder}: {unpacked}.")
    if lost := [str(entry.row) for entry in entries if entry.references == LOST]:
        remarks.append(
            f"empty answers, 'None' or 'N/A' before a program took them for no value (either is right): {len(lost)}. Rows: {listed(lost)}."
        )
    return load(ORIGIN, settings, table, entries, there, remarks)


def _entry(index: int, row: Row, shift: int, split: str) -> Entry:
    deck = _deck(row)
    if "answer" not in row:
        raise Malformed("answer is missing")
    answer = optional(row, "answer")
    kind = next((found for key in REASONING if (found := label(row, key))), "")
    return Entry(
        row=index,
        text=text(row, "question"),
        references=(answer,) if answer else LOST,
        answer_format="Str",
        answerable=True,
        documents=(deck,),
        gold=tuple((deck, page + shift) for page in numbers(row, "evidence_pages")),
        released_id=optional(row, "qa_id"),
        hop=hop_of(kind),
        split=split,
    )


def _deck(row: Row) -> str:
    """The deck's name; VLMEvalKit's rows may only have it as the folder of their images."""
    if deck := optional(row, "deck_name"):
        return deck
    folder = next((path.rpartition("/")[0].rpartition("/")[2] for path in texts(row, "image_path")), "")
    if not folder:
        raise Malformed("deck_name is missing")
    return folder


def _addresses(row: Row) -> tuple[str, ...]:
    """The addresses or paths of a deck's slides, in order; "" where one is missing, since an address counts by its place."""
    column = "image_urls" if items(row, "image_urls") else "image_path"
    return tuple(optional({column: value}, column) for value in items(row, column))


def _first_page(table: Table) -> tuple[int, str]:
    """Where the file counts from, and what to say of it.

    From 0, if page 0 occurs and the last page never does. A CSV file has VisDoM's form: it counts from 0 unless the last page occurs.
    """
    zero, last = False, False
    for row in table.rows:
        try:
            pages, slides = numbers(row, "evidence_pages"), len(_addresses(row)) or SLIDES
        except Malformed:
            continue
        zero, last = zero or 0 in pages, last or any(page >= slides for page in pages)
    if last or not (zero or table.form == "csv"):
        return 1, ""
    why = "page 0 occurs and the last page of a deck never does" if zero else "it is a CSV file, and the last page of a deck never occurs"
    return (
        0,
        f"pages are taken to count from 0, as in VisDoM's copy, since {why}; they are told from 1 here. benchmark.first_page=1 if not so.",
    )
