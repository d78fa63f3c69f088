"""The documents that are searched: which of a benchmark's are there, which are the same file, and which pages they have."""

from collections.abc import Container, Iterable, Iterator, Mapping

from taec.benchmarks.entries import Entry
from taec.core.pages import page_id
from taec.documents.base import Document
from taec.documents.identity import digests
from taec.documents.pdf import page_count


class Pool:
    """Documents by the names that the annotations use. Files with the same bytes are one document, the first; gold of either is its."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._there = documents
        self._first = dict(_firsts(documents.values()))
        self._pages: dict[str, Container[int]] = {}

    @property
    def indexed(self) -> tuple[Document, ...]:
        """Every document once."""
        return tuple(document for name, document in self._there.items() if self._first[name] == name)

    @property
    def twins(self) -> dict[str, str]:
        """Names that stand for another document, by whose bytes they hold."""
        return {name: first for name, first in self._first.items() if name != first}

    def holds(self, entry: Entry) -> bool:
        """Whether all documents that a question is about are there."""
        return all(name in self._there for name in entry.documents)

    def gold(self, entry: Entry) -> frozenset[str]:
        """Page ids of the annotated pages that there are."""
        return frozenset(page_id(self._first[name], number) for name, number in entry.gold if number in self._has(name))

    def lacking(self, entry: Entry) -> tuple[int, ...]:
        """Annotated pages that their document does not have."""
        return tuple(number for name, number in entry.gold if number not in self._has(name))

    def _has(self, name: str) -> Container[int]:
        """The pages of a document, counted when first asked for."""
        first = self._first[name]
        if first not in self._pages:
            self._pages[first] = _pages(self._there[first])
        return self._pages[first]


class _Uncounted(Container[int]):
    """The pages of a file that cannot be opened: any from 1, until the collection reports the file."""

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and number >= 1


def _pages(document: Document) -> Container[int]:
    if document.images:
        return frozenset(number for number, _ in document.images)
    count = page_count(document.path)
    return _Uncounted() if count is None else range(1, count + 1)


def _firsts(documents: Iterable[Document]) -> Iterator[tuple[str, str]]:
    """Each name with that of the first document of the same bytes. Only files of equal sizes are read."""
    alike: dict[tuple[tuple[int, int], ...], list[Document]] = {}
    for document in documents:
        alike.setdefault(tuple(_sizes(document)), []).append(document)
    for group in alike.values():
        first: dict[str, str] = {}
        for document, digest in zip(group, digests(group, None) if len(group) > 1 else [document.name for document in group], strict=True):
            yield document.name, document.name if isinstance(digest, OSError) else first.setdefault(digest, document.name)


def _sizes(document: Document) -> Iterator[tuple[int, int]]:
    for number, file in document.images or ((0, document.path),):
        yield number, file.stat().st_size
