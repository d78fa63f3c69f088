"""What can go wrong, by who has to act on it. The command line turns each kind into one message and one exit code."""


class TaecError(Exception):
    """Base of every error that taec raises on purpose; its text tells a person what to do. Exit code 1."""

    exit_code = 1


class UsageError(TaecError):
    """The request cannot be carried out as written: an option, a value, a file. Names every fault found. Exit code 2."""

    exit_code = 2

    def __init__(self, *faults: str) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


class InfrastructureError(TaecError):
    """The surroundings failed (disk, service, key): the run stops, keeps its rows and can be continued. Exit code 3."""

    exit_code = 3


class SystemFailure(TaecError):
    """A system could not finish one question. It becomes that question's row, scored wrong, under this reason."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason}: {detail}" if detail else reason)
