"""What one question of the DAG agent can take."""

from taec.systems import prompts
from taec.systems.agent import tools
from taec.systems.agent.settings import AgentSettings
from taec.systems.base import Budgets
from taec.systems.bounds import USUAL_REPLY, Bounds, Course, Usual, growing, instructions, most_calls, usual

PLAIN = Usual(calls=4.94, images=20.0)
"""Means a question of the plain agent on ViDoSeek with Gemini-3.5-Flash (paper, table 6)."""
COORDINATED = Usual(calls=2.91, images=14.7)
"""The same of TAEC."""


def bounds(settings: AgentSettings, budgets: Budgets, reply_tokens: int) -> Bounds:
    """An answer at once; the published means; every call with a search's fresh pages and a full memory block.

    Each reply ends up in the graph or in the history, so the text of a call grows by one reply a call at most.
    """
    fixed = instructions(prompts.AGENT_SYSTEM, (tools.SEARCH, tools.SUMMARIZE, tools.ANSWER))
    first = budgets.pages if settings.first_search == "question" else 0
    calls, allocation = most_calls(budgets), settings.allocation
    memory = budgets.memory_pixels * (1 if allocation.pressure == "none" else 1 + allocation.rho)
    pixels = budgets.pages * budgets.fresh_pixels + min(memory, settings.memory.images * allocation.max_pixels)
    most = growing(calls, fixed, reply_tokens)
    published = COORDINATED if settings.admission.strategy == "coverage" else PLAIN
    return Bounds(
        Course(1, first, 0, fixed, 1),
        usual(published, fixed, USUAL_REPLY, budgets.fresh_pixels),
        Course(calls, calls * (budgets.pages + settings.memory.images), calls * pixels, most, calls * reply_tokens),
    )
