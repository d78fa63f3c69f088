"""The next search: what is still open, said in other words than before."""

import re
from collections.abc import Iterable, Sequence

from taec.backbones.reading.questions import Asked
from taec.backbones.reading.vocabulary import FUNCTION_WORDS
from taec.backbones.reading.words import content, split, stem

_INSISTENCE = 3
"""How often the shorter part of a query is said, so that the longer one does not drown it (an identifier beside many labels)."""


def next_query(asked: Asked, codes: Sequence[str], labels: Sequence[str], missing: Sequence[str], tried: Sequence[str]) -> str:
    """A query that differs from all tried ones: first for the subject, then for the asked thing beside it, then for what was not found.

    `codes` are identifiers of the subject found on pages, `labels` those of a form like the needed one, `missing` asked words that no page
    showed. An empty string where nothing new is left to try.
    """
    done = {_same(query) for query in tried}
    opening: tuple[str, ...] = () if tried else (asked.text,)
    for query in (*opening, *_on_record(asked, codes, labels), *_on_words(asked, codes, missing)):
        if query and _same(query) not in done:
            return query
    return ""


def _same(query: str) -> frozenset[str]:
    """Queries of the same words in another order are the same query."""
    return frozenset(content(query)) or frozenset(split(query))


def _on_record(asked: Asked, codes: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Queries for one record among many alike: what names it, and the labels that its form shares with the others."""
    found: list[str] = []
    if not codes and len(asked.keys) > 1:
        found.append(_joined(word for word in _words(asked) if stem(word) not in content(asked.focus)))
    name = " ".join(codes[:2]) if codes else " ".join(asked.keys)
    if codes:
        found.append(" ".join([*[asked.focus] * _INSISTENCE, name]))
    if labels:
        every = list(labels)
        chosen = (every, every[: len(every) // 2], every[::2], every[1::2], every[len(every) // 2 :])
        return [*found, *(" ".join([asked.focus, *part, *[name] * _INSISTENCE]) for part in chosen)]
    return [*found, *([asked.focus] if codes else []), *(f"{asked.focus} {code}" for code in codes[1:2])]


def _on_words(asked: Asked, codes: Sequence[str], missing: Sequence[str]) -> list[str]:
    """Queries from the question's own words, those that no page showed first."""
    focus = asked.focus or " ".join(asked.sought)
    words = [word for word in _words(asked) if stem(word) not in asked.scope]
    found = [f"{option} {focus}" for option in asked.options]
    if missing:
        found.append(_joined([*missing[:6], *split(focus)]))
    found += [
        _joined([*split(focus), *(word for key in asked.keys[:4] for word in split(key))]),
        _joined(words),
        focus,
        " ".join(asked.keys[:4]),
        _joined(missing[:8]),
        *asked.keys[:3],
    ]
    return found + [_joined(words[start : start + 5]) for start in range(0, len(words), 3)]


def _words(asked: Asked) -> list[str]:
    return [word for word in split(asked.text) if word not in FUNCTION_WORDS and content(word)]


def _joined(words: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(words))


def node_id(query: str, tried: int) -> str:
    """A short unique title for a search node."""
    words = [word for word in split(query) if word not in FUNCTION_WORDS][:4]
    return "_".join(["search", str(tried + 1), *words])


def dead_ends(hints: Sequence[str]) -> tuple[str, ...]:
    """Queries that hints quote: those to stay away from."""
    return tuple(query for hint in hints for query in re.findall(r"[\"“](.+)[\"”]", hint))
