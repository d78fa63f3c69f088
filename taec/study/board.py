"""What a person sees of a study: a line for each trial that ends, and in a terminal a live line of how it stands."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.live import Live
from rich.text import Text

from taec.experiment.console import out, say, warn
from taec.experiment.progress import duration
from taec.study.claims import counts, is_failure
from taec.study.study import Study

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial


class Board:
    """Shows a study's trials as they are found in its storage. Those that were there at the start are not told again."""

    def __init__(self, study: Study, known: "Sequence[FrozenTrial]", clock: Callable[[], float] = time.monotonic) -> None:
        self._study = study
        self._clock = clock
        self._began = clock()
        self._told = {trial.number for trial in known if trial.state.is_finished()}
        self._before = counts(known).finished
        self._live = Live(console=out, auto_refresh=False) if out.is_terminal else None
        if self._live:
            self._live.start()

    def update(self, trials: "Sequence[FrozenTrial]") -> None:
        """Tell what is new."""
        for trial in trials:
            if trial.state.is_finished() and trial.number not in self._told:
                self._told.add(trial.number)
                self._tell(trial, trials)
        if self._live:
            self._live.update(Text(self.line(trials)), refresh=True)

    def close(self) -> None:
        """Nothing more comes."""
        if self._live:
            self._live.stop()

    def line(self, trials: "Sequence[FrozenTrial]") -> str:
        """How the study stands: `12/60 trials, 4 pruned, best accuracy 0.447 (trial 3), 31:20 left`."""
        so_far = counts(trials)
        parts = [f"{so_far.finished}/{self._study.total} trials"]
        parts += [f"{count} {name}" for count, name in ((so_far.pruned, "pruned"), (so_far.failed, "failed")) if count]
        if best := self._best(trials):
            parts.append(best)
        fresh, left = so_far.finished - self._before, self._study.total - so_far.finished
        if fresh and left > 0:
            parts.append(f"{duration((self._clock() - self._began) / fresh * left)} left")
        return ", ".join(parts)

    def _tell(self, trial: "FrozenTrial", trials: "Sequence[FrozenTrial]") -> None:
        if trial.state.name == "FAIL":
            if is_failure(trial):
                warn(f"trial {trial.number} failed: {trial.user_attrs.get('error', 'unknown')}")
            elif trial.params:
                say(f"trial {trial.number}: {trial.user_attrs['returned']}; its parameters are queued again")
            return
        values = ", ".join(
            f"{name} {_short(value)}" for name, value in zip(self._study.settings.objectives, trial.values or (), strict=False)
        )
        if trial.state.name == "PRUNED":
            ending = f"pruned {trial.user_attrs.get('pruned', '')}"
        elif "equal to" in trial.user_attrs:
            ending = f"as trial {trial.user_attrs['equal to']}, not run again"
        else:
            ending = f"{duration(trial.duration.total_seconds())}" if trial.duration else ""
        say(f"trial {trial.number}: {values} ({ending}) | {self.line(trials)}")

    def _best(self, trials: "Sequence[FrozenTrial]") -> str:
        complete = [trial for trial in trials if trial.state.name == "COMPLETE"]
        if not complete or len(self._study.settings.objectives) > 1:
            return ""
        objective = self._study.settings.objectives[0]
        sign = 1 if objective == "accuracy" else -1
        best = max(complete, key=lambda trial: (sign * trial.values[0], -trial.number))
        return f"best {objective} {_short(best.values[0])} (trial {best.number})"


def _short(value: float) -> str:
    return f"{value:.4f}" if abs(value) < 10 else f"{value:,.0f}"
