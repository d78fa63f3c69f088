"""`python -m taec [run]`: answer the questions of one or several configurations, and show what came out."""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from taec.analysis.statistics import summarise
from taec.analysis.tables import runs_table
from taec.commands.arguments import Arguments
from taec.commands.tracked import Tracked
from taec.core.errors import InfrastructureError, TaecError, UsageError
from taec.experiment import job
from taec.experiment.compose import configurations
from taec.experiment.config import Config
from taec.experiment.console import out, say, tell, warn
from taec.experiment.names import names
from taec.experiment.parts import Parts
from taec.experiment.progress import display
from taec.experiment.report import write_comparison, write_report
from taec.experiment.tracking import Sweep
from taec.records.provenance import redacted

INCOMPLETE = 1


def main(asked: Arguments) -> int:
    """Run every job; one that fails is told at once and the others go on. Returns the exit code."""
    configs = _configurations(asked)
    _require_writable({config.plain.output.folder for config in configs})
    sweep = Sweep(" ".join(redacted(asked.words)) or "default", tuple(map(job.run_folder, configs))) if asked.multirun else None
    tracked = Tracked([config.plain.tracking for config in configs], sweep)
    finished: list[job.Finished] = []
    codes = {0}
    parts = Parts()
    for config in configs:
        try:
            run = _run(config, parts)
        except TaecError as error:
            codes.add(_told(error, config.run_name if len(configs) > 1 else ""))
        else:
            tracked.add(config.plain.tracking, run.folder)
            finished.append(run)
            codes.add(INCOMPLETE if run.undecided else 0)
    if finished:
        files = show_runs(finished, sweep)
        tracked.compare(files)
        tracked.say_how_to_look()
    return max(codes)


def _configurations(asked: Arguments) -> list[Config]:
    """The checked configurations. Raises UsageError naming the faults of flags and overrides together."""
    faults = tuple(asked.faults)
    try:
        configs = configurations(asked.words, multirun=asked.multirun, folders=asked.folders)
    except UsageError as error:
        raise UsageError(*faults, *error.faults) from None
    if any(config.plain.roots for config in configs):
        faults += ("documents= belongs to index, ask, retrieval and serve. A run over your own: benchmark=folder benchmark.documents=DIR",)
    if faults:
        raise UsageError(*faults)
    return configs


def _require_writable(folders: Iterable[Path]) -> None:
    """Found out before anything is rendered or answered. Raises UsageError naming each folder that takes no file."""
    faults = []
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            faults.append(f"output.folder={folder} cannot be written to: {error.strerror}. Name another with output.folder=.")
    if faults:
        raise UsageError(*faults)


def _run(config: Config, parts: Parts) -> job.Finished:
    show = display()
    try:
        run = job.run(config, show, parts)
    finally:
        show.close()
    write_report(run.folder, config.label, run.rows)
    return run


def _told(error: TaecError, run: str) -> int:
    tell(error, run)
    if isinstance(error, InfrastructureError) and "same command" not in str(error):
        warn("what is finished is safe; the same command answers the rest")
    return error.exit_code


def show_runs(finished: Sequence[job.Finished], sweep: Sweep | None) -> list[Path]:
    """The table of the runs just made, and where everything lies; returns the files that compare the runs of a sweep."""
    labels = names([run.config for run in finished])
    runs = [(label, summarise(run.rows)) for label, run in zip(labels, finished, strict=True)]
    table = runs_table(runs)
    out.print(table.rich())
    for label, run in zip(labels, finished, strict=True):
        say(f"{label}: {run.folder}")
        if run.undecided:
            say(f"  {run.undecided} answers have no verdict; python -m taec judge --failed {run.folder} asks the judge again")
    if sweep is None:
        return []
    folder = finished[0].folder.parent / f"sweep-{sweep.identity[:12]}"
    files = write_comparison(folder, table, runs)
    say(f"all of them: {folder}")
    return files
