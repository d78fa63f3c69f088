"""Energy memory: how much each retained picture still matters (specification, section 2; paper, appendix A.1, equation 5)."""

import math
from collections.abc import Mapping, Sequence

from taec.coordination.admission import caption_tokens, jaccard
from taec.core.trajectory import Granularity, Memory, Node

SLOT_SHARE = 0.5
"""Weight of slot support against novelty in the measured priority (ours: both alike)."""


def energies(
    nodes: Sequence[Node], memories: Sequence[Memory], priorities: Sequence[float], decay: Mapping[Granularity, float], gamma: float
) -> list[float]:
    """The energy of each memory, `priorities` (1..5) alongside.

    `nodes` stand in graph order, every parent before its children and the newest last; `decay` is lambda by granularity, a
    step. A memory's own term is (p / 5) * (1 + children of its node) * exp(-lambda * age of its node); gamma times the mean final
    energy of each child's memories comes on top, 0 for a child without any. Raises KeyError for a memory of an unknown node.
    """
    index = {node.id: position for position, node in enumerate(nodes)}
    children: dict[str, list[str]] = {node.id: [] for node in nodes}
    for node in nodes:
        for parent in dict.fromkeys(node.parents):
            children[parent].append(node.id)
    of_node: dict[str, list[int]] = {node.id: [] for node in nodes}
    for position, memory in enumerate(memories):
        of_node[memory.node].append(position)

    final = [0.0] * len(memories)
    mean: dict[str, float] = {}
    for node in reversed(nodes):
        held = of_node[node.id]
        passed_up = gamma * sum(mean[child] for child in children[node.id])
        age = len(nodes) - 1 - index[node.id]
        for position in held:
            kept = math.exp(-decay[memories[position].granularity] * age)
            final[position] = priorities[position] / 5 * (1 + len(children[node.id])) * kept + passed_up
        mean[node.id] = sum(final[position] for position in held) / len(held) if held else 0.0
    return final


def by_energy(memories: Sequence[Memory], energies: Sequence[float], order: Mapping[str, int], limit: int) -> list[int]:
    """Positions of the `limit` memories of highest energy, in graph order; ties go to the newer node, then the better rank.

    `order` maps a node's id to its position in the graph. Energies that agree to twelve decimals are a tie.
    """
    ranked = sorted(range(len(memories)), key=lambda i: (-round(energies[i], 12), -order[memories[i].node], memories[i].rank))
    return _in_graph_order(ranked[: max(0, limit)], memories, order)


def newest(memories: Sequence[Memory], order: Mapping[str, int], limit: int) -> list[int]:
    """Positions of the `limit` newest memories, in graph order: newest node first, then the better rank."""
    ranked = sorted(range(len(memories)), key=lambda i: (-order[memories[i].node], memories[i].rank))
    return _in_graph_order(ranked[: max(0, limit)], memories, order)


def measured_priority(slot_score: float, caption: str, earlier_captions: Sequence[str]) -> float:
    """The information gain of a picture, 1..5: half slot support, half novelty against the captions retained before (ours)."""
    tokens = caption_tokens(caption)
    likeness = max((jaccard(tokens, caption_tokens(earlier)) for earlier in earlier_captions), default=0.0)
    gain = SLOT_SHARE * slot_score + (1 - SLOT_SHARE) * (1 - likeness)
    return min(5.0, max(1.0, 1 + 4 * gain))


def _in_graph_order(chosen: Sequence[int], memories: Sequence[Memory], order: Mapping[str, int]) -> list[int]:
    return sorted(chosen, key=lambda i: (order[memories[i].node], i))
