"""Whether failing is the question's trouble or everybody's: a wrong setting, a server that is gone."""

import re
from collections.abc import Hashable

from taec.backbones.faults import Fault
from taec.core.errors import InfrastructureError

LOST = "connection_error"
NUMBERED = re.compile(r"\S*\d\S*")
"""Words with a digit: ids, counts and times differ where everything else is the same."""


class Health:
    """Counts failures that are alike. `patience` of them in a row stop the run, in two cases.

    Identical failures of a kind of request that never once worked (with images, with a forced call): the setting is wrong. Lost
    connections without a single answer between them: the server is gone. Every other failure stays with its question.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._worked: set[Hashable] = set()
        self._alike: dict[Hashable, tuple[str, int]] = {}
        self._lost = 0

    def worked(self, kind: Hashable) -> None:
        """A request of that kind got a reply."""
        self._worked.add(kind)
        self._lost = 0

    def failed(self, kind: Hashable, fault: Fault) -> None:
        """A request of that kind failed. Raises InfrastructureError where that is nothing a question could help."""
        self._lost = self._lost + 1 if fault.reason == LOST else 0
        if self._lost >= self._patience:
            raise InfrastructureError(f"The endpoint cannot be reached, {self._lost} times in a row: {fault.detail}.{ADVICE}")
        if kind in self._worked:
            return
        signature = f"{fault.reason} {NUMBERED.sub('', fault.detail)}"
        known, count = self._alike.get(kind, ("", 0))
        self._alike[kind] = (signature, count + 1 if signature == known else 1)
        if self._alike[kind][1] >= self._patience:
            raise InfrastructureError(f"No request worked, and {self._patience} failed alike ({fault.reason}): {fault.detail}.{ADVICE}")


ADVICE = (
    "\nWhen that is put right, the same command goes on; with run.retry_failures=true it also answers the questions again that failed "
    "before the run stopped."
)
