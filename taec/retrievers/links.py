"""Which pages belong together: neighbours in a document, the whole document, and what a table of contents leads to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from taec.retrievers.base import Corpus
from taec.retrievers.ranking import Scores

Positions = NDArray[np.int64]
UNSEEN = np.float32(-np.inf)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pages that lie beside each other or are linked, as positions in collection order; each pair stands in both directions."""

    page: Positions
    other: Positions

    def best(self, scores: Scores) -> Scores:
        """For each page the highest score of its others; `UNSEEN` where it has none."""
        found = np.full(len(scores), UNSEEN, np.float32)
        np.maximum.at(found, self.page, scores[self.other])
        return found


@dataclass(frozen=True, slots=True)
class Links:
    """The link structure of a collection. `document` is each page's document, numbered."""

    document: Positions
    neighbours: Pairs
    contents: Pairs

    def rest_of_document(self, scores: Scores) -> Scores:
        """For each page the mean score of the other pages of its document; `UNSEEN` where it is the only one."""
        sums, counts = np.bincount(self.document, scores), np.bincount(self.document)
        others = counts[self.document] - 1
        mean = (sums[self.document] - scores) / np.maximum(others, 1)
        return np.where(others > 0, mean, UNSEEN).astype(np.float32)


def links_of(corpus: Corpus) -> Links:
    """The links of `corpus`; those to pages it does not have are left out."""
    places = {page_id: place for place, page_id in enumerate(corpus.captions)}
    pages = [corpus.pages.page(page_id) for page_id in corpus.captions]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(page.document for page in pages))}
    numbered = {(page.document, page.number): place for place, page in enumerate(pages)}
    following = [
        (place, numbered[page.document, page.number + 1])
        for place, page in enumerate(pages)
        if (page.document, page.number + 1) in numbered
    ]
    led_to = [
        (places[page_id], places[other])
        for page_id, others in corpus.links.items()
        for other in others
        if page_id in places and other in places and page_id != other
    ]
    return Links(np.array([numbers[page.document] for page in pages], np.int64), _pairs(following), _pairs(led_to))


def digest_of(corpus: Corpus) -> str:
    """Of the pages, their documents and the links, in hex: what `links_of` depends on."""
    return sha256("\n".join(_written(corpus)).encode("utf-8", "surrogatepass")).hexdigest()


def _written(corpus: Corpus) -> Iterator[str]:
    for page_id in corpus.captions:
        page = corpus.pages.page(page_id)
        yield repr((page_id, page.document, page.number, *corpus.links.get(page_id, ())))


def _pairs(found: Sequence[tuple[int, int]]) -> Pairs:
    both = np.array([*found, *((other, page) for page, other in found)], np.int64).reshape(-1, 2)
    return Pairs(both[:, 0], both[:, 1])
