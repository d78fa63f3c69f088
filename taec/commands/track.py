"""`python -m taec track <run folders>`: export finished runs to MLflow, again or for the first time."""

from pathlib import Path

from taec.commands.arguments import Arguments, require_none
from taec.commands.tracked import how_to_look, reason
from taec.core.errors import InfrastructureError, TaecError, UsageError
from taec.experiment.compose import configurations
from taec.experiment.console import say
from taec.experiment.tracking import export


def main(asked: Arguments) -> int:
    """Export the named run folders to the store of `tracking.folder`. Twice gives one run."""
    require_none(asked)
    overrides = [word for word in asked.words if "=" in word and not Path(word).exists()]
    folders = [Path(word).resolve() for word in asked.words if word not in overrides]
    if not folders:
        raise UsageError("track needs run folders: python -m taec track runs/*")
    (config,) = configurations(overrides, folders=asked.folders)
    store = config.plain.tracking.store()
    if store is None:
        raise UsageError("tracking=none exports nothing; leave it out")
    try:
        export(store, folders)
    except TaecError:
        raise
    except Exception as error:
        raise InfrastructureError(f"The store {store.database} cannot be used: {reason(error)}") from error
    say(f"Exported {len(folders)} run{'s' if len(folders) > 1 else ''}. To look: {how_to_look(store)}")
    return 0
