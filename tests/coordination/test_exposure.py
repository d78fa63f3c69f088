import copy

from hypothesis import given
from hypothesis import strategies as st

from taec.coordination.cues import Cues
from taec.coordination.exposure import adaptive, dead_ends, full, graph_text, hints
from taec.core.trajectory import ROOT, Graph, Node

RESOLVED = "Some context. The table clearly gives 45 days. More context."
FAILED = "The value was not found. The pages are about something else."
ACTIVE = "The pages list three plans. Two of them concern housing. One concerns roads."


def graph(*summaries: str) -> tuple[Node, ...]:
    made = Graph("question?")
    parent = ROOT
    for number, summary in enumerate(summaries, start=1):
        parent = made.add_search(f"s{number}", [parent], f"query {number}")[0].id
        made.summarise(parent, summary, [])
    return made.nodes


def test_full_shows_everything() -> None:
    made = Graph("question?")
    made.add_search("s1", [ROOT], "query 1")
    made.summarise("s1", ACTIVE, [])
    made.add_search("s2", ["s1"], "query 2")
    made.add_answer(["s1", "s2"], "45")
    assert full(made.nodes) == [
        {"id": "root", "question": "question?"},
        {"id": "s1", "parents": ["root"], "query": "query 1", "summary": ACTIVE},
        {"id": "s2", "parents": ["s1"], "query": "query 2"},
        {"id": "answer", "parents": ["s1", "s2"], "answer": "45"},
    ]


def test_older_searches_are_shown_by_their_outcome(cues: Cues) -> None:
    nodes = graph(RESOLVED, FAILED, ACTIVE, FAILED, RESOLVED)
    shown = adaptive(nodes, cues, dead_ends(nodes, cues), 2, None)
    assert shown[1] == {
        "id": "s1",
        "parents": ["root"],
        "query": "query 1",
        "summary": "The table clearly gives 45 days.",
        "status": "resolved",
    }
    assert shown[2] == {"id": "s2", "parents": ["s1"], "status": "failed", "query": "query 2"}
    assert [shown[0], *shown[3:]] == [full(nodes)[0], *full(nodes)[3:]]


def test_a_query_among_the_dead_ends_is_failed_without_a_cue(cues: Cues) -> None:
    nodes = graph(ACTIVE, RESOLVED, ACTIVE)
    shown = adaptive(nodes, cues, ["QUERY 1", "query 2"], 1, None)
    assert [node.get("status") for node in shown] == [None, "failed", "resolved", None]


def test_a_resolved_node_with_a_failure_cue_is_failed(cues: Cues) -> None:
    nodes = graph("It clearly gives 4 for May. June is not mentioned.", ACTIVE)
    assert adaptive(nodes, cues, (), 1, None)[1]["status"] == "failed"


def test_the_oldest_active_searches_are_condensed_first(cues: Cues) -> None:
    nodes = graph(ACTIVE, ACTIVE, ACTIVE, ACTIVE)
    whole = len(graph_text(full(nodes)))

    def condensed(limit: int) -> list[str]:
        return [str(node["id"]) for node in adaptive(nodes, cues, (), 2, limit) if node.get("status") == "condensed"]

    assert condensed(whole) == []
    assert condensed(whole - 1) == ["s1"]
    assert condensed(0) == ["s1", "s2"]
    assert adaptive(nodes, cues, (), 2, 0)[1]["summary"] == "The pages list three plans."


def test_condensing_never_lengthens(cues: Cues) -> None:
    nodes = graph("Short.", "Also short.", ACTIVE)
    assert adaptive(nodes, cues, (), 1, 0) == full(nodes)


summaries = st.sampled_from([RESOLVED, FAILED, ACTIVE, "", "部分信息。", "收入明确为5亿元。"])


@given(st.lists(summaries, max_size=8), st.integers(0, 4), st.none() | st.integers(0, 2000))
def test_exposure_never_changes_the_nodes(cues: Cues, texts: list[str], recent: int, limit: int | None) -> None:
    nodes = graph(*texts)
    before = copy.deepcopy(nodes)
    shown = adaptive(nodes, cues, dead_ends(nodes, cues), recent, limit)
    for node in shown:
        node["parents"] = []
    hints(nodes, cues)
    assert nodes == before


@given(st.lists(summaries, max_size=8), st.integers(0, 4), st.none() | st.integers(0, 2000))
def test_ids_stay_and_root_and_recent_stay_full(cues: Cues, texts: list[str], recent: int, limit: int | None) -> None:
    nodes = graph(*texts)
    shown, whole = adaptive(nodes, cues, (), recent, limit), full(nodes)
    assert [node["id"] for node in shown] == [node.id for node in nodes]
    assert shown[0] == whole[0]
    newest = min(recent, len(texts))
    assert shown[len(shown) - newest :] == whole[len(whole) - newest :]


def test_hints_name_dead_ends_by_kind(cues: Cues) -> None:
    found = hints(graph(FAILED, "It is unclear.", "Only some are listed.", ACTIVE), cues)
    assert [hint.kind for hint in found] == ["no_result", "unclear", "partial"]
    assert all(f'"query {number}"' in hint.text for number, hint in enumerate(found, start=1))


def test_dead_ends_are_the_queries_that_failed(cues: Cues) -> None:
    assert dead_ends(graph(FAILED, ACTIVE, "It is unclear.", ""), cues) == ("query 1", "query 3")


def test_early_stop_needs_confidence_a_number_and_no_failure_in_the_newest_summary(cues: Cues) -> None:
    def stops(*texts: str) -> bool:
        return "early_stop" in [hint.kind for hint in hints(graph(*texts), cues)]

    assert stops(RESOLVED)
    assert stops(ACTIVE, "收入明确为5亿元。")
    assert stops(RESOLVED, "")
    assert not stops(RESOLVED, ACTIVE)
    assert not stops("It is not clearly stated; page 4 has 12 rows.")
    assert not stops("It clearly names the chairman.")
    assert not stops("It clearly gives 45. The rest is not mentioned.")
    assert not stops("收入不清楚，共有5页。")
    assert not stops()
