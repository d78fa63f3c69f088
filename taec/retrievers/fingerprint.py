"""What a retriever answers to eight fixed queries, as 16 hex digits: tables never mix fingerprints (specification, section 9)."""

from hashlib import sha256

from taec.core.errors import UsageError
from taec.retrievers.base import Retriever

PROBES = (
    "annual revenue table",
    "organizational chart",
    "experimental results comparison",
    "project timeline schedule",
    "安全操作规程",
    "2024",
    "conclusion and future work",
    "figure caption",
)
"""The fifth, "a Chinese phrase for safety procedures", is ours: "safe operating procedures"."""
K = 5
"""Hits of each probe."""


async def fingerprint(retriever: Retriever) -> str:
    """The first 16 hex digits of the sha256 of all returned page ids, probe by probe in rank order, joined by newlines."""
    found = [hit.page_id for probe in PROBES for hit in await retriever.search(probe, K)]
    return sha256("\n".join(found).encode()).hexdigest()[:16]


async def expected_fingerprint(retriever: Retriever, expected: str | None) -> str:
    """The fingerprint, which has to be `expected` unless that is None. Raises UsageError saying both where it is another."""
    found = await fingerprint(retriever)
    if expected not in (None, found):
        raise UsageError(f"The retriever's fingerprint is {found}, run.expected_fingerprint is {expected}: it searches something else.")
    return found
