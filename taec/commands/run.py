"""`python -m taec [run]`: answer the questions of one or several configurations, and show what came out."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from taec.commands.arguments import Arguments
from taec.core.errors import TaecError, UsageError
from taec.experiment import job
from taec.experiment.compose import configurations
from taec.experiment.config import Config
from taec.experiment.console import say, tell
from taec.experiment.progress import display

INCOMPLETE = 1


def main(asked: Arguments) -> int:
    """Run every job; one that fails is told at once and the others go on. Returns the exit code."""
    configs = _configurations(asked)
    _require_writable({config.plain.output.folder for config in configs})
    finished, code = [], 0
    for config in configs:
        show = display()
        try:
            finished.append(job.run(config, show))
        except TaecError as error:
            show.close()
            tell(error, config.run_name if len(configs) > 1 else "")
            code = max(code, error.exit_code)
        finally:
            show.close()
    for run in finished:
        say(f"{run.folder}")
    if any(run.undecided for run in finished):
        code = max(code, INCOMPLETE)
    return code


def _configurations(asked: Arguments) -> list[Config]:
    """The checked configurations. Raises UsageError naming the faults of flags and overrides together."""
    try:
        configs = configurations(asked.words, multirun=asked.multirun, folders=asked.folders)
    except UsageError as error:
        raise UsageError(*asked.faults, *error.faults) from None
    if asked.faults:
        raise UsageError(*asked.faults)
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
