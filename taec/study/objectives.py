"""What a study can optimise: numbers of a run's rows."""

from collections.abc import Callable, Mapping, Sequence

from taec.analysis.statistics import answer_tokens, is_right
from taec.core.errors import InfrastructureError
from taec.records.rows import Row
from taec.study.settings import Objective

NAMES: Mapping[Objective, str] = {
    "accuracy": "accuracy (0..1)",
    "context_bytes": "context bytes a question",
    "cost": "US dollars a question",
    "tokens": "tokens a question",
}
_OF: Mapping[Objective, Callable[[Row], float | None]] = {
    "accuracy": lambda row: None if (right := is_right(row)) is None else float(right),
    "context_bytes": lambda row: float(row.context_bytes),
    "cost": lambda row: row.cost,
    "tokens": lambda row: None if (count := answer_tokens(row)) is None else float(count),
}


def per_question(objective: Objective, row: Row) -> float | None:
    """An objective's value of one question; None where it is unknown."""
    return _OF[objective](row)


def value(objective: Objective, rows: Sequence[Row]) -> float:
    """The mean over all rows. Raises InfrastructureError where it is unknown for one: a mean over some would be another number."""
    values = [per_question(objective, row) for row in rows]
    known = [each for each in values if each is not None]
    if not rows or len(known) < len(values):
        lacking = "no verdict" if objective == "accuracy" else "no tokens or no price"
        raise InfrastructureError(f"{len(values) - len(known)} of {len(values)} rows have {lacking}: the trial has no {objective}.")
    return sum(known) / len(known)
