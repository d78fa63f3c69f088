"""When failing is everybody's trouble."""

import pytest

from taec.backbones.faults import Fault, Kind
from taec.backbones.health import Health
from taec.core.errors import InfrastructureError


def fault(reason: str = "request_fault", detail: str = "HTTP 400: no tool parser") -> Fault:
    return Fault(Kind.ROW, reason, detail)


def test_identical_faults_of_a_kind_that_never_worked_stop_the_run() -> None:
    health = Health(3)
    health.worked("plain")
    health.failed("images", fault(detail="HTTP 400 (request ab12): At most 1 image(s), got 5"))
    health.failed("images", fault(detail="HTTP 400 (request cd34): At most 1 image(s), got 7"))
    with pytest.raises(InfrastructureError, match=r"3 failed alike \(request_fault\).*\n.*run\.retry_failures=true"):
        health.failed("images", fault(detail="HTTP 400 (request ef56): At most 1 image(s), got 9"))


def test_faults_of_a_kind_that_worked_or_that_differ_stay_with_their_questions() -> None:
    health = Health(3)
    health.worked("plain")
    for _ in range(10):
        health.failed("plain", fault())
    for letter in "abcdefgh":
        health.failed("other", fault(detail=letter))


def test_lost_connections_in_a_row_stop_the_run_even_after_many_answers() -> None:
    health = Health(3)
    health.worked("plain")
    for _ in range(2):
        health.failed("plain", fault("connection_error", "refused"))
    health.worked("plain")
    for _ in range(2):
        health.failed("plain", fault("connection_error", "refused"))
    with pytest.raises(InfrastructureError, match="cannot be reached"):
        health.failed("plain", fault("connection_error", "refused"))
