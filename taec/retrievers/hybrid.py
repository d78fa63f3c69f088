"""Dense retrieval with link structure, the paper's hybrid (specification, section 9).

A page's score moves towards the scores of what it belongs to: the better of its neighbouring pages, the rest of its document, and the
best of the pages that a table of contents or a link joins it with. The paper publishes no weights and no formula; both are ours.
"""

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from taec.core.pages import Hit
from taec.core.progress import Stage
from taec.core.settings import Settings as BaseSettings
from taec.retrievers import dense
from taec.retrievers.base import Corpus, IndexIdentity
from taec.retrievers.identity import identify
from taec.retrievers.links import UNSEEN, Links, digest_of, links_of
from taec.retrievers.option import Name
from taec.retrievers.ranking import Scores, best, check_k

Share = Annotated[float, Field(ge=0, lt=1)]


class Weights(BaseSettings):
    """How much of a page's score comes from elsewhere; the rest is its own."""

    neighbours: Share
    """Of the better of the pages before and after it in its document."""
    document: Share
    """Of the mean of the other pages of its document."""
    contents: Share
    """Of the best of the pages that a table of contents or a link joins it with, in either direction."""

    @model_validator(mode="after")
    def _leave_the_page_its_own(self) -> "Weights":
        if self.neighbours + self.document + self.contents >= 1:
            raise ValueError("neighbours, document and contents have to sum to less than 1: the rest is the page's own score")
        return self


class Settings(BaseSettings):
    """A dense retriever, and the weights of the links."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"module"})

    name: Name
    module: Literal["hybrid"]
    """The code behind the option."""
    weights: Weights
    dense: dense.Settings
    """The retriever whose scores are propagated."""


class Hybrid:
    """Every page is scored. With w for a weight: score = own + sum of w * (linked - own); what a page does not have counts as itself."""

    def __init__(self, identity: IndexIdentity, part: dense.Dense, links: Links, page_ids: tuple[str, ...], weights: Weights) -> None:
        self.identity = identity
        self._dense = part
        self._links = links
        self._page_ids = page_ids
        self._weights = weights

    async def search(self, query: str, k: int) -> list[Hit]:
        """At most `k` hits. Raises ValueError for `k` below 1."""
        check_k(k)
        if not query.strip() or not self._page_ids:
            return []
        return best(self._propagated(await self._dense.scores(query)), self._page_ids, k)

    def _propagated(self, own: Scores) -> Scores:
        weights, links = self._weights, self._links
        score = own.copy()
        for weight, linked in (
            (weights.neighbours, links.neighbours.best(own)),
            (weights.document, links.rest_of_document(own)),
            (weights.contents, links.contents.best(own)),
        ):
            score += np.float32(weight) * np.where(linked == UNSEEN, np.float32(0), linked - own)
        return score


def build(settings: Settings, corpus: Corpus, stage: Stage) -> Hybrid:
    """The dense index of `corpus` and its links."""
    part = dense.build(settings.dense, corpus, stage)
    weights = settings.weights
    words = f"{part.identity.name} with links {weights.neighbours:g}/{weights.document:g}/{weights.contents:g}"
    identity = identify(settings, corpus, {}, words, (part.identity.digest, digest_of(corpus)))
    return Hybrid(identity, part, links_of(corpus), tuple(corpus.captions), weights)
