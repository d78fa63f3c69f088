"""The best trials of a study, run again beside the defaults on questions that nothing was tuned on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taec.analysis.paired import AccuracyTest, Difference, accuracy_test, mean_difference, pair_up
from taec.experiment import job
from taec.experiment.config import Config
from taec.experiment.parts import Parts
from taec.experiment.progress import display
from taec.experiment.report import write_report
from taec.records.rows import Row
from taec.study.objectives import per_question
from taec.study.settings import Objective
from taec.study.space import DIGITS, Value, Values
from taec.study.study import Study

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial


@dataclass(frozen=True, slots=True)
class Reported:
    """The defaults or a winner on the report questions. Against the defaults, on the same questions: the verdicts, and each objective."""

    label: str
    config: Config
    rows: Sequence[Row]
    against: "Comparison | None" = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A winner minus the defaults, paired by question."""

    accuracy: AccuracyTest | None
    objectives: Sequence[tuple[Objective, Difference | None]]

    @property
    def is_clear(self) -> bool:
        """Whether the winner differs from the defaults in any objective by more than chance would bring."""
        return any(difference is not None and difference.is_clear for _, difference in self.objectives)


def values_of(trial: "FrozenTrial") -> Values:
    """What a trial tried, as it was written into its configuration."""
    found: dict[str, Value] = dict(trial.params)
    return {key: round(value, DIGITS) if isinstance(value, float) else value for key, value in found.items()}


def winners(study: Study, trials: "Sequence[FrozenTrial]") -> "list[FrozenTrial]":
    """The finished trials to report, best first; of equals the earliest, so that the defaults are left only for something better.

    With several objectives: the knee of the front (nearest to the best of each), then its best in each objective.
    """
    complete = [trial for trial in trials if trial.state.name == "COMPLETE"]
    ranked = _ranked(study, complete) if len(study.settings.objectives) == 1 else _front_marks(study, front(study, complete))
    distinct = {tuple(values_of(trial).items()): trial for trial in reversed(ranked)}
    return [trial for trial in ranked if distinct[tuple(values_of(trial).items())] is trial][: study.settings.winners]


def losses(study: Study, trial: "FrozenTrial") -> tuple[float, ...]:
    """A trial's values turned so that less is better."""
    pairs = zip(study.settings.objectives, trial.values, strict=True)
    return tuple(-value if objective == "accuracy" else value for objective, value in pairs)


def front(study: Study, complete: "Sequence[FrozenTrial]") -> "list[FrozenTrial]":
    """The trials that no other is better than in one objective and as good in all, in the order of the first objective."""
    kept = []
    for trial in complete:
        own = losses(study, trial)
        others = [losses(study, other) for other in complete]
        if not any(other != own and all(a <= b for a, b in zip(other, own, strict=True)) for other in others):
            kept.append(trial)
    return sorted(kept, key=lambda trial: (losses(study, trial), trial.number))


def _ranked(study: Study, complete: "Sequence[FrozenTrial]") -> "list[FrozenTrial]":
    return sorted(complete, key=lambda trial: (losses(study, trial), trial.number))


def _front_marks(study: Study, kept: "Sequence[FrozenTrial]") -> "list[FrozenTrial]":
    if not kept:
        return []
    lost = {trial.number: losses(study, trial) for trial in kept}
    columns = list(zip(*lost.values(), strict=True))

    def distance(trial: "FrozenTrial") -> float:
        shares: list[float] = [
            (value - min(of)) / ((max(of) - min(of)) or 1) for value, of in zip(lost[trial.number], columns, strict=True)
        ]
        return math.hypot(*shares)

    def end(at: int) -> "FrozenTrial":
        return min(kept, key=lambda trial: (lost[trial.number][at], lost[trial.number], trial.number))

    knee = min(kept, key=lambda trial: (distance(trial), trial.number))
    return list({trial.number: trial for trial in [knee, *map(end, range(len(columns)))]}.values())


def report_runs(study: Study, chosen: "Sequence[FrozenTrial]", parts: Parts) -> list[Reported]:
    """Run the defaults and the winners on the report questions, the defaults first; nothing where no winner is asked for.

    Rows that are there already are not made again.
    """
    if not study.settings.winners:
        return []
    defaults = Reported("defaults", study.report, _run(study.report_config({}), parts))
    found = [defaults]
    for trial in chosen:
        config = study.report_config(values_of(trial))
        rows = defaults.rows if config.digest == study.report.digest else _run(config, parts)
        found.append(Reported(f"trial {trial.number}", config, rows, compared(study, defaults.rows, rows)))
    return found


def compared(study: Study, defaults: Sequence[Row], winner: Sequence[Row]) -> Comparison:
    """The winner minus the defaults on the questions of both."""
    pairs = pair_up(defaults, winner)
    test = accuracy_test(pairs)
    found: list[tuple[Objective, Difference | None]] = []
    for objective in study.settings.objectives:
        found.append((objective, mean_difference(pairs, lambda row, of=objective: per_question(of, row))))  # type: ignore[misc]
    return Comparison(test, found)


def _run(config: Config, parts: Parts) -> Sequence[Row]:
    show = display()
    try:
        done = job.run(config, show, parts)
    finally:
        show.close()
    write_report(done.folder, config.label, done.rows)
    return done.rows
