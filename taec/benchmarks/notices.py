"""What a run has to say about the files it reads, in sentences: nothing that changes a number stays unsaid."""

from collections.abc import Iterator, Mapping, Sequence

from taec.benchmarks.counts import Counts, Release, differences

SHOWN = 12
"""Rows or documents that one sentence lists."""


def of_release(title: str, releases: Sequence[Release], release: str, counts: Counts) -> Iterator[str]:
    """That a file is not the one of the paper (the first of the releases), which it looks like, and which counts differ."""
    if releases and (other := list(differences(releases[0], counts))):
        yield f"{title}: this is {release}, and not what the paper counts. Counts that differ, the paper's in brackets: {', '.join(other)}."


def of_missing(title: str, missing: Sequence[str], left_out: int, rows: int) -> Iterator[str]:
    """That documents are not there, and what that takes from the denominator."""
    if missing:
        yield (
            f"{title}: documents that are not there: {len(missing)}. Their {left_out} of {rows} questions are left out of every score. "
            f"Missing: {listed(missing)}."
        )


def of_pages(title: str, lacking: Mapping[int, Sequence[int]]) -> Iterator[str]:
    """That annotated pages do not exist."""
    if lacking:
        rows = [f"{row} (page {', '.join(map(str, pages))})" for row, pages in lacking.items()]
        yield f"{title}: rows with pages that their document lacks, which are no gold pages: {len(rows)}. They are {listed(rows)}."


def of_twins(title: str, twins: Mapping[str, str]) -> Iterator[str]:
    """That files are the same."""
    if twins:
        pairs = [f"{name} is {first}" for name, first in twins.items()]
        yield f"{title}: the same file under two names is indexed once, and gold of either counts: {listed(pairs)}."


def of_repeats(title: str, repeated: int) -> Iterator[str]:
    """That questions occur twice."""
    if repeated:
        yield f"{title}: rows that repeat another row's question on the same document: {repeated}. All are asked, under ids of their own."


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more}"
