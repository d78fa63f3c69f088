"""Evidence admission: which of the retrieved candidates are placed before the model (specification, section 4; paper, appendix A.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from taec.coordination.requirements import RequirementState, slot_score, supported
from taec.core.text import TOKEN

Gain = Literal["marginal", "modular"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A retrieved page: its rank from 0, the retriever's score (higher is better) and its caption."""

    page_id: str
    rank: int
    score: float
    caption: str


@dataclass(frozen=True, slots=True)
class Admitted:
    """A page to place before the model, with its retriever rank and slot support a_i (0..1), which allocation uses later."""

    page_id: str
    rank: int
    slot_score: float


@lru_cache(maxsize=1024)
def caption_tokens(text: str) -> frozenset[str]:
    """Each CJK character, Latin word and number of `text`, case-folded. Cached: the same pages are compared again and again."""
    return frozenset(TOKEN.findall(text.casefold()))


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared tokens over all tokens, 0..1; 0.0 where both are empty: nothing says that two blank captions are alike."""
    common = len(a & b)
    union = len(a) + len(b) - common
    return common / union if union else 0.0


def relevance(scores: Sequence[float]) -> list[float]:
    """b_i: scores min-max normalised in the pool to 0..1; all equal gives 1.0."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    return [(score - low) / (high - low) if high > low else 1.0 for score in scores]


def top_k(candidates: Sequence[Candidate], k: int, slots: Sequence[str] = ()) -> list[Admitted]:
    """The retriever's first `k`, as the plain DAG agent admits them."""
    return [_admit(candidate, slots) for candidate in _distinct(candidates)[: max(0, k)]]


def coverage(
    candidates: Sequence[Candidate], state: RequirementState, k: int, *, alpha: float, beta: float, eta: float, gain: Gain
) -> list[Admitted]:
    """At most `k` pages, in order of selection: the retriever's top-1 as anchor, then greedily by gain.

    The gain of a page given those selected is alpha * (weight of the slots it covers) + beta * b_i - eta * (largest Jaccard of
    its caption tokens with a selected page). `marginal` counts a slot only when it is first covered (paper, A.2 and A.7),
    `modular` every time (paper, A.3). Ties go to the better retriever rank. A page listed twice counts once.
    """
    pool = _distinct(candidates)
    found = [supported(state.slots, candidate.caption) for candidate in pool]
    tokens = [caption_tokens(candidate.caption) for candidate in pool]
    scores = relevance([candidate.score for candidate in pool])
    redundancy = [0.0] * len(pool)
    open_weights = list(state.weights)
    selected: list[int] = []

    def worth(i: int) -> tuple[float, int]:
        support = sum(weight for weight, here in zip(open_weights, found[i], strict=True) if here)
        return round(alpha * support + beta * scores[i] - eta * redundancy[i], 12), -pool[i].rank

    while len(selected) < min(k, len(pool)):
        remaining = [i for i in range(len(pool)) if i not in selected]
        best = max(remaining, key=worth) if selected else 0
        selected.append(best)
        redundancy = [max(known, jaccard(tokens[i], tokens[best])) for i, known in enumerate(redundancy)]
        if gain == "marginal":
            open_weights = [0.0 if here else weight for weight, here in zip(open_weights, found[best], strict=True)]
    return [_admit(pool[i], state.slots) for i in selected]


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    first: dict[str, Candidate] = {}
    for candidate in candidates:
        first.setdefault(candidate.page_id, candidate)
    return list(first.values())


def _admit(candidate: Candidate, slots: Sequence[str]) -> Admitted:
    return Admitted(candidate.page_id, candidate.rank, slot_score(slots, candidate.caption))
