"""The agent's state machine, fallbacks and counters, played by a scripted model."""

import pytest
from support.world import World, call, make_world, say, system

from taec.core.chat import Reply, ToolCall
from taec.core.questions import Question
from taec.records.rows import make_row

SUMMARY = call("summarize_and_memorize", summarize="Nothing clear yet.", memorize=[{"picture": 1, "priority_score": 4}])
ANSWER = call("add_answer_node", parent_ids=["question"], answer="42")


def search(node: str, query: str = "more", parents: tuple[str, ...] = ("question",)) -> Reply:
    return call("add_search_node", id=node, parent_ids=list(parents), query=query)


async def play(world: World, name: str, *overrides: str, ablation: str = "none") -> World:
    await system(name, *overrides, ablation=ablation).answer(world.session)
    return world


async def test_the_question_is_searched_before_the_first_call() -> None:
    world = await play(make_world(SUMMARY, ANSWER), "dag")
    assert world.retriever.queries == ["What are\nalpha and beta?"]
    first = world.script.seen[0].messages
    assert [message.role for message in first] == ["system", "user"]
    assert len(first[-1].images) == 5
    assert "Question: What are alpha and beta?" in first[-1].text
    assert world.session.trajectory.answer == "42"
    assert world.session.trajectory.ending == "answered"


async def test_the_model_may_make_the_first_search_itself() -> None:
    world = await play(make_world(search("a", parents=("root",)), SUMMARY, ANSWER), "dag", "system.first_search=model")
    assert world.retriever.queries == ["more"]
    assert not world.script.seen[0].messages[-1].images


async def test_a_second_search_before_the_summary_is_refused_and_costs_a_call() -> None:
    world = await play(make_world(search("a"), search("b"), SUMMARY, ANSWER), "dag")
    trajectory = world.session.trajectory
    assert len(trajectory.searches) == 1
    assert trajectory.notices == {"refused_add_search_node": 2}
    assert len(trajectory.calls) == 4
    refusal = world.script.seen[1].messages[-1]
    assert refusal.role == "tool"
    assert "summarize_and_memorize" in refusal.text


async def test_a_summary_without_a_search_is_refused() -> None:
    world = await play(make_world(SUMMARY, SUMMARY, ANSWER), "dag")
    assert world.session.trajectory.notices == {"refused_summarize_and_memorize": 1}


async def test_the_prompt_is_rebuilt_after_a_summary_with_the_kept_pictures_at_their_allocation() -> None:
    world = await play(make_world(SUMMARY, search("a"), ANSWER), "dag")
    rebuilt = world.script.seen[1].messages
    assert [message.role for message in rebuilt] == ["system", "user"]
    assert "Nothing clear yet." in rebuilt[-1].text
    assert "Memory of node question:" in rebuilt[-1].text
    assert len(rebuilt[-1].images) == 1
    assert rebuilt[-1].images[0].allocated == 200_000


async def test_seen_pages_leave_after_selection_as_in_the_paper() -> None:
    world = await play(make_world(SUMMARY, search("a"), ANSWER), "dag")
    second = world.session.trajectory.searches[1]
    assert second.admitted == ()
    assert len(second.seen) == 5
    assert "no page that was not shown before" in world.script.seen[2].messages[-1].text


async def test_seen_pages_can_leave_before_selection() -> None:
    world = await play(make_world(SUMMARY, search("a"), ANSWER), "taec", "system.admission.filter=before_selection")
    first, second = world.session.trajectory.searches
    assert len(second.admitted) == 5
    assert not set(first.admitted) & set(second.admitted)


async def test_coverage_admits_the_pages_that_support_the_slots() -> None:
    world = await play(make_world(SUMMARY, ANSWER), "taec")
    search_record = world.session.trajectory.searches[0]
    assert search_record.candidates == 25
    assert search_record.admitted[0] == "d.pdf_p1"
    assert {"d.pdf_p7", "d.pdf_p9"} <= set(search_record.admitted)
    assert world.session.trajectory.slots == ("alpha", "beta")


@pytest.mark.parametrize(("ablation", "asks"), [("A", True), ("M", False), ("V", False), ("MV", False), ("AV", True)])
async def test_slots_are_asked_for_only_where_admission_uses_them(ablation: str, asks: bool) -> None:
    world = await play(make_world(SUMMARY, ANSWER), "taec", ablation=ablation)
    assert bool(world.session.trajectory.slots) is asks


async def test_hints_reach_the_prompt_under_taec_only() -> None:
    fruitless = call("summarize_and_memorize", summarize="No relevant information was not the case; the value was not found.")
    for name, expected in (("taec", True), ("dag", False)):
        world = await play(make_world(fruitless, ANSWER), name)
        assert ("Hint: " in world.script.seen[1].messages[-1].text) is expected


async def test_an_unusable_reply_is_answered_with_what_to_do_and_counts() -> None:
    broken = Reply(calls=(ToolCall("c1", "add_answer_node", {}, fault="not JSON"),))
    unknown = call("fly")
    world = await play(make_world(broken, unknown, say("I think it is 42."), call("add_answer_node", answer=""), ANSWER), "dag")
    assert world.session.trajectory.notices == {"unusable_reply": 4}
    assert len(world.session.trajectory.calls) == 5
    assert world.session.trajectory.answer == "42"


async def test_only_the_first_of_several_calls_is_carried_out_and_each_is_answered_once() -> None:
    both = Reply(
        calls=(
            ToolCall("c1", "add_search_node", {"id": "a", "parent_ids": [], "query": "q"}),
            ToolCall("c2", "add_answer_node", {"answer": "no"}),
        )
    )
    world = await play(make_world(SUMMARY, both, ANSWER), "dag")
    assert world.session.trajectory.answer == "42"
    results = [message for message in world.script.seen[2].messages if message.role == "tool"]
    assert [result.call_id for result in results] == ["c1", "c2"]


async def test_after_the_ceiling_comes_a_forced_answer() -> None:
    world = await play(make_world(*[say("hm")] * 3, ANSWER, model_calls=3), "dag")
    assert world.session.trajectory.ending == "forced"
    assert world.session.trajectory.answer == "42"
    assert world.script.seen[-1].tools == ("add_answer_node",)
    assert world.script.seen[-1].choice == "required"


async def test_without_a_forced_tool_call_the_plain_text_counts() -> None:
    world = await play(make_world(say("it is 42"), model_calls=2), "dag")
    assert world.session.trajectory.ending == "plain_text"
    assert world.session.trajectory.answer == "it is 42"
    assert [call.purpose for call in world.session.trajectory.calls] == ["act", "act", "forced", "plain_text"]


async def test_no_answer_at_all_is_a_named_failure() -> None:
    world = await play(make_world(say(""), model_calls=1), "dag")
    assert world.session.trajectory.failure == "no_answer"
    assert world.session.trajectory.answer is None


async def test_a_search_answered_without_a_summary_is_a_node() -> None:
    world = await play(make_world(ANSWER), "dag")
    assert [node.id for node in world.session.trajectory.graph.nodes] == ["root", "question", "answer"]


async def test_a_region_is_kept_as_a_crop() -> None:
    keep = call("summarize_and_memorize", summarize="Seen.", memorize=[{"picture": 2, "priority_score": 5, "region": [0, 0, 500, 250]}])
    world = await play(make_world(keep, ANSWER), "taec", "system.memory.granularity=region")
    memory = world.session.trajectory.graph.memories[0]
    assert memory.granularity == "region"
    image = world.script.seen[1].messages[-1].images[0]
    assert image.width > image.height


async def test_every_picture_out_of_range_is_left_out_and_noticed() -> None:
    keep = call(
        "summarize_and_memorize", summarize="Seen.", memorize=[{"picture": 9, "priority_score": 5}, {"picture": 0, "priority_score": 5}]
    )
    world = await play(make_world(keep, ANSWER), "dag")
    assert world.session.trajectory.graph.memories == ()
    assert world.session.trajectory.notices["unknown_picture"] == 2


async def test_counters_of_the_row_follow_the_calls() -> None:
    world = await play(make_world(SUMMARY, ANSWER), "dag")
    question = Question("q1", "?", ("42",), "Int", True, gold=frozenset({"d.pdf_p3"}))
    row = make_row(question, world.session.trajectory, 1.0, "code", "print")
    assert (row.model_calls, row.searches, row.admitted_pages, row.distinct_pages) == (2, 1, 5, 5)
    assert row.images == 6
    assert row.context_bytes == sum(image.base64_bytes for seen in world.script.seen for m in seen.messages for image in m.images)
    assert row.peak_call_bytes < row.context_bytes
    assert row.sent_pixels <= row.allocated_pixels
    assert row.covered is True


async def test_resolved_requirements_move_admission_and_detail() -> None:
    keep = [{"picture": number, "priority_score": 4} for number in range(1, 6)]
    settled = call("summarize_and_memorize", summarize="Alpha is 17.", memorize=keep, resolved=["alpha"])
    same = call("summarize_and_memorize", summarize="Alpha is 17.", memorize=keep)
    pixels = []
    for reply in (settled, same):
        world = make_world(reply, search("a"), call("summarize_and_memorize", summarize="More."), ANSWER, tracks_resolution=True)
        await play(world, "taec", "system.allocation.kappa=0.0", "system.allocation.tau=20.0")
        memories = world.session.trajectory.graph.memories
        shown = {memory.page_id: image.allocated for memory, image in zip(memories, world.script.seen[3].messages[-1].images, strict=True)}
        pixels.append(shown)
    assert pixels[0]["d.pdf_p7"] < pixels[1]["d.pdf_p7"]
    assert pixels[0]["d.pdf_p9"] > pixels[1]["d.pdf_p9"]


@pytest.mark.parametrize(("tracks", "ablation"), [(False, "none"), (True, "V"), (True, "M")])
async def test_requirements_are_reported_on_only_where_they_are_asked_for_and_tracked(tracks: bool, ablation: str) -> None:
    world = await play(make_world(SUMMARY, ANSWER, tracks_resolution=tracks), "taec", ablation=ablation)
    assert not any("Requirements" in message.text for seen in world.script.seen for message in seen.messages)
