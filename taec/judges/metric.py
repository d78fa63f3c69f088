"""Judging by an official metric: right where its score reaches a threshold. Whether an answer declines is left to the metric."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from taec.core.questions import Question
from taec.core.settings import Settings as BaseSettings
from taec.judges.base import Judge, Verdict
from taec.judges.text import read
from taec.metrics.official import METRICS, Metric

VERSION = "1"
"""Rises when a verdict could change; manifests carry it."""


def exact(question: Question, answer: str) -> float:
    """1 where the answer is a reference, letter for letter, outer white space aside."""
    return float(answer.strip() in {known.strip() for known in question.references})


def normalised(question: Question, answer: str) -> float:
    """1 where the answer is a reference up to letter case, punctuation, leading articles and how numbers are spelt."""
    return float(read(answer).key in {read(known).key for known in question.references})


MEASURES: Mapping[str, Metric] = {"exact": exact, "normalised": normalised, **METRICS}


class Settings(BaseSettings):
    """One file in `conf/judge/` for each metric."""

    name: str
    module: Literal["metric"]
    metric: Literal["exact", "normalised", "em", "f1", "mmlongbench", "anls"]
    threshold: float = Field(gt=0, le=1, description="score from which an answer is right")


def build(settings: Settings) -> "MetricJudge":
    """The judge that these settings describe."""
    return MetricJudge(settings)


class MetricJudge(Judge):
    """Judges every item for itself, without a model."""

    def __init__(self, settings: Settings) -> None:
        self.name = settings.name
        self.version = f"{VERSION}, {settings.metric} from {settings.threshold:g}"
        self._threshold = settings.threshold
        self._metric = MEASURES[settings.metric]

    async def judge(self, items: Sequence[tuple[Question, str]]) -> list[Verdict]:
        """One verdict an item, in order; `rule` gives the score."""
        scores = [self._metric(question, answer.strip()) for question, answer in items]
        return [Verdict(score >= self._threshold, f"score {score:.3f}") for score in scores]
