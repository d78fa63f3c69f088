import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.coordination.energy import by_energy, energies, measured_priority, newest
from taec.core.trajectory import ROOT, Granularity, Graph, Memory, Node

DECAY: dict[Granularity, float] = {"page": 0.1, "region": 0.05, "entity": 0.0}


def memory(node: str, priority: int = 3, granularity: Granularity = "page", rank: int = 0) -> Memory:
    return Memory(f"{node}-{priority}", node, granularity, priority, float(priority), rank)


def golden(first: Granularity) -> tuple[tuple[Node, ...], list[Memory]]:
    """The specification's example: root; s1 <- root; s2 <- s1; s3 <- root; priorities s1 {5, 2}, s2 {4}, s3 {3}."""
    graph = Graph("question")
    for node, parent in (("s1", ROOT), ("s2", "s1"), ("s3", ROOT)):
        graph.add_search(node, [parent], node)
    return graph.nodes, [memory("s1", 5, first), memory("s1", 2), memory("s2", 4), memory("s3", 3)]


def score(nodes: tuple[Node, ...], memories: list[Memory]) -> list[float]:
    return energies(nodes, memories, [m.priority for m in memories], DECAY, 0.3)


def test_golden_values() -> None:
    assert score(*golden("page")) == pytest.approx([1.854622, 0.872146, 0.723870, 0.600000], abs=5e-7)
    assert score(*golden("region"))[0] == pytest.approx(2.026836, abs=5e-7)


def test_entities_do_not_fade() -> None:
    assert score(*golden("entity"))[0] == pytest.approx(2 + 0.3 * 0.8 * math.exp(-0.1))


def test_a_child_without_memory_adds_to_the_degree_only() -> None:
    graph = Graph("question")
    for node, parent in (("s1", ROOT), ("s2", "s1"), ("s3", "s2")):
        graph.add_search(node, [parent], node)
    held = [memory("s1", 5), memory("s3", 5)]
    assert score(graph.nodes, held) == pytest.approx([2 * math.exp(-0.2), 1.0])


def test_every_parent_of_a_node_profits_from_it() -> None:
    graph = Graph("question")
    graph.add_search("s1", [ROOT], "")
    graph.add_search("s2", [ROOT], "")
    graph.add_search("s3", ["s1", "s2"], "")
    held = [memory("s1", 5), memory("s2", 5), memory("s3", 5), memory("s3", 3)]
    assert score(graph.nodes, held) == pytest.approx([2 * math.exp(-0.2) + 0.24, 2 * math.exp(-0.1) + 0.24, 1.0, 0.6])


@st.composite
def remembered(draw: st.DrawFn) -> tuple[tuple[Node, ...], list[Memory]]:
    graph = Graph("question")
    for number in range(draw(st.integers(0, 8))):
        known = [node.id for node in graph.nodes]
        graph.add_search(f"s{number}", draw(st.lists(st.sampled_from(known), max_size=3)), "")
    kinds: st.SearchStrategy[Granularity] = st.sampled_from(["page", "region", "entity"])
    item = st.builds(memory, st.sampled_from([node.id for node in graph.nodes]), st.integers(1, 5), kinds, st.integers(0, 4))
    return graph.nodes, draw(st.lists(item, max_size=12))


@given(remembered(), st.integers(-1, 7))
def test_energies_are_positive_and_choose_in_graph_order(case: tuple[tuple[Node, ...], list[Memory]], limit: int) -> None:
    nodes, memories = case
    values = score(nodes, memories)
    order = {node.id: position for position, node in enumerate(nodes)}
    assert all(value > 0 for value in values)
    for chosen in (by_energy(memories, values, order, limit), newest(memories, order, limit)):
        assert len(chosen) == len(set(chosen)) == min(max(0, limit), len(memories))
        assert [order[memories[i].node] for i in chosen] == sorted(order[memories[i].node] for i in chosen)
    chosen = by_energy(memories, values, order, limit)
    left = set(range(len(memories))) - set(chosen)
    assert all(values[i] >= values[j] - 1e-9 for i in chosen for j in left)


def test_work_does_not_explode_with_paths() -> None:
    """2^200 paths lead through this ladder; a recursion over paths would never end."""
    graph = Graph("question")
    parents = [ROOT]
    for step in range(200):
        parents = [graph.add_search(f"{step}{side}", parents, "")[0].id for side in "ab"]
    held = [memory(node.id) for node in graph.searches]
    assert all(math.isfinite(value) for value in energies(graph.nodes, held, [3.0] * len(held), DECAY, 0.3))


def test_ties_go_to_the_newer_node_then_the_better_rank() -> None:
    memories = [memory("a", rank=0), memory("b", rank=2), memory("b", rank=1)]
    order = {"a": 1, "b": 2}
    assert by_energy(memories, [1.0, 1.0, 1.0], order, 1) == [2]
    assert by_energy(memories, [1.0, 1.0, 1.0], order, 2) == [1, 2]
    assert by_energy(memories, [1.1, 1.0, 1.0], order, 2) == [0, 2]
    assert newest(memories, order, 1) == [2]
    assert newest(memories, order, 3) == [0, 1, 2]


def test_measured_priority() -> None:
    assert measured_priority(0.0, "a b", []) == 3.0
    assert measured_priority(1.0, "a b", []) == 5.0
    assert measured_priority(0.0, "a b", ["c", "B A"]) == 1.0
    assert measured_priority(0.5, "a b", ["c", "b c"]) == pytest.approx(1 + 4 * (0.25 + 0.5 * 2 / 3))


@given(st.floats(0, 1), st.text(), st.lists(st.text()))
def test_measured_priority_stays_on_the_scale(slot_score: float, caption: str, earlier: list[str]) -> None:
    assert 1.0 <= measured_priority(slot_score, caption, earlier) <= 5.0
