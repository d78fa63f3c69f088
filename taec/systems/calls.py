"""What every tool-calling system does with a reply: take the first call, answer the others, ask for one where there is none."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from taec.core.chat import Message, Reply, ToolCall
from taec.core.tools import Tool, ToolFault
from taec.systems import prompts
from taec.systems.base import Session

AnyTool = Tool[BaseModel]

TOLD = {
    "empty_response": prompts.EMPTY_REPLY,
    "truncated": prompts.CUT_OFF,
    "malformed_tool_call": prompts.UNREADABLE_CALL,
    "unparsed_tool_call": prompts.UNREADABLE_CALL,
}
"""What the model is told of a reply without a call, by the reply's outcome; of any other it is told to call a tool."""


@dataclass(frozen=True, slots=True)
class Step:
    """The one call of a reply that is carried out, with its arguments validated."""

    call: ToolCall
    tool: str
    arguments: BaseModel


def first_step(reply: Reply, tools: Sequence[AnyTool]) -> Step | ToolFault:
    """The first call of `reply`, or what to tell the model where it cannot be carried out."""
    if not reply.calls:
        return ToolFault(TOLD.get(reply.outcome, prompts.CALL_A_TOOL).format(tools=_names(tools)))
    call = reply.calls[0]
    by_name = {tool.name: tool for tool in tools}
    if call.name not in by_name:
        return ToolFault(prompts.UNKNOWN_TOOL.format(name=call.name, tools=_names(tools)))
    if call.fault:
        return ToolFault(prompts.UNREADABLE.format(name=call.name, fault=call.fault))
    try:
        return Step(call, call.name, by_name[call.name].parse(dict(call.arguments)))
    except ToolFault as fault:
        return fault


def answered(reply: Reply, text: str) -> list[Message]:
    """The reply and the results of its calls as they join the history: `text` for the first, a refusal for each further one."""
    if not reply.calls:
        said = [Message.assistant(reply)] if reply.text else []
        return [*said, Message.user(text)]
    results = [Message.tool(reply.calls[0], text)]
    results += [Message.tool(call, prompts.ONE_AT_A_TIME) for call in reply.calls[1:]]
    return [Message.assistant(reply), *results]


async def answer_anyhow(session: Session, messages: Sequence[Message], tool: AnyTool, field: str) -> None:
    """The protocol's end once all calls are used: a forced-answer call and, where that gives no tool call, a plain-text question."""
    asked = [*messages, Message.user(prompts.ANSWER_NOW.format(tool=tool.name))]
    step = first_step(await session.call(asked, [tool], "required", "forced"), [tool])
    trajectory = session.trajectory
    if isinstance(step, Step):
        trajectory.answer, trajectory.ending = str(getattr(step.arguments, field)), "forced"
        return
    asked = [*messages, Message.user(prompts.ANSWER_IN_TEXT)]
    reply = await session.call(asked, (), "none", "plain_text")
    if text := reply.text.strip():
        trajectory.answer, trajectory.ending = text, "plain_text"
    else:
        trajectory.failure = "no_answer"


def _names(tools: Sequence[AnyTool]) -> str:
    return ", ".join(tool.name for tool in tools)
