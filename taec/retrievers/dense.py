"""Dense retrieval: unit vectors searched by FAISS for the highest inner product (specification, section 9)."""

from importlib.metadata import version
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Discriminator, Tag

from taec.core.pages import Hit
from taec.core.progress import Stage
from taec.core.settings import Settings as BaseSettings
from taec.retrievers.base import Corpus, IndexIdentity
from taec.retrievers.embedders import endpoint, transformers_model, wordllama
from taec.retrievers.embedders.base import Embedder, Vectors
from taec.retrievers.exact import Nearest, scores_of_all
from taec.retrievers.identity import identify
from taec.retrievers.option import Name, kind
from taec.retrievers.ranking import Scores, check_k
from taec.retrievers.vectors import kept_vectors

EmbedderSettings: TypeAlias = Annotated[
    Annotated[Literal["wordllama"], Tag("wordllama")]
    | Annotated[endpoint.Settings, Tag("endpoint")]
    | Annotated[transformers_model.Settings, Tag("transformers")],
    Discriminator(kind),
]


class Settings(BaseSettings):
    """Dense retrieval over captions or page images."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"module"})

    name: Name
    module: Literal["dense"] = "dense"
    """The code behind the option; runs saved before there were several do not name it."""
    embedder: EmbedderSettings
    """What turns pages and queries into vectors; `wordllama` has nothing to set and is a bare word."""


class Dense:
    """Exact search: every page is scored. Scores are cosines, rounded."""

    def __init__(self, identity: IndexIdentity, vectors: Vectors, page_ids: tuple[str, ...], embedder: Embedder) -> None:
        self.identity = identity
        self._vectors = vectors
        self._nearest = Nearest(vectors, page_ids)
        self._embedder = embedder

    async def search(self, query: str, k: int) -> list[Hit]:
        """At most `k` hits. Raises ValueError for `k` below 1, InfrastructureError where the query cannot be embedded."""
        check_k(k)
        if not query.strip() or not len(self._vectors):
            return []
        return await self._nearest.hits(await self._embedder.embed_query(query), k)

    async def scores(self, query: str) -> Scores:
        """The cosine of every page with `query`, in collection order."""
        return await scores_of_all(self._vectors, await self._embedder.embed_query(query))


def build(settings: Settings, corpus: Corpus, stage: Stage) -> Dense:
    """The index of `corpus`: opened by memory mapping where its folder holds it (nothing is embedded then), or built and kept there.

    Several processes may do this at the same time: one builds, all share the mapped pages. A build that was killed goes on where it
    was. Raises UsageError where a model or key is missing, InfrastructureError where the index cannot be kept or pages cannot be
    embedded.
    """
    embedder = _embedder(settings.embedder, corpus)
    libraries = {"faiss": version("faiss-cpu"), **embedder.libraries}
    parts = (embedder.content,) if embedder.content else ()
    identity = identify(settings, corpus, libraries, f"dense {embedder.words} faiss-flat-ip", parts)
    page_ids = tuple(corpus.captions)
    folder = corpus.folder / f"dense-{identity.digest[:16]}"
    vectors = kept_vectors(folder, page_ids, embedder.dimensions, embedder.batch, embedder.embed_pages, stage)
    return Dense(identity, vectors, page_ids, embedder)


def _embedder(settings: EmbedderSettings, corpus: Corpus) -> Embedder:
    match settings:
        case endpoint.Settings():
            return endpoint.build(settings, corpus)
        case transformers_model.Settings():
            return transformers_model.build(settings, corpus)
        case _:
            return wordllama.build(corpus)
