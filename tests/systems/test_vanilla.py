"""Vanilla: one search, one call."""

from support.world import make_world, say, system


async def test_one_search_and_one_call() -> None:
    world = make_world(say(" 42 "))
    await system("vanilla").answer(world.session)
    trajectory = world.session.trajectory
    assert (len(trajectory.searches), len(trajectory.calls)) == (1, 1)
    assert trajectory.answer == "42"
    assert len(world.script.seen[0].messages[-1].images) == 5
    assert world.script.seen[0].tools == ()


async def test_an_empty_reply_is_a_named_failure() -> None:
    world = make_world(say("  "))
    await system("vanilla").answer(world.session)
    assert world.session.trajectory.failure == "no_answer"
