"""A retriever that remembers: the same query is searched once, whoever asks. No option of its own; studies put it around any."""

from taec.core.pages import Hit
from taec.retrievers.base import IndexIdentity, Retriever


class Remembered:
    """Answers of another retriever, kept by query and depth for as long as this object lives. `searched` counts what really was."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever
        self._known: dict[tuple[str, int], tuple[Hit, ...]] = {}
        self.searched = 0

    @property
    def identity(self) -> IndexIdentity:
        return self._retriever.identity

    async def search(self, query: str, k: int) -> list[Hit]:
        if (query, k) not in self._known:
            self.searched += 1
            self._known[query, k] = tuple(await self._retriever.search(query, k))
        return list(self._known[query, k])
