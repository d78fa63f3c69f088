"""`python -m taec sweep <file or name> [overrides]`: a study, begun or continued to its total."""

from taec.analysis.tables import Grid
from taec.commands.arguments import Arguments, require_none
from taec.commands.plan import figures
from taec.commands.tracked import how_to_look
from taec.experiment.console import out, say, warn
from taec.study.costs import StudyPlan, plan_study
from taec.study.driver import conduct
from taec.study.finish import finish
from taec.study.load import load
from taec.study.save import saved_file
from taec.study.storage import location
from taec.study.study import Study
from taec.study.tracking import Tracked


def main(asked: Arguments) -> int:
    """Bring the study to its total, run its winners beside the defaults, and show both. Returns the exit code."""
    require_none(asked)
    study = load(asked.words, asked.folders)
    saved_file(study)
    _introduce(study)
    tracked = Tracked(study)
    finish(study, conduct(study, tracked.trials), tracked)
    say(f"Optuna: optuna-dashboard {location(study)}")
    if tracked.store:
        say(f"MLflow: {how_to_look(tracked.store)}")
    return 0


def plan(asked: Arguments) -> int:
    """`python -m taec plan <study> [overrides]`: what the study would take."""
    study = load(asked.words, asked.folders)
    planned = plan_study(study)
    for warning in dict.fromkeys([*planned.trial.warnings, *planned.report.warnings]):
        warn(warning)
    out.print(table(study, planned).rich())
    return 0


def _introduce(study: Study) -> None:
    say(f"study {study.name}: {study.total} trials over {len(study.settings.space)} keys, in {location(study)}")
    if len(study.settings.objectives) > 1 and study.settings.pruner.name != "none":
        say("several objectives: no trial is given up early, since one that is worse in one may be better in another")
    if study.strangers:
        say(f"the defaults lie outside the space ({', '.join(study.strangers)}), so they are no trial; they are reported all the same")


def table(study: Study, planned: StudyPlan) -> Grid:
    """What is left of a study, each figure as least / expected / most."""
    trials, reports = [planned.trial] * planned.left, [planned.report] * planned.reported
    parts = {
        "a trial": [planned.trial],
        f"{planned.left} trials left": trials,
        f"report, {planned.reported} runs": reports,
        "all": trials + reports,
    }
    rows = [[name, f"{sum(each.done + each.left for each in plans):,}", *figures(plans)] for name, plans in parts.items()]
    notes = [
        "least / expected / most. Trials given up early take less, and so do those that repeat an earlier one.",
        f"expected: {planned.trial.basis}.",
        "A limit on money holds for each run (budget.max_cost), not for the study.",
    ]
    title = f"Plan of study {study.name}, {planned.finished} of {planned.total} trials finished"
    return Grid(title, ["part", "questions", "calls", "side calls", "images", "pixels", "tokens", "$"], rows, notes)
