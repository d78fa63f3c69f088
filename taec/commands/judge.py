"""`python -m taec judge <run folders> [judge=...] [--failed]`: judge answers that are there, all in one batch."""

from collections.abc import Sequence

from taec.commands.arguments import Arguments
from taec.commands.operands import run_folders, split
from taec.commands.run import INCOMPLETE, show_runs
from taec.commands.tracked import Tracked
from taec.core.errors import UsageError
from taec.core.settings import Settings
from taec.experiment import job
from taec.experiment.compose import configurations
from taec.experiment.config import Config
from taec.experiment.console import say
from taec.experiment.progress import display
from taec.experiment.registry import option
from taec.experiment.rejudging import rejudge
from taec.experiment.report import write_report
from taec.experiment.saved import SavedRun, read_run
from taec.experiment.tracking import Sweep
from taec.judges.base import Judge

TAKES = ("judge", "run.concurrency", "tracking")


def main(asked: Arguments) -> int:
    """Judge the runs together and show them as a run is shown. Returns the exit code."""
    named, overrides = split(asked.words)
    faults = list(asked.faults)
    faults += [f"{word}: judge takes judge=, run.concurrency= and tracking= only" for word in overrides if not _taken(word)]
    if asked.multirun:
        faults.append("-m: one judge rules on all runs together; give the folders side by side")
    if faults:
        raise UsageError(*faults)
    (config,) = configurations(overrides, folders=asked.folders)
    runs = [read_run(folder) for folder in run_folders(named, "judge")]
    settings = config.options["judge"] if any(word.startswith("judge") for word in overrides) else _own_judge(runs)
    chosen = settings.model_dump()
    judge: Judge = option("judge", str(chosen.get("module", chosen["name"]))).build(settings)
    show = display()
    try:
        rows = rejudge(runs, judge, settings, only_failed="--failed" in asked.flags, workers=config.plain.run.concurrency, stage=show.stage)
    finally:
        show.close()
    finished = [job.Finished(run.config, run.folder, judged) for run, judged in zip(runs, rows, strict=True)]
    return _shown(config, finished)


def _taken(word: str) -> bool:
    key = word.lstrip("+~").partition("=")[0]
    return any(key == name or key.startswith(f"{name}.") for name in TAKES)


def _own_judge(runs: Sequence[SavedRun]) -> Settings:
    """The judge that the runs themselves name. Raises UsageError where they name several."""
    judges = [run.config.options["judge"] for run in runs]
    if any(judge != judges[0] for judge in judges):
        names = sorted({run.config.option("judge") for run in runs})
        raise UsageError(f"These runs have different judges or settings ({', '.join(names)}); name the one that rules on all with judge=")
    return judges[0]


def _shown(config: Config, finished: Sequence[job.Finished]) -> int:
    tracked = Tracked([config.plain.tracking], None)
    for run in finished:
        write_report(run.folder, run.config.label, run.rows)
        tracked.add(config.plain.tracking, run.folder)
    sweep = Sweep("judged together", tuple(run.folder for run in finished)) if len(finished) > 1 else None
    show_runs(finished, sweep)
    tracked.say_how_to_look()
    undecided = sum(run.undecided for run in finished)
    say(
        f"judged {sum(len(run.rows) for run in finished)} answers of {len(finished)} runs"
        + (f", {undecided} without a verdict" * bool(undecided))
    )
    return INCOMPLETE if undecided else 0
