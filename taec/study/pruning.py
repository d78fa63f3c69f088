"""When a trial is given up: it is worse than the best finished trial on the very questions that both have answered.

Wilcoxon's signed-rank test over the differences of the questions, one-sided, questions without a difference left out. Where every
difference has the same size, as between right and wrong answers, that test is the exact sign test, and is computed as such: Optuna's own
`WilcoxonPruner` keeps the differences of zero instead (half of their ranks each way), which most questions are here.
"""

from collections.abc import Mapping

from taec.records.rows import Row
from taec.study.objectives import per_question
from taec.study.settings import Objective, PrunerSettings

Outcomes = Mapping[str, float]
"""An objective's value of each question, by question id."""


class Pruned(Exception):
    """A trial was given up after a question; its rows stay."""


class Watch:
    """Looks at a trial's rows as they come, against the best trial's outcomes. Raises Pruned out of `add`.

    `after` questions are always answered; then it looks at every `every`-th. A failure counts as any wrong answer does; a question
    without a verdict, or that the best trial has none for, is compared with nothing.
    """

    def __init__(self, settings: PrunerSettings, objective: Objective, best: Outcomes) -> None:
        self._settings = settings
        self._objective: Objective = objective
        self._best = best
        self._differences: dict[str, float] = {}
        self.p = 1.0

    def add(self, row: Row) -> None:
        """Take a finished question into account."""
        value = per_question(self._objective, row)
        if value is None or row.question_id not in self._best:
            return
        sign = 1 if self._objective == "accuracy" else -1
        self._differences[row.question_id] = sign * (value - self._best[row.question_id])
        compared = len(self._differences)
        left = len(self._best) - compared
        if compared < self._settings.after or compared % self._settings.every or not left:
            return
        self.p = worse(list(self._differences.values()))
        if self.p < self._settings.p:
            raise Pruned(f"after {compared} questions: worse than the best on the same questions, p={self.p:.3f}")


def worse(differences: list[float]) -> float:
    """The chance of differences at least so low if there were none in truth; 1 where there is nothing to tell from."""
    told = [difference for difference in differences if difference]
    if not told:
        return 1.0
    if len({abs(difference) for difference in told}) == 1:
        from math import comb

        wins = sum(difference > 0 for difference in told)
        return float(sum(comb(len(told), k) for k in range(wins + 1)) / 2 ** len(told))
    from scipy.stats import wilcoxon

    return float(wilcoxon(told, alternative="less").pvalue)
