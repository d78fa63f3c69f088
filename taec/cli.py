"""The command line: `python -m taec [verb] [overrides] [-m]`. Every trouble ends in one message and one exit code.

Exit codes: 0 all rows are there and judged; 1 some are not; 2 the request is wrong; 3 the surroundings failed, and the same command
continues; 130 stopped by Ctrl-C, likewise.
"""

import gc
import importlib
import sys
from collections.abc import Sequence

from taec.commands import arguments, help
from taec.core.errors import TaecError
from taec.experiment.console import out, tell, warn

INTERRUPTED = 130


BETWEEN_COLLECTIONS = 50_000
"""New objects between two garbage collections: Python's 700 take a tenth of the time of imports and Hydra, and nothing is free there."""


def main() -> None:
    """The entry point."""
    gc.set_threshold(BETWEEN_COLLECTIONS)
    sys.exit(run(sys.argv[1:]))


def run(texts: Sequence[str]) -> int:
    """Carry out a command line and return its exit code."""
    try:
        return _dispatch(arguments.parse(texts))
    except TaecError as error:
        tell(error)
        return error.exit_code
    except KeyboardInterrupt:
        warn("stopped. The same command continues.")
        return INTERRUPTED


def _dispatch(asked: arguments.Arguments) -> int:
    if "--help" in asked.flags:
        out.print(help.page(asked.folders), markup=False, soft_wrap=True, end="")
        return 0
    if "--version" in asked.flags:
        out.print(f"taec {_version()}", markup=False)
        return 0
    if asked.inspects:
        return int(importlib.import_module("taec.commands.inspect").main(asked))
    return int(importlib.import_module(f"taec.commands.{asked.verb}").main(asked))


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("taec")
    except PackageNotFoundError:
        return "(run from its source, not installed)"
