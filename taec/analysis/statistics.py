"""From rows to the numbers of a table: one `Summary` for all rows, or for each group of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from taec.records.rows import Row

CONFIDENCE = 0.95
RESAMPLES = 2000
SEED = 0
FEWEST_DOCUMENTS = 20
"""Documents below which a bootstrap over them is too coarse and its interval too narrow (ours)."""

Number = TypeVar("Number", int, float)
Breakdown = Literal["hop", "source", "answerable", "gold_pages", "split", "document"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with its confidence interval, all in 0..1, over `n` questions. `method` is `wilson` or `document bootstrap`."""

    value: float
    low: float
    high: float
    n: int
    method: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What a set of rows amounts to. Shares are 0..1, None where nothing is there to divide by.

    `accuracy` is over every question but the `unjudged` (no verdict yet); failures count as wrong. `coverage` and `all_gold_coverage`
    are over questions with gold pages; `use` is accuracy among the covered ones and not comparable across systems, since each covers
    other questions. The counters from `searches` on are means per question; bytes are base64 image bytes. `peak_call_bytes` is the
    largest single call of all. `total_tokens` (in and out, of the answers with their requirement calls), `cost` and `judge_cost` (US
    dollars, of the answers and of their verdicts) are sums over all rows, None where any of them is unknown. `scores` are means of the
    official metrics that every row has.
    """

    n: int
    right: int
    failed: int
    unjudged: int
    accuracy: Interval | None
    coverage: float | None
    all_gold_coverage: float | None
    use: float | None
    searches: float
    model_calls: float
    requirement_calls: float
    images: float
    context_bytes: float
    total_context_bytes: int
    peak_call_bytes: int
    sent_pixels: float
    allocated_pixels: float
    admitted_pages: float
    distinct_pages: float
    seconds: float
    prompt_tokens: float | None
    completion_tokens: float | None
    total_tokens: int | None
    cost: float | None
    judge_cost: float | None
    scores: dict[str, float]


def is_right(row: Row) -> bool | None:
    """Whether a row counts as right: a failure never does; None where no judge has ruled."""
    return False if row.failure else row.correct


def summarise(rows: Sequence[Row]) -> Summary:
    """The summary of one run's rows, or of a part of them. No rows give zeros and None."""

    def mean(counter: Callable[[Row], float]) -> float:
        return sum(map(counter, rows)) / len(rows) if rows else 0.0

    judged = [row for row in rows if is_right(row) is not None]
    return Summary(
        n=len(rows),
        right=sum(is_right(row) is True for row in judged),
        failed=sum(bool(row.failure) for row in rows),
        unjudged=len(rows) - len(judged),
        accuracy=accuracy(judged) if judged else None,
        coverage=_share([row.covered for row in rows]),
        all_gold_coverage=_share([row.all_gold_covered for row in rows]),
        use=_share([is_right(row) for row in judged if row.covered]),
        searches=mean(lambda row: row.searches),
        model_calls=mean(lambda row: row.model_calls),
        requirement_calls=mean(lambda row: row.requirement_calls),
        images=mean(lambda row: row.images),
        context_bytes=mean(lambda row: row.context_bytes),
        total_context_bytes=sum(row.context_bytes for row in rows),
        peak_call_bytes=max((row.peak_call_bytes for row in rows), default=0),
        sent_pixels=mean(lambda row: row.sent_pixels),
        allocated_pixels=mean(lambda row: row.allocated_pixels),
        admitted_pages=mean(lambda row: row.admitted_pages),
        distinct_pages=mean(lambda row: row.distinct_pages),
        seconds=mean(lambda row: row.seconds),
        prompt_tokens=_mean_known([row.prompt_tokens for row in rows]),
        completion_tokens=_mean_known([row.completion_tokens for row in rows]),
        total_tokens=_sum_known([answer_tokens(row) for row in rows]),
        cost=_sum_known([row.cost for row in rows]),
        judge_cost=_sum_known([row.judge_cost if row.judge_calls else 0.0 for row in rows]),
        scores=_mean_scores(rows),
    )


def breakdown(rows: Sequence[Row], by: Breakdown) -> dict[str, Summary]:
    """A summary for each group, by label in order. A question with several sources or documents counts under each of them."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        for label in _labels(row, by):
            groups.setdefault(label, []).append(row)
    return {label: summarise(groups[label]) for label in sorted(groups, key=_label_order)}


def accuracy(judged: Sequence[Row]) -> Interval:
    """Accuracy with its interval: a bootstrap over documents where there are enough, since questions about one document go
    right or wrong together; else Wilson's, which also serves where all or none are right."""
    right = [is_right(row) is True for row in judged]
    clusters = [row.documents[0] if row.documents else "" for row in judged]
    if all(clusters) and len(set(clusters)) >= FEWEST_DOCUMENTS and 0 < sum(right) < len(right):
        return cluster_bootstrap(right, clusters)
    return wilson(sum(right), len(right))


def wilson(right: int, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval of a share (E. B. Wilson, 1927). `n` is at least 1."""
    from statistics import NormalDist

    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share = right / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    return Interval(share, max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share)), n, "wilson")


def cluster_bootstrap(right: Sequence[float], clusters: Sequence[str], confidence: float = CONFIDENCE) -> Interval:
    """Percentile interval of a share, or of any mean, whose questions come in clusters: whole clusters are drawn with replacement, with a
    fixed seed."""
    import numpy as np

    names, index = np.unique(np.asarray(clusters), return_inverse=True)
    sizes = np.bincount(index)
    hits = np.bincount(index, weights=np.asarray(right, dtype=float))
    drawn = np.random.default_rng(SEED).integers(len(names), size=(RESAMPLES, len(names)))
    shares = hits[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(shares, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(sum(right) / len(right), float(low), float(high), len(right), "document bootstrap")


def _share(values: Sequence[bool | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _mean_known(values: Sequence[int | None]) -> float | None:
    """The mean where every row reports, else None: a mean over some would not stand for the run."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def answer_tokens(row: Row) -> int | None:
    """Tokens in and out of a row's answer, requirement call included; None where any of them went unreported."""
    slots = (row.requirement_prompt_tokens, row.requirement_completion_tokens) if row.requirement_calls else ()
    return _sum_known([row.prompt_tokens, row.completion_tokens, *slots])


def _sum_known(values: Sequence[Number | None]) -> Number | None:
    """The sum where all are known, else None."""
    known = [value for value in values if value is not None]
    return sum(known[1:], known[0]) if known and len(known) == len(values) else None


def _mean_scores(rows: Sequence[Row]) -> dict[str, float]:
    names = [name for name in (rows[0].scores if rows else ()) if all(name in row.scores for row in rows)]
    return {name: sum(row.scores[name] for row in rows) / len(rows) for name in names}


def _labels(row: Row, by: Breakdown) -> tuple[str, ...]:
    match by:
        case "hop":
            return (row.hop or "unlabelled",)
        case "source":
            return tuple(dict.fromkeys(row.sources)) or ("unlabelled",)
        case "answerable":
            return ("answerable" if row.answerable else "not answerable",)
        case "gold_pages":
            return (str(len(row.gold)),)
        case "split":
            return (row.split or "unlabelled",)
        case "document":
            return tuple(dict.fromkeys(row.documents)) or ("unlabelled",)


def _label_order(label: str) -> tuple[bool, int, str]:
    return (label == "unlabelled", int(label) if label.isdigit() else 0, label)
