"""`python -m taec sweep <file or name> [overrides]`: a study, begun or continued to its total."""

from taec.commands.arguments import Arguments, require_none
from taec.experiment.console import say
from taec.study.driver import conduct
from taec.study.load import load
from taec.study.storage import location


def main(asked: Arguments) -> int:
    """Bring the study to its total, run its winners beside the defaults, and show both. Returns the exit code."""
    require_none(asked)
    study = load(asked.words, asked.folders)
    say(f"study {study.name}: {study.total} trials, {len(study.settings.space)} parameters, storage {location(study)}")
    conduct(study, lambda trials: None)
    return 0
