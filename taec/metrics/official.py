"""Which official metrics an answer is given, by name."""

from collections.abc import Callable, Iterable, Mapping

from taec.core.questions import MetricName, Question
from taec.metrics import mmlongbench, slidevqa
from taec.metrics.anls import anls

Metric = Callable[[Question, str], float]

METRICS: Mapping[str, Metric] = {
    "em": lambda question, answer: slidevqa.exact_match(question.text, answer, question.references[0]),
    "f1": lambda question, answer: slidevqa.f1(question.text, answer, question.references[0]),
    "mmlongbench": lambda question, answer: mmlongbench.score(answer, question.references[0], question.answer_format, question.items),
    "anls": lambda question, answer: anls(answer, question.references),
}
"""SlideVQA's exact match and F1, MMLongBench-Doc's rule-based score, and ANLS over all references; each gives 0..1."""

EVERYWHERE: MetricName = "anls"
"""What every answer is given; the others are a benchmark's own."""


def scores(question: Question, answer: str | None, own: Iterable[MetricName]) -> dict[str, float]:
    """The benchmark's `own` metrics of an answer, and ANLS, by name; no answer scores 0."""
    said = (answer or "").strip()
    return {name: METRICS[name](question, said) if said else 0.0 for name in dict.fromkeys((*own, EVERYWHERE))}
