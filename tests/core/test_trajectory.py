from hypothesis import given
from hypothesis import strategies as st

from taec.core.trajectory import ROOT, Graph, Memory

names = st.sampled_from(["", " ", "root", "s1", "s1 ", "s2", "s1_2", "answer", "nowhere"])
steps = st.lists(st.tuples(st.booleans(), names, st.lists(names, max_size=4)), max_size=12)


@given(steps)
def test_the_graph_is_acyclic_with_unique_ids_whatever_is_asked(asked: list[tuple[bool, str, list[str]]]) -> None:
    graph = Graph("question")
    for search, name, parents in asked:
        before = {node.id for node in graph.nodes}
        node, warnings = graph.add_search(name, parents, "query") if search else graph.add_answer(parents, "answer")
        assert node.id not in before
        assert node.id.strip()
        assert set(node.parents) <= before
        assert node.parents == (tuple(dict.fromkeys(p for p in parents if p in before)) or (ROOT,))
        assert len(node.parents) == len(set(node.parents))
        assert any("parents" in warning for warning in warnings) == any(parent not in before for parent in parents)
        if search:
            assert any("this node is" in warning for warning in warnings) == (node.id != name)
    assert len({node.id for node in graph.nodes}) == len(graph.nodes) == len(asked) + 1
    for position, node in enumerate(graph.nodes):
        assert graph.index(node.id) == position
        assert all(graph.index(parent) < position for parent in node.parents)
        assert all(node.id in graph.children(parent) for parent in node.parents)
    assert graph.node(ROOT).parents == ()


def test_a_clash_gets_a_suffix_and_a_warning() -> None:
    graph = Graph("question")
    graph.add_search("s1", [], "first")
    node, warnings = graph.add_search("s1", ["s1"], "second")
    assert (node.id, node.parents) == ("s1_2", ("s1",))
    assert len(warnings) == 1
    assert "'s1_2'" in warnings[0]


def test_a_node_cannot_be_its_own_parent() -> None:
    node, warnings = Graph("question").add_search("s1", ["s1"], "query")
    assert node.parents == (ROOT,)
    assert "s1" in warnings[0]


def test_summaries_and_memories_are_kept_in_graph_order() -> None:
    graph = Graph("question")
    graph.add_search("s1", [], "first", ["a_p1"])
    graph.add_search("s2", ["s1"], "second")
    kept = [Memory(f"a_p{number}", "s1", "page", 3, 3.0, number) for number in (1, 2)]
    graph.summarise("s1", "read", kept)
    assert graph.node("s1").summary == "read"
    assert graph.node("s1").pages == ("a_p1",)
    assert [node.id for node in graph.nodes] == ["root", "s1", "s2"]
    assert [node.id for node in graph.searches] == ["s1", "s2"]
    assert graph.memories == tuple(kept)
