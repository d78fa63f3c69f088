"""The columns of a file of your own questions, and the one message that explains them."""

from collections.abc import Iterable, Iterator

from taec.core.spelling import nearest

REQUIRED = ("question", "answer")

COLUMNS = {
    "question": "what is asked (required)",
    "answer": "the right answer; a list for an answer of several items (required, unless answerable is false)",
    "document": "the file that the question is about, by its path below the folder of documents",
    "pages": "the pages of that document which hold the evidence, counted from 1: 3, or 3; 5, or [3, 5]",
    "gold": 'the same for evidence in several documents: [{"document": "a.pdf", "page": 3}, {"document": "b.pdf", "page": 1}]',
    "id": "a name of your own for the question; the row's index serves where it is missing",
    "aliases": "a list of further right spellings of the answer",
    "answer_format": "Str, Int, Float, List or None; Str where it is missing, List for a list, None for no answer",
    "answerable": "false for a question that the documents do not answer; true where it is missing",
    "hop": "single_hop or multi_hop, or a kind of your own; told from the number of pages where it is missing",
    "sources": "kinds of evidence, such as text, table, chart: a label or a list of them",
    "split": "a part of the questions by name",
}

EXAMPLE = """  question,answer,document,pages,sources
  What did the audit cost?,"$ 12,400",audit 2024.pdf,3,table
  Which offices were visited?,"['Bonn', 'Delft']",audit 2024.pdf,3; 5,text"""

GUIDE = "\n".join(
    [
        "The columns of a file of questions (names in the first line of CSV or TSV, keys in JSONL or JSON; rows count from 0):",
        *(f"  {name:<14} {meaning}" for name, meaning in COLUMNS.items()),
        "Other columns are not read. For example:",
        EXAMPLE,
    ]
)
"""Every column, with an example."""


def missing(columns: Iterable[str]) -> Iterator[str]:
    """One fault for each required column that is not there, with the column that was probably meant to be it."""
    there = list(columns)
    for name in REQUIRED:
        if name not in there:
            close = nearest(name, (column for column in there if column not in COLUMNS))
            yield f"there is no column '{name}'" + (f"; is '{close}' meant to be it?" if close else ".")


def unread(columns: Iterable[str]) -> list[str]:
    """Columns that nothing reads, each with the name that it may have been meant to be."""
    found = []
    for name in columns:
        if name not in COLUMNS:
            close = nearest(name, COLUMNS)
            found.append(f"{name} (is it {close}?)" if close else name)
    return found
