"""`python -m taec track <run folders>`: export finished runs to MLflow, again or for the first time."""

from taec.commands.arguments import Arguments, require_none
from taec.commands.operands import run_folders, split
from taec.commands.tracked import how_to_look, reason
from taec.core.errors import InfrastructureError, TaecError, UsageError
from taec.experiment.compose import configurations
from taec.experiment.console import say
from taec.experiment.tracking import export


def main(asked: Arguments) -> int:
    """Export the named run folders to the store of `tracking.folder`. Twice gives one run."""
    require_none(asked)
    named, overrides = split(asked.words)
    (config,) = configurations(overrides, folders=asked.folders)
    store = config.plain.tracking.store()
    if store is None:
        raise UsageError("tracking=none exports nothing; leave it out")
    folders = run_folders(named, "track")
    try:
        export(store, folders)
    except TaecError:
        raise
    except Exception as error:
        raise InfrastructureError(f"The store {store.database} cannot be used: {reason(error)}") from error
    say(f"Exported {len(folders)} run{'s' if len(folders) > 1 else ''}. To look: {how_to_look(store)}")
    return 0
