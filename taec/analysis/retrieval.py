"""From rankings to the numbers of retrieval alone: means with intervals, by label, and differences of retrievers on the same questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from taec.analysis.paired import Difference, paired_bootstrap
from taec.analysis.statistics import FEWEST_DOCUMENTS, Interval, cluster_bootstrap, wilson
from taec.records.rankings import Ranking

Label = Literal["hop", "source"]
Scores = Mapping[str, Interval]
"""Means by the name of the measure."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two retrievers on the same questions: the second less the first, by the name of the measure, in -1..1."""

    first: str
    second: str
    differences: Mapping[str, Difference]


def means(rankings: Sequence[Ranking]) -> Scores:
    """The mean of every measure over the questions of one retriever, with its interval; {} without any question."""
    if not rankings:
        return {}
    clusters = _clusters(rankings)
    return {name: interval([ranking.scores[name] for ranking in rankings], clusters) for name in rankings[0].scores}


def by_label(rankings: Sequence[Ranking], label: Label) -> dict[str, Scores]:
    """The means of each group, by label in order. A question with several sources counts under each of them."""
    groups: dict[str, list[Ranking]] = {}
    for ranking in rankings:
        own = (ranking.hop,) if label == "hop" else tuple(dict.fromkeys(ranking.sources))
        for name in own or ("",):
            groups.setdefault(name or "unlabelled", []).append(ranking)
    return {name: means(groups[name]) for name in sorted(groups, key=lambda name: (name == "unlabelled", name))}


def pairs(rankings: Mapping[str, Sequence[Ranking]]) -> list[Pair]:
    """Every two retrievers compared, question by question. All have the same questions in the same order."""
    found = []
    for (first, one), (second, other) in combinations(rankings.items(), 2):
        clusters = [ranking.documents[0] if ranking.documents else f"question {ranking.question_id}" for ranking in one]
        differences = {
            name: paired_bootstrap([b.scores[name] - a.scores[name] for a, b in zip(one, other, strict=True)], clusters)
            for name in (one[0].scores if one else ())
        }
        found.append(Pair(first, second, differences))
    return found


def interval(values: Sequence[float], clusters: Sequence[str]) -> Interval:
    """The mean of at least one value with its interval: a bootstrap over clusters where there are enough of them, else over the values
    themselves; Wilson's where all are 0 or 1 and none differs, or clusters are few."""
    is_share = set(values) <= {0.0, 1.0}
    enough = all(clusters) and len(set(clusters)) >= FEWEST_DOCUMENTS
    if is_share and (not enough or len(set(values)) == 1):
        return wilson(round(sum(values)), len(values))
    if enough:
        return cluster_bootstrap(values, clusters)
    return replace(cluster_bootstrap(values, [str(at) for at in range(len(values))]), method="question bootstrap")


def _clusters(rankings: Sequence[Ranking]) -> list[str]:
    return [ranking.documents[0] if ranking.documents else "" for ranking in rankings]
