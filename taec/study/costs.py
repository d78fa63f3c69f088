"""What a study would take, before it takes anything: that of its trials, and of the runs that report on them."""

from dataclasses import dataclass

from taec.experiment.plan import Plan, plan
from taec.study.claims import counts
from taec.study.storage import claims_are_locked, journal_file, open_storage, open_trials
from taec.study.study import Study


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """`trial` is one whole trial with the defaults, `finished` of `total` are there; `report` is one of the `reported` runs at the end."""

    trial: Plan
    finished: int
    total: int
    report: Plan
    reported: int

    @property
    def left(self) -> int:
        """Trials still to be run."""
        return max(0, self.total - self.finished)


def plan_study(study: Study) -> StudyPlan:
    """The plan of a study. Reads benchmark and storage, runs nothing and makes nothing."""
    there = not claims_are_locked(study) or journal_file(study).is_file()
    finished = counts(open_trials(study, open_storage(study)).get_trials(deepcopy=False)).finished if there else 0
    return StudyPlan(plan(study.tune), finished, study.total, plan(study.report), study.settings.winners + 1)
