"""Memory exposure: how the action graph is shown, and the hints drawn from it (specification, sections 2 and 5; paper, appendix A.4)."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from taec.coordination.cues import Cues, Reading, read_summary
from taec.core.text import folded, sentences
from taec.core.trajectory import Node

Rendered = dict[str, JsonValue]
"""One node as shown: `id`, `parents`, `query` and `summary` (the root: `id` and `question`; an answer: `answer`).

`status` stands only where the node is not shown in full: `resolved` and `condensed` keep one sentence of the summary, `failed`
keeps the abandoned query alone.
"""

HintKind = Literal["no_result", "partial", "unclear", "early_stop"]

_DEAD_END = {
    "no_result": 'Dead end: the search "{query}" found no relevant information. Do not repeat it; search for something else.',
    "partial": 'Dead end: the search "{query}" gave only part of what is needed. Do not repeat it; search for the missing part.',
    "unclear": 'Dead end: the search "{query}" left the matter unclear. Do not repeat it; look for a page that settles it.',
}
_EARLY_STOP = "The latest summary states a value with confidence. If it settles the question, answer next instead of searching again."


@dataclass(frozen=True, slots=True)
class Hint:
    """A sentence for the next prompt: a dead end by its kind of failure, or the suggestion to answer."""

    kind: HintKind
    text: str


def graph_text(rendered: Sequence[Rendered]) -> str:
    """The rendered graph as the JSON text that a prompt holds; its length is what the limits and the pressure budget count."""
    return json.dumps(list(rendered), ensure_ascii=False)


def full(nodes: Sequence[Node]) -> list[Rendered]:
    """Every node in full, as the plain DAG agent shows it."""
    return [_shown(node) for node in nodes]


def adaptive(nodes: Sequence[Node], cues: Cues, dead_ends: Collection[str], recent: int, max_chars: int | None) -> list[Rendered]:
    """The root and the `recent` newest searches in full, older searches by what became of them.

    Resolved (a confidence cue, no failure cue): its canonical sentence. Failed (a failure cue, or a query among `dead_ends`): a
    trace of the abandoned query. Otherwise active: full. While the text is over `max_chars`, the oldest active searches are
    condensed to their first sentence, oldest first; it may stay over, since the root and the recent searches never are.
    """
    abandoned = {folded(query) for query in dead_ends}
    searches = [node.id for node in nodes if node.kind == "search"]
    older = set(searches[: max(0, len(searches) - recent)])
    rendered = [_by_outcome(node, read_summary(node.summary, cues), abandoned) if node.id in older else _shown(node) for node in nodes]
    if max_chars is None:
        return rendered
    for position, node in enumerate(nodes):
        if len(graph_text(rendered)) <= max_chars:
            break
        if node.id in older and "status" not in rendered[position]:
            rendered[position] = _condensed(node)
    return rendered


def hints(nodes: Sequence[Node], cues: Cues) -> list[Hint]:
    """One hint for each dead end, in graph order, then the early-stop hint where the newest summary calls for it.

    It does when it has a confidence cue, a number and no failure cue. It suggests to answer; nothing forces the model to.
    """
    summarised = [(node, read_summary(node.summary, cues)) for node in nodes if node.kind == "search" and node.summary]
    found = [_dead_end(node.query, reading) for node, reading in summarised if reading.failure]
    if summarised and _settles(summarised[-1][1]):
        found.append(Hint("early_stop", _EARLY_STOP))
    return list(dict.fromkeys(found))


def dead_ends(nodes: Sequence[Node], cues: Cues) -> tuple[str, ...]:
    """The queries of searches whose summary has a failure cue, in graph order, each once."""
    failed = (node.query for node in nodes if node.kind == "search" and read_summary(node.summary, cues).failure)
    return tuple(dict.fromkeys(failed))


def _shown(node: Node) -> Rendered:
    if node.kind == "root":
        return {"id": node.id, "question": node.query}
    shown: Rendered = {"id": node.id, "parents": list(node.parents)}
    texts = {"query": node.query, "summary": node.summary, "answer": node.answer}
    return shown | {key: text for key, text in texts.items() if text}


def _by_outcome(node: Node, reading: Reading, abandoned: Collection[str]) -> Rendered:
    if reading.confident and not reading.failure:
        return _shown(node) | {"status": "resolved", "summary": reading.sentence}
    if reading.failure or folded(node.query) in abandoned:
        return {"id": node.id, "parents": list(node.parents), "status": "failed", "query": node.query}
    return _shown(node)


def _condensed(node: Node) -> Rendered:
    """The first sentence only, unless that would make the node no shorter."""
    whole = _shown(node)
    short = whole | {"status": "condensed", "summary": next(iter(sentences(node.summary)), "")}
    return short if len(graph_text([short])) < len(graph_text([whole])) else whole


def _settles(reading: Reading) -> bool:
    return reading.confident and reading.has_number and not reading.failure


def _dead_end(query: str, reading: Reading) -> Hint:
    assert reading.failure
    return Hint(reading.failure, _DEAD_END[reading.failure].format(query=query))
