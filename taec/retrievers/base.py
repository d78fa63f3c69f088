"""The retriever contract: a query goes in, page ids and scores come out, so that systems are the same over every retriever."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from taec.core.pages import Hit, PageStore


@dataclass(frozen=True, slots=True)
class IndexIdentity:
    """What a retriever searches: its kind and settings in words, number of pages, and a digest of both with the captions."""

    name: str
    pages: int
    digest: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """What an index is built from.

    `captions` by page id in collection order, and their file's sha256; `pages` give documents, numbers and stored images, and `digest`
    is their identity; `links` name, for a page id, the pages that its document's table of contents or its own links lead to. An index
    keeps its files in `folder`.
    """

    captions: Mapping[str, str]
    captions_sha256: str
    folder: Path
    pages: PageStore
    digest: str
    links: Mapping[str, tuple[str, ...]]


class Retriever(Protocol):
    """A read-only index over the pages of one collection."""

    @property
    def identity(self) -> IndexIdentity:
        """What is searched."""
        ...

    async def search(self, query: str, k: int) -> list[Hit]:
        """At most `k` hits, best first, no page twice; ties in collection order. An empty query gives no hits."""
        ...
