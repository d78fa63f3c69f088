"""Exposure as the agent uses it: how the stored graph is shown, and the hints drawn from summaries (M)."""

from collections.abc import Sequence

from pydantic import JsonValue

from taec.coordination import exposure
from taec.coordination.cues import Cues
from taec.core.trajectory import Node
from taec.systems.agent.settings import ExposureSettings


class Exposure:
    """The strategy M. It reads the nodes and never changes them."""

    def __init__(self, settings: ExposureSettings) -> None:
        self._settings = settings
        self._cues = Cues(**settings.cues.model_dump())

    def hints(self, nodes: Sequence[Node]) -> list[str]:
        """Texts of the runtime hints; none where the strategy gives none."""
        if self._settings.hints == "none":
            return []
        return [hint.text for hint in exposure.hints(nodes, self._cues)]

    def render(self, nodes: Sequence[Node]) -> list[dict[str, JsonValue]]:
        """The graph as the model sees it."""
        if self._settings.strategy == "full":
            return exposure.full(nodes)
        dead_ends = exposure.dead_ends(nodes, self._cues)
        return exposure.adaptive(nodes, self._cues, dead_ends, self._settings.recent, self._settings.max_graph_chars)
