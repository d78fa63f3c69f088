"""What a model is told of a reply that cannot be carried out, and what is recorded of a call that failed."""

import pytest
from support.world import call as scripted
from support.world import make_world

from taec.core.chat import Incident, Message, Reply, ToolCall
from taec.core.errors import SystemFailure
from taec.core.tools import ToolFault
from taec.systems.calls import first_step
from taec.systems.react import TOOLS


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(outcome="empty_response"), "Your reply was empty."),
        (Reply(outcome="truncated", text="I thi"), "cut off at the token limit"),
        (Reply(outcome="unparsed_tool_call", text="<tool_call>"), "could not be read"),
        (Reply(outcome="malformed_tool_call"), "could not be read"),
        (Reply(outcome="refusal"), "Reply with a tool call: search, answer."),
        (Reply(calls=(ToolCall("a", "look", {}),)), "There is no tool 'look'"),
        (Reply(calls=(ToolCall("a", "search", {}, fault="not JSON"),)), "not JSON"),
    ],
)
def test_what_the_model_is_told(reply: Reply, told: str) -> None:
    step = first_step(reply, TOOLS)
    assert isinstance(step, ToolFault)
    assert told in str(step)


async def test_a_failed_call_is_recorded_before_it_ends_its_question() -> None:
    world = make_world(Reply(outcome="timeout", failure="no answer within 5 s", incidents=(Incident("resent", "lost"), Incident("resent"))))
    with pytest.raises(SystemFailure, match="timeout: no answer within 5 s"):
        await world.session.call([Message.user("q")])
    trajectory = world.session.trajectory
    assert [made.outcome for made in trajectory.calls] == ["timeout"]
    assert (trajectory.notices, trajectory.events) == ({"resent": 2}, ["call 1: resent: lost"])


async def test_what_happened_on_the_way_to_a_reply_is_counted() -> None:
    reply = scripted("search", query="q")
    world = make_world(Reply(calls=reply.calls, incidents=(Incident("rate_limit_wait", "2.0 s"),)))
    assert (await world.session.call([Message.user("q")])).calls
    assert world.session.trajectory.notices == {"rate_limit_wait": 1}
