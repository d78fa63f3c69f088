"""A source of requirements that remembers: a question is taken apart once. No option of its own; studies put it around any."""

from collections.abc import Mapping

from pydantic import JsonValue

from taec.requirements.base import Slots, SlotSource


class Remembered(SlotSource):
    """Slots of another source, kept in `known` by question. `asked` counts what was not known.

    Only slots that cost no call are kept: a call belongs to the row it was made for, and its source keeps what it said on disk.
    """

    def __init__(self, source: SlotSource, known: dict[str, Slots]) -> None:
        self._source = source
        self._known = known
        self.tracks_resolution = source.tracks_resolution
        self.asked = 0

    async def slots(self, question: str) -> Slots:
        if question in self._known:
            return self._known[question]
        self.asked += 1
        found = await self._source.slots(question)
        if not found.calls:
            self._known[question] = found
        return found

    def identity(self) -> Mapping[str, JsonValue]:
        return self._source.identity()

    async def close(self) -> None:
        await self._source.close()
