"""What a benchmark is: questions with gold pages over documents, and what was found when the files were read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from taec.core.questions import MetricName, Question
from taec.documents.base import Document


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A loaded benchmark.

    `documents` make the pooled collection. `facts` (release, sha256 of the annotation file, counts) go to the
    manifest; `warnings` are shown at the start of a run; `metrics` are the names of its own official metrics (`taec.metrics.official`).
    """

    name: str
    questions: Sequence[Question]
    documents: Sequence[Document]
    facts: Mapping[str, JsonValue] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    metrics: Sequence[MetricName] = ()
