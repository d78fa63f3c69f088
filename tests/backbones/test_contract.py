"""What every backbone owes to every system: legal replies, whatever the prompt holds."""

import json
from collections.abc import Callable, Sequence

import pytest
from pydantic import BaseModel

from taec.backbones.base import Backbone
from taec.core.chat import Message, Reply, ToolCall
from taec.core.images import EncodedImage
from taec.core.tools import Tool
from taec.systems import react
from taec.systems.agent import tools

AGENT: tuple[Tool[BaseModel], ...] = (tools.SEARCH, tools.SUMMARIZE, tools.ANSWER)
REGIONS: tuple[Tool[BaseModel], ...] = (tools.SEARCH, tools.SUMMARIZE_REGIONS, tools.ANSWER)
REACT: tuple[Tool[BaseModel], ...] = (react.SEARCH, react.ANSWER)
SETS = {"agent": AGENT, "regions": REGIONS, "react": REACT, "agent_answer": AGENT[2:], "react_answer": REACT[1:]}

QUESTION = "According to register QX77BZ312, what was the engine type?"
BACKBONES = ["make_reader"]


@pytest.fixture(params=BACKBONES, scope="module")
def backbone(request: pytest.FixtureRequest) -> Backbone:
    make: Callable[[], Backbone] = request.getfixturevalue(request.param)
    return make()


def checked(reply: Reply, offered: Sequence[Tool[BaseModel]]) -> Reply:
    by_name = {tool.name: tool for tool in offered}
    for call in reply.calls:
        by_name[call.name].parse(dict(call.arguments))
    assert reply.outcome == "ok"
    assert reply.calls or reply.text.strip()
    assert reply.model
    return reply


def pictures(*images: EncodedImage) -> list[str | EncodedImage]:
    return [part for number, image in enumerate(images, start=1) for part in (f"Picture {number}", image)]


def state(question: str, *nodes: dict[str, object], hints: Sequence[str] = ()) -> str:
    graph = [{"id": "root", "question": question}, *nodes]
    return "\n".join([f"Question: {question}", *(f"Hint: {hint}" for hint in hints), "Action graph:", json.dumps(graph)])


def prompts(images: list[EncodedImage]) -> dict[str, list[Message]]:
    call = ToolCall("c1", "search", {"query": QUESTION})
    return {
        "question_only": [Message.system("Work."), Message.user(f"Question: {QUESTION}")],
        "first_search": [Message.user(state(QUESTION, {"id": "q", "parents": ["root"], "query": QUESTION}), *pictures(*images))],
        "after_search": [
            Message.user(f"Question: {QUESTION}"),
            Message("assistant", (), (call,)),
            Message.tool(call, "Found."),
            Message.user(*pictures(*images)),
        ],
        "rebuilt": [Message.user(state(QUESTION, {"id": "q", "query": QUESTION, "summary": "Nothing."}), "Memory of node q:", *images)],
        "nothing_found": [Message.user(f"Question: {QUESTION}"), Message("assistant", (), (call,)), Message.tool(call, "Nothing new.")],
        "broken_graph": [Message.user(f'Question: {QUESTION}\nAction graph:\n[{{"id": "q", "que', *images)],
        "chinese": [Message.user("Question: 灯塔是哪一年建成的？", *pictures(*images))],
        "no_question": [Message.user(*images)],
        "empty": [],
    }


@pytest.mark.parametrize("shape", list(prompts([])))
@pytest.mark.parametrize("offered", SETS.values(), ids=SETS)
@pytest.mark.parametrize("with_pages", [False, True], ids=["no_images", "images"])
async def test_reply_is_legal(
    backbone: Backbone,
    shape: str,
    offered: Sequence[Tool[BaseModel]],
    with_pages: bool,
    record_page: EncodedImage,
    blank_page: EncodedImage,
) -> None:
    messages = prompts([blank_page, record_page] if with_pages else [])[shape]
    reply = checked(await backbone.reply(messages, offered, "required"), offered)
    assert len(reply.calls) == 1


@pytest.mark.parametrize("shape", list(prompts([])))
async def test_without_tools_the_reply_is_text(backbone: Backbone, shape: str, record_page: EncodedImage) -> None:
    messages = prompts([record_page])[shape]
    for offered in ((), AGENT):
        reply = checked(await backbone.reply(messages, offered, "none"), ())
        assert not reply.calls


async def test_unknown_tool_gets_text(backbone: Backbone, record_page: EncodedImage) -> None:
    unknown = Tool("paint", "Paint a picture.", react.AnswerArguments)
    reply = await backbone.reply(prompts([record_page])["first_search"], [unknown], "auto")
    assert reply.text
    assert not reply.calls


async def test_same_prompt_same_reply(backbone: Backbone, record_page: EncodedImage) -> None:
    messages = prompts([record_page])["first_search"]
    assert await backbone.reply(messages, AGENT, "auto") == await backbone.reply(messages, AGENT, "auto")


@pytest.mark.parametrize(
    "question", [QUESTION, "Which accident was later: the one at Port Ellis or the one at Barrow?", "年收入是多少？", "Why?"]
)
async def test_agent_searches_without_repeating_and_ends(backbone: Backbone, question: str, blank_page: EncodedImage) -> None:
    nodes: list[dict[str, object]] = [{"id": "q", "parents": ["root"], "query": question}]
    messages = [Message.user(state(question, *nodes), *pictures(blank_page))]
    for _ in range(20):
        (call,) = checked(await backbone.reply(messages, AGENT, "auto"), AGENT).calls
        if call.name == "add_answer_node":
            break
        if call.name == "summarize_and_memorize":
            nodes[-1]["summary"] = call.arguments["summarize"]
            messages = [Message.user(state(question, *nodes))]
        else:
            nodes.append({"id": call.arguments["id"], "parents": ["root"], "query": call.arguments["query"]})
            messages = [*messages, Message("assistant", (), (call,)), Message.tool(call, "Found."), Message.user(*pictures(blank_page))]
    assert call.name == "add_answer_node"
    queries = [str(node["query"]) for node in nodes]
    assert len(set(queries)) == len(queries)
    assert len({node["id"] for node in nodes}) == len(nodes)


async def test_react_searches_without_repeating_and_ends(backbone: Backbone, blank_page: EncodedImage) -> None:
    messages, queries = [Message.user(f"Question: {QUESTION}")], []
    for _ in range(20):
        (call,) = checked(await backbone.reply(messages, REACT, "auto"), REACT).calls
        if call.name == "answer":
            break
        queries.append(str(call.arguments["query"]).casefold())
        messages += [Message("assistant", (), (call,)), Message.tool(call, "Found."), Message.user(*pictures(blank_page))]
    assert call.name == "answer"
    assert queries
    assert len(set(queries)) == len(queries)
