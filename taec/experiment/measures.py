"""What MLflow is told of a run: metrics and parameters under names that its store accepts and its compare view shows readably."""

import re
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from taec.analysis.statistics import Breakdown, Summary, breakdown, summarise
from taec.records.rows import Row

FORBIDDEN = re.compile(r"[^\w.\-/ ]", re.ASCII)
MEGABYTE = 1e6
BREAKDOWNS: Sequence[Breakdown] = ("hop", "source", "answerable")


def legal(name: str) -> str:
    """A name that MLflow takes for a metric, a parameter or a tag: `@ = [ ] + ,` and the like become `_`."""
    return FORBIDDEN.sub("_", name)


def metrics(rows: Sequence[Row]) -> dict[str, float]:
    """The summary of a run, and its accuracy by the benchmark's labels; what cannot be computed is left out."""
    found = dict(_of(summarise(rows)))
    for by in BREAKDOWNS:
        groups = breakdown(rows, by)
        if len(groups) > 1:
            found |= {legal(f"accuracy/{by}/{label}"): part.accuracy.value for label, part in groups.items() if part.accuracy}
    return found


def parameters(config: Mapping[str, Mapping[str, JsonValue]]) -> dict[str, str]:
    """Scalars of the nodes that make a run what it is; lists and texts of a paragraph are in the artifact `config.yaml`."""
    outside = {"run", "output", "cache", "tracking", "collection", "serve", "retrieval"}
    return {legal(key): value for node, values in config.items() if node not in outside for key, value in _scalars(values, f"{node}.")}


def _of(summary: Summary) -> Iterator[tuple[str, float]]:
    numbers: dict[str, float | None] = {
        "questions": summary.n,
        "coverage": summary.coverage,
        "coverage_all_gold": summary.all_gold_coverage,
        "use": summary.use,
        "searches": summary.searches,
        "model_calls": summary.model_calls,
        "images": summary.images,
        "context_mb": summary.context_bytes / MEGABYTE,
        "context_mb_total": summary.total_context_bytes / MEGABYTE,
        "peak_call_mb": summary.peak_call_bytes / MEGABYTE,
        "pages_admitted": summary.admitted_pages,
        "pages_distinct": summary.distinct_pages,
        "sent_megapixels": summary.sent_pixels / 1e6,
        "prompt_tokens": summary.prompt_tokens,
        "completion_tokens": summary.completion_tokens,
        "tokens_total": summary.total_tokens,
        "cost_usd": summary.cost,
        "judge_cost_usd": summary.judge_cost,
        "seconds": summary.seconds,
        "failed": summary.failed,
        "unjudged": summary.unjudged,
    }
    if summary.accuracy:
        numbers |= {"accuracy": summary.accuracy.value, "accuracy_low": summary.accuracy.low, "accuracy_high": summary.accuracy.high}
    numbers |= {f"score/{name}": value for name, value in summary.scores.items()}
    yield from ((name, float(value)) for name, value in numbers.items() if value is not None)


def _scalars(node: Mapping[str, JsonValue], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in node.items():
        if isinstance(value, dict):
            yield from _scalars(value, f"{prefix}{name}.")
        elif value is not None and not isinstance(value, list) and len(str(value)) <= 250:
            yield f"{prefix}{name}", str(value)
