"""What one question can take by a system's own rules: the least, the usual and the most. Pure arithmetic, for `plan`."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from taec.systems.base import Budgets
from taec.systems.calls import AnyTool

CHARACTERS_A_TOKEN = 4
"""Of English text, roughly; Chinese has fewer."""
QUESTION_CHARACTERS = 300
USUAL_REPLY = 80
"""Tokens of a usual reply: a query, or a summary of two sentences (ours)."""
ENDINGS = 2
"""Calls after the ceiling: the forced answer and the plain-text question."""


@dataclass(frozen=True, slots=True)
class Course:
    """One course of a question: model calls, images and their pixels over all calls, tokens of text in and tokens out.

    At the least, pixels are 0: how far the cap on an image's bytes shrinks a page is for the page to say.
    """

    calls: float
    images: float
    pixels: float
    text_tokens: float
    reply_tokens: float


class Bounds(NamedTuple):
    """The least, the usual and the most that one question takes."""

    low: Course
    expected: Course
    high: Course


class Usual(NamedTuple):
    """Means a question as they were published."""

    calls: float
    images: float


def instructions(system: str, tools: Sequence[AnyTool]) -> float:
    """Tokens of text that every call of a system carries."""
    schemas = sum(len(tool.name) + len(tool.description) + len(json.dumps(tool.schema())) for tool in tools)
    return (len(system) + schemas + QUESTION_CHARACTERS) / CHARACTERS_A_TOKEN


def growing(calls: int, fixed: float, step: float) -> float:
    """Tokens of text over `calls` calls, each of which carries `fixed` and one more `step` than the one before."""
    return calls * fixed + step * calls * (calls - 1) / 2


def usual(published: Usual, fixed: float, step: float, pixels: int) -> Course:
    """A course with published means of calls and images, each of `pixels` at most."""
    calls = math.ceil(published.calls)
    text = growing(calls, fixed, step) * published.calls / calls
    return Course(published.calls, published.images, published.images * pixels, text, published.calls * USUAL_REPLY)


def most_calls(budgets: Budgets) -> int:
    """Calls that a question takes at most."""
    return budgets.model_calls + ENDINGS
