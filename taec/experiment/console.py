"""What a person reads: results and progress on standard output, troubles on standard error."""

import sys

from rich.console import Console

from taec.core.errors import TaecError, UsageError

WIDE = 160
"""Columns where the output is no terminal: a table in a log file must not be squeezed into 80."""


def _console(*, stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else WIDE, highlight=False)


out = _console(stderr=False)
err = _console(stderr=True)


def say(text: str) -> None:
    """A line of plain text, as it is."""
    out.print(text, markup=False, soft_wrap=True)


def warn(text: str) -> None:
    """A line about something that went wrong and did not stop the work."""
    err.print(f"taec: {text}", markup=False, soft_wrap=True)


def tell(error: TaecError, job: str = "") -> None:
    """An error in one message, a line for each fault; `job` names the run it belongs to where there are several."""
    head = f"taec: {job}: " if job else "taec: "
    if isinstance(error, UsageError) and len(error.faults) > 1:
        lines = [f"{head}{len(error.faults)} faults", *(f"  - {fault}" for fault in error.faults)]
    else:
        lines = [f"{head}{error}"]
    err.print("\n".join(lines), markup=False, soft_wrap=True)
