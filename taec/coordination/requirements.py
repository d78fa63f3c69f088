"""The requirement state: what an answer needs, and how far captions support it (specification, section 3; paper, appendix A.2)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

from taec.coordination.keywords import content_words as content_words
from taec.core.text import folded


@dataclass(frozen=True, slots=True)
class RequirementState:
    """Requirements and the weight each still carries: 0 once resolved, otherwise the weights sum to one."""

    slots: tuple[str, ...]
    weights: tuple[float, ...]

    @classmethod
    def uniform(cls, slots: Sequence[str]) -> Self:
        """All requirements open, of equal weight."""
        return cls(tuple(slots), tuple(1 / len(slots) for _ in slots))


def supported(slots: Sequence[str], caption: str) -> tuple[bool, ...]:
    """For each slot whether it occurs in the caption: a substring, case and line breaks aside; a blank slot occurs nowhere."""
    text = folded(caption)
    return tuple(bool(slot.strip()) and folded(slot) in text for slot in slots)


def slot_score(slots: Sequence[str], caption: str) -> float:
    """Slot support a_i: the share of slots that the caption supports; 0.0 without slots."""
    return sum(supported(slots, caption)) / len(slots) if slots else 0.0


def resolve(state: RequirementState, resolved: Collection[str]) -> RequirementState:
    """The state after `resolved` (names of slots, in any case) were settled: they weigh 0, the others share the weight as before.

    The `semantic` variant of section 3. When everything is resolved all weights are 0.
    """
    names = {folded(name) for name in resolved}
    kept = [0.0 if folded(slot) in names else weight for slot, weight in zip(state.slots, state.weights, strict=True)]
    total = sum(kept)
    return RequirementState(state.slots, tuple(weight / total for weight in kept) if total > 0 else (0.0,) * len(kept))


def unresolved_support(state: RequirementState, caption: str) -> float:
    """c_i of section 6: the share of the unresolved weight whose requirements the caption supports; 1.0 when nothing is open."""
    total = sum(state.weights)
    if total <= 0:
        return 1.0
    found = supported(state.slots, caption)
    return sum(weight for weight, here in zip(state.weights, found, strict=True) if here) / total
