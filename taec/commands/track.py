"""`python -m taec track <run folders>`: export finished runs to MLflow, again or for the first time."""

from collections.abc import Sequence
from pathlib import Path

from taec.commands.arguments import Arguments, require_none
from taec.commands.tracked import how_to_look, reason
from taec.core.errors import InfrastructureError, TaecError, UsageError
from taec.experiment.compose import configurations
from taec.experiment.console import say
from taec.experiment.tracking import export
from taec.records.manifest import MANIFEST


def main(asked: Arguments) -> int:
    """Export the named run folders to the store of `tracking.folder`. Twice gives one run."""
    require_none(asked)
    overrides = [word for word in asked.words if "=" in word and not Path(word).exists()]
    (config,) = configurations(overrides, folders=asked.folders)
    store = config.plain.tracking.store()
    if store is None:
        raise UsageError("tracking=none exports nothing; leave it out")
    folders = _run_folders([Path(word).resolve() for word in asked.words if word not in overrides])
    try:
        export(store, folders)
    except TaecError:
        raise
    except Exception as error:
        raise InfrastructureError(f"The store {store.database} cannot be used: {reason(error)}") from error
    say(f"Exported {len(folders)} run{'s' if len(folders) > 1 else ''}. To look: {how_to_look(store)}")
    return 0


def _run_folders(named: Sequence[Path]) -> list[Path]:
    """The run folders among those named: `runs/*` holds comparisons too. Raises UsageError where one is missing, or none is a run's."""
    missing = [path for path in named if not path.exists()]
    folders = [path for path in named if (path / MANIFEST).is_file()]
    if missing or not folders:
        faults = [f"{path} is not there" for path in missing]
        raise UsageError(*faults or ["track needs run folders: python -m taec track runs/*"])
    return folders
