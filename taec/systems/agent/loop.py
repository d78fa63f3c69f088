"""The agent's loop: a state machine over tool calls, with the prompt rebuilt after every summary (paper, A.1)."""

from collections.abc import Mapping
from enum import Enum

from taec.coordination.requirements import RequirementState, resolve
from taec.core.chat import Message, Part, Reply
from taec.core.images import ImageRef
from taec.core.pages import Box
from taec.core.text import folded
from taec.core.trajectory import ROOT, Memory, Search
from taec.systems import prompts
from taec.systems.agent import admission, tools
from taec.systems.agent.exposure import Exposure
from taec.systems.agent.memory import MemoryPolicy
from taec.systems.agent.prompt import build_prompt
from taec.systems.agent.settings import AgentSettings
from taec.systems.base import Session
from taec.systems.calls import AnyTool, Step, answer_anyhow, answered, first_step


class State(Enum):
    """Where a question stands between two model calls."""

    READY = "ready"
    READING = "reading"
    DONE = "done"


TRANSITIONS: Mapping[State, Mapping[str, State]] = {
    State.READY: {"add_search_node": State.READING, "add_answer_node": State.DONE},
    State.READING: {"summarize_and_memorize": State.READY, "add_answer_node": State.DONE},
}
"""The legal moves. Anything else is refused with a text the model can act on, and costs the call."""

REFUSALS = {State.READING: prompts.SEARCH_REFUSED, State.READY: prompts.SUMMARY_REFUSED}


class Agent:
    """The DAG agent with three strategies: admission, exposure, allocation. One object serves all questions."""

    def __init__(self, settings: AgentSettings) -> None:
        self.settings = settings
        self.admission = admission.make(settings.admission)
        self.exposure = Exposure(settings.exposure)

    async def answer(self, session: Session) -> None:
        """See `System.answer`."""
        services = session.services
        memory = MemoryPolicy(self.settings.memory, self.settings.allocation, services.store, services.budgets.memory_pixels)
        state = await self.admission.requirements(session)
        tracks = services.slot_source.tracks_resolution and bool(state.slots)
        await Run(self, session, memory, state, tracks).answer()


class Run:
    """One question on its way through the states."""

    def __init__(self, agent: Agent, session: Session, memory: MemoryPolicy, requirements: RequirementState, tracks: bool) -> None:
        self._agent = agent
        self._settings = agent.settings
        self._session = session
        self._trajectory = session.trajectory
        self._memory = memory
        self._requirements = requirements
        self._tracks = tracks
        summarize = tools.summarize(regions=self._settings.memory.granularity == "region", resolved=tracks)
        self._tools: tuple[AnyTool, ...] = (tools.SEARCH, summarize, tools.ANSWER)
        self._state = State.READY
        self._pending: list[Memory] = []
        self._node = ROOT
        self._messages: list[Message] = []

    async def answer(self) -> None:
        """Step until the answer node, or until the calls are used."""
        self._rebuild()
        if self._settings.first_search == "question":
            await self._search_question()
        while self._session.calls_left:
            reply = await self._session.call(self._messages, self._tools)
            step = first_step(reply, self._tools)
            if not isinstance(step, Step):
                self._refuse(reply, str(step), "unusable_reply")
            elif step.tool not in TRANSITIONS[self._state]:
                self._refuse(reply, REFUSALS[self._state], f"refused_{step.tool}")
            else:
                await self._carry_out(reply, step)
                if self._state is State.DONE:
                    return
        await answer_anyhow(self._session, self._messages, tools.ANSWER, "answer")

    async def _carry_out(self, reply: Reply, step: Step) -> None:
        arguments = step.arguments
        if isinstance(arguments, tools.AddSearchNode):
            text, pictures = await self._search(arguments.id, arguments.parent_ids, arguments.query)
            self._messages += [*answered(reply, text), *pictures]
        elif isinstance(arguments, tools.SummarizeAndMemorize):
            self._summarise(arguments)
        elif isinstance(arguments, tools.AddAnswerNode):
            self._trajectory.graph.add_answer(arguments.parent_ids, arguments.answer)
            self._trajectory.answer, self._trajectory.ending = arguments.answer, "answered"
        self._state = TRANSITIONS[self._state][step.tool]

    async def _search_question(self) -> None:
        """The harness searches the question before the first call; its pages join the first prompt, not a made-up assistant turn:
        providers that sign tool calls refuse those."""
        text, pictures = await self._search("question", [ROOT], self._session.question)
        found = prompts.FIRST_SEARCH.format(node=self._node, found=text)
        prompt = self._messages[-1]
        parts = [part for message in pictures for part in message.parts]
        self._messages[-1] = Message.user(*prompt.parts, found, *parts)
        self._state = State.READING

    async def _search(self, node_id: str, parents: list[str], query: str) -> tuple[str, list[Message]]:
        """Search, admit, record; returns the tool's text and the message with the pictures."""
        graph, pages = self._trajectory.graph, set(self._trajectory.admitted)
        found = await admission.search(self._session, self._agent.admission, self._settings.admission, query, self._requirements, pages)
        admitted = tuple(choice.page_id for choice in found.admitted)
        node, warnings = graph.add_search(node_id, parents, query, admitted)
        scores = tuple(round(choice.slot_score, 4) for choice in found.admitted)
        self._session.record_search(Search(query, found.candidates, admitted, scores, found.seen))
        self._node = node.id
        self._pending = [Memory(choice.page_id, node.id, "page", 1, 1.0, choice.rank, choice.slot_score) for choice in found.admitted]
        for _ in warnings:
            self._trajectory.notice("graph_warning")
        fresh = self._session.services.budgets.fresh_pixels
        text, pictures = picture_message([ImageRef(page, fresh) for page in admitted])
        return " ".join([text, *warnings]), pictures

    def _summarise(self, arguments: tools.SummarizeAndMemorize) -> None:
        """Keep what the model asked to keep, and rebuild the prompt from scratch."""
        kept: list[Memory] = []
        earlier = self._trajectory.graph.memories
        wanted = {picture.picture: picture for picture in arguments.memorize}
        for number, picture in wanted.items():
            if not 1 <= number <= len(self._pending):
                self._trajectory.notice("unknown_picture")
                continue
            shown = self._pending[number - 1]
            priority = self._memory.priority(shown.page_id, shown.slot_score, [*earlier, *kept])
            kept.append(retained(shown, picture, priority))
        self._trajectory.graph.summarise(self._node, arguments.summarize, kept)
        self._resolve(tools.resolved(arguments))
        self._rebuild()

    def _resolve(self, names: list[str]) -> None:
        """Requirements that the model reports as settled lose their weight, in the next admission and allocation alike."""
        known = {folded(slot) for slot in self._requirements.slots}
        for _ in (name for name in names if folded(name) not in known):
            self._trajectory.notice("unknown_requirement")
        if known & {folded(name) for name in names}:
            self._requirements = resolve(self._requirements, names)
            settled = "; ".join(name for name in names if folded(name) in known)
            self._trajectory.events.append(f"after {self._node}: resolved {settled}")

    def _rebuild(self) -> None:
        tracked = self._requirements if self._tracks else None
        self._messages = build_prompt(self._trajectory, self._agent.exposure, self._memory, tracked)

    def _refuse(self, reply: Reply, text: str, kind: str) -> None:
        self._trajectory.notice(kind)
        self._messages += answered(reply, text)


def retained(shown: Memory, picture: tools.UsefulPicture, priority: float) -> Memory:
    """The memory of a shown page: the region the model named where it named a proper one, else the whole page."""
    box = _box(picture.region) if isinstance(picture, tools.UsefulRegion) else None
    return Memory(
        page_id=shown.page_id,
        node=shown.node,
        granularity="region" if box else "page",
        self_reported=picture.priority_score,
        priority=priority,
        rank=shown.rank,
        slot_score=shown.slot_score,
        box=box,
    )


def _box(region: list[int]) -> Box | None:
    try:
        left, top, right, bottom = (min(max(value, 0), 1000) / 1000 for value in region)
        return Box(left, top, right, bottom)
    except ValueError:  # not four numbers, or an empty area
        return None


def picture_message(images: list[ImageRef]) -> tuple[str, list[Message]]:
    """The text that announces found pages, and the user message that shows them; k restarts at every search."""
    if not images:
        return f"{prompts.FOUND_NOTHING_NEW} {prompts.SUMMARISE_NOTHING}", []
    parts: list[Part] = []
    for number, image in enumerate(images, start=1):
        parts += [prompts.PICTURE.format(number=number), image]
    text = prompts.FOUND.format(count=len(images)) if len(images) > 1 else prompts.FOUND_ONE
    return text, [Message.user(*parts, prompts.SUMMARISE_NOW)]
