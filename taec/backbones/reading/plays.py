"""How the reader plays tools: a table from a tool's name to what it does with it, so that another system's tool is one more entry."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from taec.backbones.reading.memorising import kept_pictures
from taec.backbones.reading.queries import dead_ends, next_query, node_id
from taec.backbones.reading.situation import LABELS, Inquiry, Situation
from taec.backbones.reading.summaries import finding, likeness_of_form, nothing, subject
from taec.core.chat import ToolCall

NOT_ANSWERABLE = "Not answerable"
Schema = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Manners:
    """When the reader stops: after how many searches, from which confidence on, and below which it declines to answer."""

    max_searches: int
    sure: float
    guess: float


Play = Callable[[Situation, Schema, Manners], dict[str, JsonValue]]


def play(situation: Situation, offered: Mapping[str, Schema], manners: Manners) -> tuple[str, tuple[ToolCall, ...]]:
    """Text and tool calls of the reply: at most one call, of an offered tool, and text where no offered tool is known."""
    name = _choose(situation, [name for name in offered if name in PLAYS], manners)
    if name is None:
        return answer(situation, manners), ()
    arguments = PLAYS[name](situation, offered[name], manners)
    label = f"{situation.prompt.question}|{len(situation.prompt.queries)}|{name}"
    return "", (ToolCall("call_" + hashlib.sha256(label.encode()).hexdigest()[:12], name, arguments),)


def _choose(situation: Situation, known: list[str], manners: Manners) -> str | None:
    """The tool to call now: note what was just seen, else stop or search on; the next best where that one is not offered."""
    if not known:
        return None
    if situation.prompt.unread and (noting := _first(known, _NOTING)):
        return noting
    order = (_ANSWERING, _SEARCHING) if stops(situation, manners) else (_SEARCHING, _ANSWERING)
    for group in order:
        if name := _first(known, group):
            return name
    return known[0]


def _first(known: list[str], group: tuple[str, ...]) -> str | None:
    return next((name for name in known if name in group), None)


def stops(situation: Situation, manners: Manners) -> bool:
    """The stop rule: a finding that is sure enough, a hint to answer, searches spent, or nothing new to search for."""
    best = situation.best
    if best is not None and best.confidence >= manners.sure:
        return True
    searches = len(situation.prompt.queries)
    if searches and best is not None and best.value and any(_asks_to_answer(hint) for hint in situation.prompt.hints):
        return True
    return searches >= manners.max_searches or not _query(situation)


def _asks_to_answer(hint: str) -> bool:
    lowered = hint.casefold()
    return "answer" in lowered and not any(word in lowered for word in ("dead end", "avoid", "no result"))


def answer(situation: Situation, manners: Manners) -> str:
    """The short answer, or that there is none."""
    best = situation.best
    if best is None or not best.value or best.confidence < manners.guess:
        return NOT_ANSWERABLE
    return best.value


def _query(situation: Situation) -> str:
    tried = [*situation.prompt.queries, *dead_ends(situation.prompt.hints)]
    return next_query(situation.current.asked, situation.current.codes, situation.labels, situation.missing, tried)


def summary(situation: Situation, manners: Manners) -> str:
    """One to three honest sentences on the pictures just seen."""
    told = [sentence for inquiry in situation.inquiries for sentence in _findings(situation, inquiry, manners)]
    sentences = told or [_nothing(situation)]
    other = situation.current.other_form
    if other and other[0] in situation.fresh and not _settled(situation.current, manners):
        sentences.append(likeness_of_form(other[1][:LABELS], _number(situation, other[0])))
    return " ".join(sentences)


def _findings(situation: Situation, inquiry: Inquiry, manners: Manners) -> list[str]:
    """What the fresh pictures say to one inquiry: the subject's identifier while the rest is open, and the best finding."""
    fresh = situation.fresh
    best = next((candidate for candidate in inquiry.assessment.candidates if candidate.sheet in fresh), None)
    sentences = []
    ties = inquiry.assessment.belonging
    if ties.anchor is not None and ties.anchor in fresh and not _settled(inquiry, manners):
        sentences.append(subject(ties.codes[:2], _number(situation, ties.anchor), inquiry.asked.focus, inquiry.case))
    if best is not None and best.confidence >= manners.guess:
        sentences.append(finding(best, _number(situation, best.sheet), manners.sure))
    return sentences


def _settled(inquiry: Inquiry, manners: Manners) -> bool:
    return inquiry.best is not None and inquiry.best.confidence >= manners.sure


def _nothing(situation: Situation) -> str:
    legibility = [situation.sheets[index].legibility for index in situation.fresh]
    query = situation.prompt.queries[-1] if situation.prompt.queries else situation.prompt.question
    return nothing(query, situation.missing, sum(legibility) / len(legibility) if legibility else 1.0)


def _number(situation: Situation, sheet: int) -> int:
    return situation.prompt.pictures[sheet].number


def _search(situation: Situation, schema: Schema, manners: Manners) -> dict[str, JsonValue]:
    return {"query": _query(situation) or f"{situation.prompt.question} {len(situation.prompt.queries) + 1}".strip()}


def _search_node(situation: Situation, schema: Schema, manners: Manners) -> dict[str, JsonValue]:
    query = _search(situation, schema, manners)["query"]
    follows = any(who == situation.current.case for who, _ in situation.notes.codes)
    parent = situation.prompt.last_id if follows and situation.prompt.last_id else "root"
    return {"id": node_id(str(query), len(situation.prompt.queries)), "parent_ids": [parent], "query": query}


def _summarise(situation: Situation, schema: Schema, manners: Manners) -> dict[str, JsonValue]:
    return {"summarize": summary(situation, manners), "memorize": kept_pictures(situation, schema, manners.sure)}


def _answer(situation: Situation, schema: Schema, manners: Manners) -> dict[str, JsonValue]:
    return {"response": answer(situation, manners)}


def _answer_node(situation: Situation, schema: Schema, manners: Manners) -> dict[str, JsonValue]:
    return {"parent_ids": [situation.prompt.last_id or "root"], "answer": answer(situation, manners)}


PLAYS: Mapping[str, Play] = {
    "search": _search,
    "answer": _answer,
    "add_search_node": _search_node,
    "summarize_and_memorize": _summarise,
    "add_answer_node": _answer_node,
}
_NOTING = ("summarize_and_memorize",)
_SEARCHING = ("search", "add_search_node")
_ANSWERING = ("answer", "add_answer_node")
