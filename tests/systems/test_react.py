"""ReAct: a growing history, the notice on a repeated query, the visual budget."""

from support.world import call, make_world, say, system


async def test_every_observation_stays_in_the_history() -> None:
    world = make_world(call("search", query="a"), call("search", query="b"), call("answer", response="42"))
    await system("react").answer(world.session)
    images = [sum(len(message.images) for message in seen.messages) for seen in world.script.seen]
    assert images == [0, 5, 10]
    assert world.session.trajectory.admitted[:5] == world.session.trajectory.admitted[5:]
    assert world.session.trajectory.answer == "42"


async def test_a_repeated_query_brings_a_notice_and_no_search() -> None:
    world = make_world(call("search", query="alpha"), call("search", query=" ALPHA "), call("answer", response="42"))
    await system("react").answer(world.session)
    assert world.retriever.queries == ["alpha"]
    assert world.session.trajectory.notices == {"repeated_query": 1}
    assert "searched before" in world.script.seen[2].messages[-1].text


async def test_under_a_visual_budget_all_images_share_it() -> None:
    world = make_world(call("search", query="a"), call("search", query="b"), call("answer", response="42"))
    await system("react", "system.visual_budget=200000").answer(world.session)
    allocated = [[image.allocated for message in seen.messages for image in message.images] for seen in world.script.seen]
    assert allocated == [[], [40_000] * 5, [20_000] * 10]


async def test_images_never_exceed_the_fresh_cap_under_a_large_budget() -> None:
    world = make_world(call("search", query="a"), call("answer", response="42"))
    await system("react", "system.visual_budget=9000000").answer(world.session)
    assert {image.allocated for message in world.script.seen[1].messages for image in message.images} == {60_000}


async def test_fallbacks_are_those_of_the_protocol() -> None:
    world = make_world(say("hm"), say("hm"), say("hm"), say("it is 42"), model_calls=2)
    await system("react").answer(world.session)
    assert [one.purpose for one in world.session.trajectory.calls] == ["act", "act", "forced", "plain_text"]
    assert world.session.trajectory.ending == "plain_text"


async def test_captions_are_cut_to_the_configured_length() -> None:
    world = make_world(call("search", query="a"), call("answer", response="42"))
    await system("react", "system.caption_characters=6").answer(world.session)
    assert (
        "Picture 1: filler\n" in world.script.seen[1].messages[3].text + "\n"
        or "Picture 1: filler" in world.script.seen[1].messages[3].text
    )
