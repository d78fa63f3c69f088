import os
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from taec.collections.processes import Death, Processes
from taec.core.errors import InfrastructureError


def double(connection: Connection, folder: Path) -> None:
    """Doubles numbers; dies at 3 of a signal, at 4 for the first time only, at 5 of its alarm, at 6 by SIGKILL, at 7 of an error."""
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        if task == 3:
            os.kill(os.getpid(), signal.SIGABRT)
        if task == 4 and not (folder / "was here").exists():
            (folder / "was here").touch()
            os.kill(os.getpid(), signal.SIGSEGV)
        if task == 5:
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            time.sleep(60)
        if task == 6:
            os.kill(os.getpid(), signal.SIGKILL)
        if task == 7:
            os._exit(1)
        connection.send(2 * task)


def results(folder: Path, tasks: list[int]) -> dict[int, int | Death]:
    waiting = list(tasks)
    with Processes[int, int](2, double, (folder,)) as processes:
        return dict(processes.run(lambda _: waiting.pop(0) if waiting else None))


def test_a_death_costs_its_own_task_only(tmp_path: Path) -> None:
    found = results(tmp_path, [1, 3, 2, 5, 4, 8, 9])
    assert {task: answer for task, answer in found.items() if isinstance(answer, int)} == {1: 2, 2: 4, 4: 8, 8: 16, 9: 18}
    assert found[3] == Death(-signal.SIGABRT)
    assert isinstance(found[5], Death)
    assert found[5].timed_out


@pytest.mark.parametrize(("task", "said"), [(6, "ended from outside twice at 6"), (7, "could not go on at 7")])
def test_what_is_no_fault_of_a_task_stops_the_work(tmp_path: Path, task: int, said: str) -> None:
    with pytest.raises(InfrastructureError, match=said):
        results(tmp_path, [1, 2, task])
