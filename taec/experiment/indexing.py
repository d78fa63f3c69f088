"""What `index` made and found, for a person and as a file."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from rich import box
from rich.table import Table
from rich.text import Text

from taec.collections.store import Collection
from taec.core.progress import Stage
from taec.documents.troubles import LEAVE_OUT, MEANING, Trouble
from taec.experiment.config import Config
from taec.experiment.parts import Parts
from taec.records.lines import replace_file

REPORT = "report.json"
SHOWN = 8
"""Lines of a kind that the terminal shows; the file has all."""
SOURCES = {"text_layer": "from text layers", "ocr": "by OCR", "model": "by a model", "none": "without text"}


@dataclass(frozen=True, slots=True)
class Indexed:
    """A collection, and all that was found on the way to it, grouped by kind."""

    collection: Collection
    troubles: tuple[Trouble, ...]

    @classmethod
    def of(cls, parts: Parts, config: Config, stage: Stage) -> "Indexed":
        """The collection of `config`, built where it is missing. Raises as `Parts.collection` does."""
        collection = parts.collection(config, stage)
        beside = parts.discovery(config).troubles if config.plain.roots else ()
        order = list(MEANING)
        found = sorted((*beside, *collection.report.troubles), key=lambda trouble: order.index(trouble.kind))
        return cls(collection, tuple(found))

    @property
    def words(self) -> str:
        """Documents, pages and captions in one sentence."""
        made, reused = self.collection.work.made, self.collection.work.reused
        pages = len(self.collection.pages)
        how = f"{made:,} rendered now, {reused:,} from before" if made or reused else "all from before"
        sources = self.collection.captions_by_source
        captions = ", ".join(f"{sources[source]:,} {words}" for source, words in SOURCES.items() if sources.get(source))
        return f"{self.collection.documents:,} documents, {pages:,} pages ({how}); captions: {captions or 'none'}"


def write_report(indexed: Indexed) -> Path:
    """Write `report.json` beside the collection's files."""
    collection = indexed.collection
    report = {
        "documents": collection.documents,
        "pages": len(collection.pages),
        "rendered_now": collection.work.made,
        "from_before": len(collection.pages) - collection.work.made,
        "captions": dict(collection.captions_by_source),
        "captions_sha256": collection.captions_sha256,
        "links": sum(map(len, collection.links.values())),
        "troubles": [
            {"kind": each.kind, "document": each.document, "page": each.number, "left_out": each.kind in LEAVE_OUT, "text": each.text}
            for each in indexed.troubles
        ],
    }
    file = collection.folder / REPORT
    replace_file(file, [json.dumps(report, indent=1, ensure_ascii=False)])
    return file


def tables(indexed: Indexed) -> Iterator[Table]:
    """A table for each kind of trouble, by file and page."""
    for kind, group in groupby(indexed.troubles, key=lambda trouble: trouble.kind):
        yield _table(f"{kind}: {MEANING[kind]}", list(group))


def _table(title: str, troubles: Sequence[Trouble]) -> Table:
    table = Table(title=Text(title, "bold"), box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, show_edge=False)
    table.add_column("document", overflow="fold")
    table.add_column("page", justify="right")
    table.add_column("what", overflow="fold")
    for trouble in troubles[:SHOWN]:
        table.add_row(Text(trouble.document), "" if trouble.number is None else str(trouble.number), Text(trouble.text))
    if len(troubles) > SHOWN:
        table.add_row(Text(f"{len(troubles) - SHOWN:,} more stand in {REPORT}", "italic"), "", "")
    return table
