"""The prompt between two steps: question with hints, the graph as JSON, and the block of re-presented pictures."""

import json

from taec.coordination.requirements import RequirementState
from taec.core.chat import Message, Part
from taec.core.trajectory import Trajectory
from taec.systems import prompts
from taec.systems.agent.exposure import Exposure
from taec.systems.agent.memory import MemoryPolicy


def build_prompt(
    trajectory: Trajectory, exposure: Exposure, memory: MemoryPolicy, tracked: RequirementState | None = None
) -> list[Message]:
    """System and user message, made from scratch. The memory budget follows the text as it is shown, after exposure (paper, A.5).

    `tracked` is the requirement state where the acting model reports on it, None where weights do not move.
    """
    graph = trajectory.graph
    question = prompts.question_line(trajectory.question)
    hints = [prompts.HINT.format(hint=hint) for hint in exposure.hints(graph.nodes)]
    rendered = json.dumps(exposure.render(graph.nodes), ensure_ascii=False)
    characters = len(question) + sum(map(len, hints)) + len(rendered)
    parts: list[Part] = ["\n".join([question, *_requirements(tracked), *hints, prompts.GRAPH.format(graph=rendered)])]
    node = ""
    for item in memory.present(graph, characters, tracked):
        if item.memory.node != node:
            node = item.memory.node
            parts.append(prompts.MEMORY.format(node=node))
        parts.append(item.image)
    return [Message.system(prompts.AGENT_SYSTEM), Message.user(*parts)]


def _requirements(tracked: RequirementState | None) -> list[str]:
    """The line that names the requirements to report on; none where nothing is tracked."""
    if tracked is None:
        return []
    still = [slot for slot, weight in zip(tracked.slots, tracked.weights, strict=True) if weight > 0]
    return [prompts.REQUIREMENTS.format(slots="; ".join(still)) if still else prompts.REQUIREMENTS_MET]
