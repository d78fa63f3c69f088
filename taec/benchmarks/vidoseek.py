"""ViDoSeek, and files of its form: an object with `examples`, each with `uid`, `query`, `reference_answer` and `meta_info`.

Read unchanged: the release, its `slidevqa_refined.json`, and the unified form of VRAG-RL (numbers as uid, lists as source types, missing
types). Labels are taken in any case; unknown ones are kept. Pages count from 1.
"""

import re
from typing import Literal

from taec.benchmarks.base import Benchmark
from taec.benchmarks.counts import Release
from taec.benchmarks.entries import Entry
from taec.benchmarks.files import Table, read_table
from taec.benchmarks.loading import Files, Origin, load, named_documents, places
from taec.benchmarks.places import page_images, pdfs
from taec.benchmarks.values import Malformed, Row, joined, label, numbers, optional, text, texts

ORIGIN = Origin(
    "ViDoSeek",
    "the released vidoseek.json",
    "the folder of its PDFs, or of page images named {document}_{page}.jpg",
    (
        Release(
            "the release (Hugging Face, revision e91a92ba)",
            {
                "questions": 1142,
                "documents": 290,
                "by_hop": {"single_hop": 645, "multi_hop": 497},
                "by_source": {"2d_layout": 730, "table": 175, "chart": 157, "text": 80},
            },
            "ca4949bfc16231d129cd7565f20e07683854ab5aa8d05f05a86a12a9b71a7fab",
        ),
    ),
)
"""Counts are the paper's."""

HOP = re.compile(r"(single|multi)_?hop", re.ASCII)
NOT_ANSWERABLE = "not answerable"


class Settings(Files):
    """Where ViDoSeek lies and which questions are asked."""

    name: Literal["vidoseek"]
    """The registry name."""


def build(settings: Settings) -> Benchmark:
    """The questions whose document is present. Raises UsageError naming every fault of the settings and the file."""
    annotations, folder = places(settings, ORIGIN)
    table = read_table(annotations, ORIGIN.hint)
    entries = table.read(_entry, ORIGIN.hint)
    names = {name for entry in entries for name in entry.documents}
    there = named_documents(entries, {**page_images(folder, names), **pdfs(folder)}, ORIGIN, folder)
    return load(ORIGIN, settings, table, entries, there, _remarks(table))


def _entry(index: int, row: Row) -> Entry:
    about = row.get("meta_info")
    if not isinstance(about, dict):
        raise Malformed("meta_info is missing: file_name and reference_page are in it")
    document, answer = text(about, "file_name"), text(row, "reference_answer")
    answerable = answer.casefold().rstrip(".") != NOT_ANSWERABLE
    return Entry(
        row=index,
        text=text(row, "query"),
        references=(answer,),
        answer_format="Str" if answerable else "None",
        answerable=answerable,
        documents=(document,),
        gold=tuple((document, page) for page in numbers(about, "reference_page")),
        released_id=optional(row, "uid"),
        hop=hop_of(label(about, "query_type")) if answerable else "",
        sources=tuple(dict.fromkeys(joined(source) for source in texts(about, "source_type"))),
    )


def hop_of(kind: str) -> str:
    """`single_hop` or `multi_hop` where a label says either, whatever else it says; else the label."""
    match = HOP.search(kind)
    return f"{match[1]}_hop" if match else kind


def _remarks(table: Table) -> tuple[str, ...]:
    abouts = [about for row in table.rows if isinstance(about := row.get("meta_info"), dict)]
    if any("origin_query" in about for about in abouts):
        return ("this is slidevqa_refined.json, SlideVQA's questions rewritten: neither ViDoSeek nor SlideVQA's test split.",)
    if any(isinstance(row.get("uid"), int) for row in table.rows):
        return ("uids are numbers, as in VRAG-RL's unified form.",)
    return ()
