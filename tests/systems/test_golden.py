"""The prompts and one whole trajectory, word for word. TAEC_REGENERATE=1 writes the files anew; the difference is for a person to read."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.world import World, call, make_world, say, system

from taec.core.chat import Message
from taec.records.trajectories import record
from taec.systems.agent import tools

GOLDEN = Path(__file__).parents[1] / "golden"

SCRIPT = (
    call(
        "summarize_and_memorize",
        summarize="Picture 2 clearly states that alpha is 17. Beta is on none of the pictures.",
        memorize=[{"picture": 2, "priority_score": 4}, {"picture": 3, "priority_score": 2}],
    ),
    call("add_search_node", id="beta", parent_ids=["question"], query="beta figures"),
    call("summarize_and_memorize", summarize="No relevant information found for 'beta figures'."),
    call("add_search_node", id="beta_2", parent_ids=["beta", "unknown"], query="beta of the year"),
    call("summarize_and_memorize", summarize="Nothing new was shown.", memorize=[]),
    call("add_search_node", id="beta_2", parent_ids=["root"], query="yearly beta"),
    call("summarize_and_memorize", summarize="The beta value is partially visible."),
    call("add_answer_node", parent_ids=["question"], answer="17 and unknown"),
)


def as_text(messages: Sequence[Message]) -> str:
    lines = []
    for message in messages:
        lines.append(f"--- {message.role}{' for ' + message.call_id if message.call_id else ''}")
        for part in message.parts:
            lines.append(part if isinstance(part, str) else f"[image {part.width}x{part.height} of {part.allocated} pixels]")
        lines += [f"[call {one.name} {json.dumps(dict(one.arguments))}]" for one in message.calls]
    return "\n".join(lines) + "\n"


def check(name: str, text: str) -> None:
    file = GOLDEN / name
    if "TAEC_REGENERATE" in os.environ:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text


async def played(name: str, *replies: object) -> World:
    world = make_world(*replies)  # type: ignore[arg-type]
    await system(name).answer(world.session)
    return world


@pytest.mark.parametrize("name", ["dag", "taec"])
async def test_agent_prompts(name: str) -> None:
    world = await played(name, *SCRIPT)
    check(f"prompts/{name}.txt", "\n".join(as_text(seen.messages) for seen in world.script.seen))


async def test_prompts_where_requirements_are_tracked() -> None:
    """The variant `semantic`: open requirements stand in the prompt, what a summary reports as settled leaves them."""
    replies = [
        call("summarize_and_memorize", **SCRIPT[0].calls[0].arguments, resolved=["Alpha", "gamma"]),
        *SCRIPT[1:4],
        call("summarize_and_memorize", summarize="Beta is 4.", resolved=["alpha", "beta"]),
        SCRIPT[-1],
    ]
    world = make_world(*replies, tracks_resolution=True)
    await system("taec").answer(world.session)
    check("prompts/taec-semantic.txt", "\n".join(as_text(seen.messages) for seen in world.script.seen))
    assert world.session.trajectory.notices["unknown_requirement"] == 1


async def test_the_tool_that_tracks_requirements() -> None:
    for name, regions in (("summarize_and_resolve", False), ("summarize_and_resolve_regions", True)):
        tool = tools.summarize(regions=regions, resolved=True)
        check(f"prompts/{name}.json", json.dumps(tool.schema(), indent=1) + "\n")


async def test_react_prompts() -> None:
    world = await played("react", call("search", query="a"), call("search", query="A"), say("hm"), call("answer", response="42"))
    check("prompts/react.txt", as_text(world.script.seen[-1].messages))


async def test_vanilla_prompt() -> None:
    world = await played("vanilla", say("42"))
    check("prompts/vanilla.txt", as_text(world.script.seen[0].messages))


async def test_one_whole_trajectory() -> None:
    world = await played("taec", *SCRIPT)
    trajectory = world.session.trajectory
    trajectory.calls = [replace(one, seconds=0.0) for one in trajectory.calls]
    check("trajectory/taec.json", record("q1", trajectory).model_dump_json(indent=1) + "\n")
