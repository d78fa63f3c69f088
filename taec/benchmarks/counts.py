"""What there is of a benchmark in numbers, and whether these are the numbers of a known release."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from taec.core.questions import Question

NONE = "none"
"""Stands for a label that a question lacks."""

UNKNOWN = "no known release"

Counts = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Release:
    """A known state of a benchmark: what it is called, the sha256 of its annotation file where it is known, its counts by `count`'s names.

    A count of labels (`by_hop`) has the labels that are known of it: further ones do not count against it.
    """

    name: str
    counts: Mapping[str, int | Mapping[str, int]]
    sha256: str = ""


def count(questions: Sequence[Question]) -> Counts:
    """Questions by what can be asked of them. Hops and sources over answerable questions, once for each label of a question."""
    answerable = [question for question in questions if question.answerable]
    return {
        "questions": len(questions),
        "answerable": len(answerable),
        "with_gold": sum(bool(question.gold) for question in questions),
        "answerable_with_gold": sum(bool(question.gold) for question in answerable),
        "documents": len({name for question in questions for name in question.documents}),
        "by_split": _tally(question.split for question in questions if question.split),
        "by_hop": _tally(question.hop or NONE for question in answerable),
        "by_source": _tally(source for question in answerable for source in question.sources or (NONE,)),
        "by_single_source": _tally(question.sources[0] for question in answerable if len(question.sources) == 1),
    }


def recognised(releases: Sequence[Release], sha256: str, counts: Counts) -> str:
    """The release that a file is: by its sha256, else the first whose counts are the file's, which is then only likely."""
    for release in releases:
        if release.sha256 == sha256:
            return release.name
    for release in releases:
        if not list(differences(release, counts)):
            return f"a file with the counts of {release.name}"
    return UNKNOWN


def differences(release: Release, counts: Counts) -> Iterator[str]:
    """Each count that is not the release's, as `answerable 859 (847)`."""
    for name, expected in release.counts.items():
        found = counts[name]
        if isinstance(expected, int):
            if found != expected:
                yield f"{name.replace('_', ' ')} {found:,} ({expected:,})"
            continue
        labels = found if isinstance(found, dict) else {}
        for label, number in expected.items():
            if labels.get(label, 0) != number:
                yield f"{name.removeprefix('by_').replace('_', ' ')} {label} {labels.get(label, 0):,} ({number:,})"


def _tally(labels: Iterable[str]) -> dict[str, JsonValue]:
    return dict(sorted(Counter(labels).items()))
