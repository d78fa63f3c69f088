"""What a benchmark is: questions with gold pages over documents, and what was found when the files were read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from taec.core.questions import Question


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A loaded benchmark.

    `documents` are the files of the pooled collection. `facts` (release, sha256 of the annotation file, counts) go to the
    manifest; `warnings` are shown at the start of a run.
    """

    name: str
    questions: Sequence[Question]
    documents: Sequence[Path]
    facts: Mapping[str, JsonValue] = field(default_factory=dict)
    warnings: Sequence[str] = ()
