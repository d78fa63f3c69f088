"""What a run spends: tokens and dollars of its models, by the prices in the configuration. What is not known is None, never 0."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from taec.analysis.statistics import answer_tokens
from taec.backbones import openai_chat
from taec.core.errors import InfrastructureError, UsageError
from taec.core.settings import Settings
from taec.experiment.config import Config
from taec.records.rows import Row

MILLION = 1e6


class BudgetReached(InfrastructureError):
    """Going on might pass the budget. What is finished stays, and a larger budget goes on."""


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens in and out."""

    input: float | None
    output: float | None

    def cost(self, prompt: float | None, completion: float | None) -> float | None:
        """Dollars; None where a price or a number of tokens is unknown. Cached input counts in full: what was cached is not reported."""
        if None in (self.input, self.output, prompt, completion):
            return None
        return ((self.input or 0) * (prompt or 0) + (self.output or 0) * (completion or 0)) / MILLION


UNKNOWN = Prices(None, None)


def served(settings: Settings) -> openai_chat.Settings | None:
    """The served model that an option's settings are, or hold."""
    if isinstance(settings, openai_chat.Settings):
        return settings
    inner = (getattr(settings, name) for name in type(settings).model_fields)
    return next((found for node in inner if isinstance(node, Settings) and (found := served(node))), None)


def prices(settings: Settings) -> Prices:
    """What the served model in an option costs; unknown where none is in it."""
    model = served(settings)
    return Prices(model.prices.input, model.prices.output) if model else UNKNOWN


@dataclass(frozen=True, slots=True)
class PriceList:
    """Prices of the models of one run."""

    acting: Prices
    requirements: Prices
    judge: Prices

    @classmethod
    def of(cls, config: Config) -> "PriceList":
        """The prices that a configuration holds."""
        return cls(*(prices(config.options[kind]) for kind in ("backbone", "requirements", "judge")))

    def answered(self, row: Row) -> Row:
        """The row with the cost of its answer."""
        acting = self.acting.cost(row.prompt_tokens, row.completion_tokens)
        slots = self.requirements.cost(row.requirement_prompt_tokens, row.requirement_completion_tokens) if row.requirement_calls else 0.0
        return row.model_copy(update={"cost": _sum(acting, slots)})


def judged_at(judge: Prices, fresh: Row, before: Row) -> Row:
    """The row with the cost of its latest judging added to that of earlier ones, which other judges may have given at other prices."""
    if fresh.judge_calls == before.judge_calls:
        return fresh
    earlier = (before.judge_prompt_tokens, before.judge_completion_tokens, before.judge_cost) if before.judge_calls else (0, 0, 0.0)
    prompt, completion = _difference(fresh.judge_prompt_tokens, earlier[0]), _difference(fresh.judge_completion_tokens, earlier[1])
    return fresh.model_copy(update={"judge_cost": _sum(judge.cost(prompt, completion), earlier[2])})


def _difference(after: int | None, before: int | None) -> int | None:
    return None if after is None or before is None else after - before


Stage = Literal["answer", "verdict"]


def tokens(row: Row, stage: Stage) -> float | None:
    """Tokens in and out of all models of a row's answer, or of its verdict."""
    if stage == "answer":
        return answer_tokens(row)
    return _sum(row.judge_prompt_tokens, row.judge_completion_tokens) if row.judge_calls else 0.0


def dollars(row: Row, stage: Stage) -> float | None:
    """Dollars of a row's answer, or of its verdict."""
    if stage == "answer":
        return row.cost
    return row.judge_cost if row.judge_calls else 0.0


def _sum(*values: float | None) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


@dataclass(slots=True)
class Meter:
    """One limit of a run and what counts against it. A question whose use is unknown counts as the most that any took."""

    key: str
    limit: float
    of: Callable[[Row, Stage], float | None]
    known: float = 0.0
    unknown: dict[Stage, int] = field(default_factory=lambda: {"answer": 0, "verdict": 0})
    worst: dict[Stage, float] = field(default_factory=dict)
    open: dict[Stage, int] = field(default_factory=lambda: {"answer": 0, "verdict": 0})

    def add(self, row: Row, stage: Stage) -> None:
        used = self.of(row, stage)
        if used is None:
            self.unknown[stage] += 1
        else:
            self.known += used
            self.worst[stage] = max(self.worst.get(stage, 0.0), used)

    @property
    def spent(self) -> float:
        return self.known + sum(count * self.worst.get(stage, 0.0) for stage, count in self.unknown.items())

    def admits(self, stage: Stage) -> bool:
        """Whether one more fits, where it and all that are under way take the most that any took so far."""
        reserved = sum(count * self.worst.get(each, 0.0) for each, count in self.open.items())
        return self.spent + reserved + self.worst.get(stage, 0.0) <= self.limit

    def is_blind(self, stage: Stage) -> bool:
        """Whether nothing is known yet of what one takes."""
        return stage not in self.worst


class Purse:
    """A run's budget: asked before each question and each verdict, told after it."""

    def __init__(self, config: Config, rows: Iterable[Row]) -> None:
        budget = config.plain.budget
        self._meters: list[Meter] = []
        if budget.max_cost is not None:
            self._meters.append(Meter("budget.max_cost", budget.max_cost, dollars))
        if budget.max_tokens is not None:
            self._meters.append(Meter("budget.max_tokens", budget.max_tokens, tokens))
        for row in rows:
            self._add(row, "answer")
            self._add(row, "verdict")

    def is_blind(self, stage: Stage) -> bool:
        """Whether the first has to go alone, so that the others can be measured by it."""
        return any(meter.is_blind(stage) for meter in self._meters)

    def admits(self, stage: Stage) -> bool:
        """Whether one more question (or verdict) stays within every limit; taken at once, so that it is under way on True."""
        if not all(meter.admits(stage) for meter in self._meters):
            return False
        for meter in self._meters:
            meter.open[stage] += 1
        return True

    def settle(self, row: Row, stage: Stage) -> None:
        """What was under way is through. Raises BudgetReached where nothing can be known of what a question takes."""
        for meter in self._meters:
            meter.open[stage] -= 1
        self._add(row, stage)
        for meter in self._meters:
            if meter.is_blind(stage) and stage == "answer":
                raise BudgetReached(
                    f"{meter.key} cannot be kept: the endpoint did not report what the first question took. "
                    "The same command without it goes on."
                )

    def reached(self) -> BudgetReached:
        """The trouble to raise once something was not admitted."""
        told = [
            f"{meter.key}={meter.limit:g}: {meter.spent:,.6g} are spent, and one question took up to {meter.worst.get('answer', 0):,.6g}"
            for meter in self._meters
        ]
        return BudgetReached(
            f"The run stopped before its budget: {'; '.join(told)}. The same command with a larger budget goes on where it stopped."
        )

    def _add(self, row: Row, stage: Stage) -> None:
        for meter in self._meters:
            meter.add(row, stage)


def require_prices(config: Config) -> None:
    """Raises UsageError where a limit in dollars could not be kept, since a model of the run has no price."""
    faults = []
    if config.plain.budget.max_cost is None:
        return
    if served(config.options["backbone"]) is None:
        faults.append(f"budget.max_cost needs prices, and backbone={config.option('backbone')} has none; budget.max_tokens may do")
    for kind in ("backbone", "requirements", "judge"):
        model = served(config.options[kind])
        if model and None in (model.prices.input, model.prices.output):
            faults.append(
                f"budget.max_cost needs the prices of {model.model}, which are unknown; set prices.input and prices.output in {kind}"
            )
    if faults:
        raise UsageError(*faults)
