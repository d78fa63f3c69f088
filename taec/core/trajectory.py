"""The trajectory of one question: the graph the model builds, what it remembers, and everything that was sent and searched."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from taec.core.pages import Box

ROOT = "root"
Granularity = Literal["entity", "region", "page"]
NodeKind = Literal["root", "search", "answer"]


@dataclass(frozen=True, slots=True)
class Memory:
    """A picture the model retained: a reference to its page, never an encoded image.

    `priority` is the measured information gain (1..5, specification section 2), `self_reported` what the model said (1..5),
    `rank` the retriever's rank from 0, `slot_score` the share of requirements its caption supports.
    """

    page_id: str
    node: str
    granularity: Granularity
    self_reported: int
    priority: float
    rank: int
    slot_score: float = 0.0
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One action. `summary` is empty until the pages of a search were read; a search answered without one keeps it empty."""

    id: str
    kind: NodeKind
    parents: tuple[str, ...] = ()
    query: str = ""
    summary: str = ""
    pages: tuple[str, ...] = ()
    answer: str = ""


class Graph:
    """The action graph: acyclic by construction, since a node's parents exist before it does.

    Ids are unique (a clash gets a suffix) and unknown parents fall back to the root; both come back as warnings to tell the model.
    """

    def __init__(self, question: str) -> None:
        self._nodes: dict[str, Node] = {ROOT: Node(ROOT, "root", query=question)}
        self._memories: list[Memory] = []

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes in the order of their making, the root first."""
        return tuple(self._nodes.values())

    @property
    def searches(self) -> tuple[Node, ...]:
        return tuple(node for node in self._nodes.values() if node.kind == "search")

    @property
    def memories(self) -> tuple[Memory, ...]:
        """Retained pictures in graph order."""
        return tuple(self._memories)

    def node(self, node_id: str) -> Node:
        return self._nodes[node_id]

    def index(self, node_id: str) -> int:
        """Position in graph order; the root is 0."""
        return list(self._nodes).index(node_id)

    def children(self, node_id: str) -> tuple[str, ...]:
        return tuple(node.id for node in self._nodes.values() if node_id in node.parents)

    def add_search(self, node_id: str, parents: Sequence[str], query: str, pages: Sequence[str] = ()) -> tuple[Node, list[str]]:
        """Record a search; returns the node as stored and the warnings for the model."""
        return self._add(Node(node_id, "search", tuple(parents), query=query, pages=tuple(pages)))

    def add_answer(self, parents: Sequence[str], answer: str) -> tuple[Node, list[str]]:
        """Record the answer; returns the node as stored and the warnings."""
        return self._add(Node("answer", "answer", tuple(parents), answer=answer))

    def summarise(self, node_id: str, summary: str, memories: Sequence[Memory]) -> None:
        """Store what the model wrote and kept after reading the pages of a search."""
        self._nodes[node_id] = replace(self._nodes[node_id], summary=summary)
        self._memories.extend(memories)

    def _add(self, node: Node) -> tuple[Node, list[str]]:
        warnings = []
        wanted = node.id.strip() or node.kind
        unique, suffix = wanted, 2
        while unique in self._nodes:
            unique, suffix = f"{wanted}_{suffix}", suffix + 1
        if unique != node.id:
            warnings.append(f"The id '{node.id}' is taken or empty; this node is '{unique}'.")
        known = tuple(dict.fromkeys(parent for parent in node.parents if parent in self._nodes))
        unknown = [parent for parent in node.parents if parent not in self._nodes]
        if unknown:
            warnings.append(f"Unknown parents {', '.join(unknown)} were left out.")
        stored = replace(node, id=unique, parents=known or (ROOT,))
        self._nodes[unique] = stored
        return stored, warnings


Purpose = Literal["act", "forced", "plain_text", "requirements", "judge"]
Ending = Literal["answered", "forced", "plain_text", "failed"]


@dataclass(frozen=True, slots=True)
class SentImage:
    """One image of a call: which page (or region), the pixels it was allocated, its real size, and its bytes in base64."""

    page_id: str
    box: Box | None
    allocated: int
    width: int
    height: int
    bytes: int


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call as it was sent; tokens only where the endpoint reported them."""

    purpose: Purpose
    images: tuple[SentImage, ...]
    text_characters: int
    outcome: str
    tools: tuple[str, ...]
    model: str
    seconds: float
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    @property
    def image_bytes(self) -> int:
        """Context bytes of this call (specification, section 9)."""
        return sum(image.bytes for image in self.images)

    @property
    def allocated_pixels(self) -> int:
        return sum(image.allocated for image in self.images)

    @property
    def sent_pixels(self) -> int:
        return sum(image.width * image.height for image in self.images)


@dataclass(frozen=True, slots=True)
class Search:
    """One retrieval: the query sent, how many candidates came back, and the pages placed before the model with their slot scores.

    `seen` are selected pages left out because this trajectory had shown them already.
    """

    query: str
    candidates: int
    admitted: tuple[str, ...]
    slot_scores: tuple[float, ...] = ()
    seen: tuple[str, ...] = ()


@dataclass(slots=True)
class Trajectory:
    """Everything that happened for one question. `notices` counts refusals and warnings given to the model, by kind."""

    question: str
    graph: Graph
    answer: str | None = None
    ending: Ending = "failed"
    failure: str = ""
    calls: list[ModelCall] = field(default_factory=list)
    searches: list[Search] = field(default_factory=list)
    slots: tuple[str, ...] = ()
    slot_source: str = ""
    notices: dict[str, int] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)

    def notice(self, kind: str) -> None:
        self.notices[kind] = self.notices.get(kind, 0) + 1

    @property
    def admitted(self) -> tuple[str, ...]:
        """Pages placed before the model, in order, repeats included."""
        return tuple(page for search in self.searches for page in search.admitted)
