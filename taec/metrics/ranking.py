"""How well a retriever ranks the gold pages of questions, by the measures of `ir_measures` (which computes them with trec_eval)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

RANK = "mrr"
"""The reciprocal rank of the first gold page or stand-in, 0 where none was returned."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question: page ids as they were returned, best first, its gold pages (at least one) and the pages that can stand in for them."""

    pages: Sequence[str]
    gold: frozenset[str]
    stand_ins: frozenset[str] = frozenset()


def ranking_scores(cases: Mapping[str, Case], cuts: Sequence[int]) -> dict[str, dict[str, float]]:
    """For each case the measures by name, in 0..1.

    A hit and the reciprocal rank are met by a stand-in too, as coverage is; recall, `all_gold` (all of them are among the first k) and nDCG
    (binary, logarithmic discount) are over the gold pages.
    """
    from ir_measures import RR, R, Success, iter_calc, nDCG

    found: dict[str, dict[str, float]] = {name: {} for name in cases}
    run = {name: {page: -float(rank) for rank, page in enumerate(case.pages)} for name, case in cases.items()}
    reached = {name: dict.fromkeys(case.gold | case.stand_ins, 1) for name, case in cases.items()}
    gold = {name: dict.fromkeys(case.gold, 1) for name, case in cases.items()}
    by_hit = {Success @ k: f"hit@{k}" for k in cuts} | {RR: RANK}
    by_gold = {R @ k: f"recall@{k}" for k in cuts} | {nDCG @ k: f"ndcg@{k}" for k in cuts}
    for measures, relevant in ((by_hit, reached), (by_gold, gold)):
        for metric in iter_calc(list(measures), relevant, run):
            found[metric.query_id][measures[metric.measure]] = float(metric.value)
    for scores in found.values():
        scores.update({f"all_gold@{k}": float(scores[f"recall@{k}"] == 1) for k in cuts})
    return found
