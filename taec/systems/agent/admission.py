"""Admission as the agent uses it: from a query to the pages placed before the model."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from taec.coordination import admission
from taec.coordination.admission import Admitted, Candidate
from taec.coordination.requirements import RequirementState
from taec.systems.agent.settings import AdmissionSettings
from taec.systems.base import Session


class Selection(NamedTuple):
    """What a search brought: pages to show, selected pages left out as seen, and how many candidates there were."""

    admitted: list[Admitted]
    seen: tuple[str, ...]
    candidates: int


class Admission(Protocol):
    """The strategy A."""

    async def requirements(self, session: Session) -> RequirementState:
        """The requirement state a question starts with; asks for slots only where the strategy uses them."""
        ...

    def pool(self, pages: int) -> int:
        """How many candidates to ask the retriever for."""
        ...

    def select(self, candidates: Sequence[Candidate], state: RequirementState, pages: int) -> list[Admitted]: ...


class TopK:
    """The retriever's ranking as it is."""

    async def requirements(self, session: Session) -> RequirementState:
        return RequirementState.uniform(())

    def pool(self, pages: int) -> int:
        return pages

    def select(self, candidates: Sequence[Candidate], state: RequirementState, pages: int) -> list[Admitted]:
        return admission.top_k(candidates, pages)


class Coverage:
    """Requirement coverage over an over-sampled pool (specification, section 4)."""

    def __init__(self, settings: AdmissionSettings) -> None:
        self._settings = settings

    async def requirements(self, session: Session) -> RequirementState:
        return RequirementState.uniform((await session.slots()).keywords)

    def pool(self, pages: int) -> int:
        return min(pages * self._settings.pool_factor, self._settings.pool_limit)

    def select(self, candidates: Sequence[Candidate], state: RequirementState, pages: int) -> list[Admitted]:
        chosen = self._settings
        return admission.coverage(candidates, state, pages, alpha=chosen.alpha, beta=chosen.beta, eta=chosen.eta, gain=chosen.gain)


def make(settings: AdmissionSettings) -> Admission:
    """The strategy that `settings.strategy` names."""
    return Coverage(settings) if settings.strategy == "coverage" else TopK()


async def search(
    session: Session, strategy: Admission, settings: AdmissionSettings, query: str, state: RequirementState, shown: Collection[str]
) -> Selection:
    """One retrieval. Pages in `shown` are left out after selection as in the paper (fewer than K may remain), or before it."""
    pages = session.services.budgets.pages
    hits = await session.candidates(query, strategy.pool(pages))
    captions = session.services.store
    candidates = [Candidate(hit.page_id, rank, hit.score, captions.page(hit.page_id).caption) for rank, hit in enumerate(hits)]
    if settings.filter == "before_selection":
        fresh = [candidate for candidate in candidates if candidate.page_id not in shown]
        left_out = tuple(candidate.page_id for candidate in candidates if candidate.page_id in shown)
        return Selection(strategy.select(fresh, state, pages), left_out, len(candidates))
    selected = strategy.select(candidates, state, pages)
    admitted = [choice for choice in selected if choice.page_id not in shown]
    return Selection(admitted, tuple(choice.page_id for choice in selected if choice.page_id in shown), len(candidates))
