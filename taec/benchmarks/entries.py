"""A row of an annotation file, read: what every loader makes of its own columns."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from taec.core.questions import AnswerFormat


@dataclass(frozen=True, slots=True)
class Entry:
    """One row. `row` counts from 0; `released_id` is "" where the file has none; `gold` are annotated pages as document and number."""

    row: int
    text: str
    references: tuple[str, ...]
    answer_format: AnswerFormat
    answerable: bool
    documents: tuple[str, ...]
    gold: tuple[tuple[str, int], ...]
    released_id: str = ""
    items: tuple[str, ...] = ()
    hop: str = ""
    sources: tuple[str, ...] = ()
    split: str = ""


def identifiers(entries: Sequence[Entry], name: str) -> dict[int, str]:
    """An id for each row: the released one where no other row has it, else the benchmark's name with the row's index."""
    taken = Counter(entry.released_id for entry in entries if entry.released_id)
    ids = {}
    for entry in entries:
        own = entry.released_id
        if taken[own] != 1:
            own = f"{name}-{entry.row:04d}"
            while own in taken:
                own += "+"
        ids[entry.row] = own
    return ids
