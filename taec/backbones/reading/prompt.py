"""What a prompt holds: the question, hints, the action graph and the pictures, told apart by the words around them."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from taec.core.chat import Message
from taec.core.images import EncodedImage

_QUESTION = re.compile(r"^\s*Question:[ \t]*(.+)$", re.MULTILINE)
_HINT = re.compile(r"^\s*Hint:[ \t]*(.+)$", re.MULTILINE)
_REQUIREMENTS = re.compile(r"^\s*Requirements still open:[ \t]*(.+)$", re.MULTILINE)
_GRAPH = "Action graph:"
_PICTURE = re.compile(r"\bPicture (\d+)\b")
_MEMORY = re.compile(r"Memory of node (.+?):?\s*$", re.MULTILINE)
_QUERY = re.compile(r'"query"\s*:\s*"((?:[^"\\]|\\.)*)"')
_SUMMARY = re.compile(r'"summary"\s*:\s*"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Picture:
    """An image with the number of its `Picture k` label (0 where it has none) and the node whose memory it is ("" if fresh)."""

    image: EncodedImage
    number: int
    node: str = ""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A search node as the prompt's graph shows it."""

    id: str
    query: str
    summary: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything the reader knows at one call.

    `fresh` are the pictures of the latest observation, `kept` all other pictures in the context. `unread` says that the latest search
    has not been summarised. `queries` are all searches so far, in order.
    """

    question: str
    hints: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    nodes: tuple[GraphNode, ...] = ()
    fresh: tuple[Picture, ...] = ()
    kept: tuple[Picture, ...] = ()
    queries: tuple[str, ...] = ()
    unread: bool = False
    last_id: str = ""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return self.kept + self.fresh


@dataclass(slots=True)
class _Seen:
    nodes: list[GraphNode] = field(default_factory=list)
    kept: list[Picture] = field(default_factory=list)
    fresh: list[Picture] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    unread: bool = False
    last_id: str = ""


def understand(messages: Sequence[Message]) -> Prompt:
    """The prompt's contents. Whatever is missing or broken is empty; nothing raises."""
    asked = [message.text for message in messages if message.role == "user"]
    seen = _Seen()
    for message in messages:
        if message.role == "user":
            _user(message, seen)
        elif message.role == "assistant":
            _assistant(message, seen)
    return Prompt(
        question=_question(asked),
        hints=tuple(hint.strip() for text in asked for hint in _HINT.findall(text)),
        requirements=tuple(slot.strip() for text in asked for line in _REQUIREMENTS.findall(text) for slot in line.split(";")),
        nodes=tuple(seen.nodes),
        fresh=tuple(seen.fresh),
        kept=tuple(seen.kept),
        queries=tuple(dict.fromkeys([*(node.query for node in seen.nodes if node.query), *seen.queries])),
        unread=seen.unread,
        last_id=seen.last_id or (seen.nodes[-1].id if seen.nodes else ""),
    )


def _question(texts: Sequence[str]) -> str:
    for text in texts:
        if match := _QUESTION.search(text):
            return match.group(1).strip()
    lines = [line.strip() for text in texts for line in text.splitlines() if line.strip().endswith(("?", "？"))]
    return lines[-1] if lines else ""


def _assistant(message: Message, seen: _Seen) -> None:
    for call in message.calls:
        query = call.arguments.get("query")
        if isinstance(query, str):
            seen.queries.append(query)
            seen.unread = True
            node = call.arguments.get("id")
            seen.last_id = node if isinstance(node, str) else ""
            seen.kept, seen.fresh = seen.kept + seen.fresh, []
        else:
            seen.unread = False


def _user(message: Message, seen: _Seen) -> None:
    number, node, graph_parsed = 0, "", False
    for part in message.parts:
        if isinstance(part, str):
            if not graph_parsed and _GRAPH in part:
                seen.nodes, graph_parsed = _graph(part), True
            if memory := _MEMORY.findall(part):
                node = memory[-1]
            if labels := _PICTURE.findall(part):
                number = int(labels[-1])
        elif isinstance(part, EncodedImage):
            if node:
                seen.kept.append(Picture(part, 0, node))
            else:
                seen.fresh.append(Picture(part, number))
                seen.unread = True
            number = 0


def _graph(text: str) -> list[GraphNode]:
    """Search nodes of the JSON after the graph's heading; from JSON that cannot be read, what the keys `query` and `summary` show."""
    tail = text.split(_GRAPH, 1)[1]
    start = tail.find("[")
    try:
        entries = json.JSONDecoder().raw_decode(tail[start:])[0] if start >= 0 else []
    except ValueError:
        summaries = _SUMMARY.findall(tail)
        return [
            GraphNode(f"node{index}", query, summaries[index] if index < len(summaries) else "")
            for index, query in enumerate(_QUERY.findall(tail))
        ]
    return [
        GraphNode(str(entry.get("id", "")), str(entry["query"]), str(entry.get("summary") or ""))
        for entry in entries
        if isinstance(entry, dict) and entry.get("query")
    ]
