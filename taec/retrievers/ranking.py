"""From scores to hits, the same way for every index."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from taec.core.pages import Hit

Scores: TypeAlias = NDArray[np.float32]

DECIMALS = 6
"""Scores are rounded to this: the last bits differ between processors and between equal captions, and would decide ties."""


def check_k(k: int) -> None:
    """Raises ValueError unless at least one hit is asked for."""
    if k < 1:
        raise ValueError(f"a search asks for at least one page, not k={k}")


def rounded(scores: Scores, decimals: int = DECIMALS) -> NDArray[np.float64]:
    """Scores as they are compared and given out."""
    return scores.astype(np.float64).round(decimals)


def best(scores: Scores, page_ids: Sequence[str], k: int, decimals: int = DECIMALS) -> list[Hit]:
    """The `k` highest of `scores` (one a page, in collection order), ties in collection order."""
    compared = rounded(scores, decimals)
    order = np.argsort(-compared, kind="stable")[:k]
    return [Hit(page_ids[position], float(compared[position])) for position in order]
