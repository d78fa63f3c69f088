"""Memory as the agent uses it: what a picture is worth, which pictures are re-presented, and at how many pixels (V)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from taec.coordination import allocation, energy
from taec.coordination.requirements import RequirementState, unresolved_support
from taec.core.images import ImageRef
from taec.core.pages import PageStore
from taec.core.trajectory import Granularity, Graph, Memory
from taec.systems.agent.settings import AllocationSettings, MemorySettings


class Presented(NamedTuple):
    """One re-presented picture, the energy that chose it and the reference at the pixels it was given."""

    memory: Memory
    energy: float
    image: ImageRef


class MemoryPolicy:
    """Selection and allocation over the memories of one graph."""

    def __init__(self, memory: MemorySettings, allocation: AllocationSettings, store: PageStore, base_pixels: int) -> None:
        self._memory = memory
        self._allocation = allocation
        self._store = store
        self._base = base_pixels
        self._decay: Mapping[Granularity, float] = {
            "page": memory.decay.page,
            "region": memory.decay.region,
            "entity": memory.decay.entity,
        }

    def priority(self, page_id: str, slot_score: float, earlier: Sequence[Memory]) -> float:
        """The measured information gain of a picture beside the memories before it (specification, section 2)."""
        captions = [self._store.page(memory.page_id).caption for memory in earlier]
        return energy.measured_priority(slot_score, self._store.page(page_id).caption, captions)

    def budget(self, characters: int) -> int:
        """B_t in pixels for a prompt with `characters` of question, hints and graph."""
        settings = self._allocation
        if settings.pressure == "none":
            return self._base
        growth = settings.early if settings.pressure == "early" else settings.late
        return allocation.pressure_budget(self._base, characters, settings.rho, growth.onset, growth.full)

    def present(self, graph: Graph, characters: int, tracked: RequirementState | None = None) -> list[Presented]:
        """The pictures of the next prompt in graph order, with their pixels; `tracked` are requirements whose weights move."""
        memories = graph.memories
        priorities = [self._priority_in_use(memory) for memory in memories]
        energies = energy.energies(graph.nodes, memories, priorities, self._decay, self._memory.gamma)
        order = {node.id: index for index, node in enumerate(graph.nodes)}
        if self._memory.selection == "energy":
            chosen = energy.by_energy(memories, energies, order, self._memory.images)
        else:
            chosen = energy.newest(memories, order, self._memory.images)
        shown, relevance = [memories[i] for i in chosen], [energies[i] for i in chosen]
        support = [self._support(memory, tracked) for memory in shown]
        pixels = self._pixels(shown, relevance, support, len(graph.searches), self.budget(characters))
        return [
            Presented(memory, value, ImageRef(memory.page_id, count, memory.box))
            for memory, value, count in zip(shown, relevance, pixels, strict=True)
        ]

    def _priority_in_use(self, memory: Memory) -> float:
        return memory.priority if self._memory.priority == "measured" else float(memory.self_reported)

    def _pixels(
        self, shown: Sequence[Memory], relevance: Sequence[float], support: Sequence[float], searches: int, budget: int
    ) -> list[int]:
        settings = self._allocation
        low, high = settings.min_pixels, settings.max_pixels
        if settings.strategy == "proportional":
            return allocation.proportional(budget, relevance, low, high)
        if settings.strategy == "uniform" or searches < settings.min_searches:
            return allocation.uniform(self._base, len(shown), low, high)
        return allocation.detail(
            budget,
            [memory.granularity for memory in shown],
            relevance,
            [self._demand(memory) for memory in shown],
            support,
            kappa=settings.kappa,
            tau=settings.tau,
            region_share=settings.region_share,
            low=low,
            high=high,
        )

    def _support(self, memory: Memory, tracked: RequirementState | None) -> float:
        """c_i: 1 while requirement weights do not move (paper, A.5)."""
        return 1.0 if tracked is None else unresolved_support(tracked, self._store.page(memory.page_id).caption)

    def _demand(self, memory: Memory) -> float:
        if memory.granularity == "region" or self._allocation.demand == "constant":
            return 1.0
        slots = memory.slot_score if self._allocation.demand == "caption_and_slots" else None
        return allocation.detail_demand(len(self._store.page(memory.page_id).caption), self._store.caption_length_p95, slots)
