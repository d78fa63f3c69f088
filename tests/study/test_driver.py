"""The command: workers as processes, killed as processes are, and a study that ends with its total all the same."""

import os
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from support.studies import loaded, states, trials_of, written
from support.tiny import OPTIONS, Tiny

FLAGS = ("--config-dir", str(OPTIONS / "conf"))


def command(tiny: Tiny, *words: str) -> list[str]:
    return [*tiny.command()[:3], "sweep", "tiny.yaml", *FLAGS, *words]


def held(tiny: Tiny, calls: int, *words: str) -> subprocess.Popen[str]:
    """The command, with its workers held in a model call for ever; returns once one is."""
    fifo = tiny.folder / "fifo"
    if not fifo.exists():
        os.mkfifo(fifo)
    environment = {**tiny.environment, "SCRIPTED_HOLD": f"{calls}:{fifo}"}
    process = subprocess.Popen(
        command(tiny, *words), cwd=tiny.folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert fifo.read_text() == "held"
    return process


def test_the_command_brings_a_study_to_its_total_and_shows_it(tiny: Tiny) -> None:
    written(tiny, n_trials=2)
    done = tiny.call(command(tiny))
    assert (done.returncode, done.stderr) == (0, "")
    assert "trial 0: accuracy 1.0000" in done.stdout
    assert "2/2 trials" in done.stdout
    assert "Optuna: optuna-dashboard " in done.stdout


@pytest.mark.slow
def test_the_same_command_again_tells_no_trial_again(tiny: Tiny) -> None:
    written(tiny, n_trials=2, workers=2)
    assert tiny.call(command(tiny)).returncode == 0
    again = tiny.call(command(tiny, "n_trials=3"))
    assert again.returncode == 0
    assert "trial 1:" not in again.stdout
    assert "trial 2: " in again.stdout


@pytest.mark.slow
def test_workers_end_with_their_command_and_give_their_trials_back(tiny: Tiny) -> None:
    written(tiny, n_trials=4)
    process = held(tiny, 4, "run.concurrency=1")
    worker = _owner(tiny)
    process.kill()
    process.communicate(timeout=60)
    _await_end(worker)
    done = tiny.call(command(tiny))
    assert done.returncode == 0, done.stderr
    assert states(trials_of(loaded(tiny, n_trials=4))) == {"FAIL": 1, "COMPLETE": 4}


@pytest.mark.slow
def test_ctrl_c_stops_a_study_and_the_same_command_goes_on(tiny: Tiny) -> None:
    written(tiny, n_trials=3)
    process = held(tiny, 4, "run.concurrency=1")
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.splitlines()[-1] == "taec: stopped. The same command continues."
    assert "Traceback" not in told
    assert states(trials_of(loaded(tiny, n_trials=3))) == {"FAIL": 1, "WAITING": 1}
    assert tiny.call(command(tiny)).returncode == 0
    assert states(trials_of(loaded(tiny, n_trials=3))) == {"FAIL": 1, "COMPLETE": 3}


@pytest.mark.slow
def test_a_killed_worker_is_replaced_and_its_trial_run_again(tiny: Tiny) -> None:
    written(tiny, n_trials=3)
    process = held(tiny, 4, "run.concurrency=1", "benchmark.questions=2")
    os.kill(_owner(tiny), signal.SIGKILL)
    assert (tiny.folder / "fifo").read_text() == "held"
    process.kill()
    _, told = process.communicate(timeout=60)
    assert "was killed by signal 9; another takes its place" in told
    done = tiny.call(command(tiny, "benchmark.questions=2"))
    assert done.returncode == 0, done.stderr
    found = states(trials_of(loaded(tiny, "benchmark.questions=2", n_trials=3)))
    assert (found["COMPLETE"], found["RUNNING"], found["WAITING"]) == (3, 0, 0)


@pytest.mark.slow
def test_sixty_trials_killed_on_the_way_end_with_sixty(tiny: Tiny) -> None:
    written(tiny, n_trials=60, workers=2)
    study = loaded(tiny, n_trials=60)
    for calls in (100, 160):
        process = held(tiny, calls, "run.concurrency=1")
        os.kill(_owner(tiny), signal.SIGKILL)
        process.kill()
        process.communicate(timeout=60)
    done = tiny.call(command(tiny))
    assert done.returncode == 0, done.stderr
    found = trials_of(study).trials
    assert Counter(trial.state.name for trial in found)["COMPLETE"] == 60
    assert not {trial.state.name for trial in found} & {"RUNNING", "WAITING"}
    finished = [str(trial.params) for trial in found if trial.state.name == "COMPLETE"]
    assert len(set(finished)) == 60


@pytest.mark.slow
def test_twenty_four_workers_on_fresh_stores_lose_none_and_repeat_none(tiny: Tiny) -> None:
    written(tiny, n_trials=48)
    words = ("workers=24", "tracking=mlflow", "benchmark.questions=2", f"cache.folder={tiny.folder / 'fresh'}")
    process = subprocess.Popen(command(tiny, *words), cwd=tiny.folder, env=dict(tiny.environment), text=True, stderr=subprocess.PIPE)
    assert process.communicate(timeout=500)[1] == ""
    assert process.returncode == 0
    study = loaded(tiny, "tracking=mlflow", "benchmark.questions=2", f"cache.folder={tiny.folder / 'fresh'}", n_trials=48)
    found = trials_of(study).trials
    assert Counter(trial.state.name for trial in found) == {"COMPLETE": 48}
    assert len({str(trial.params) for trial in found}) == 48
    assert len({trial.user_attrs["owner"]["pid"] for trial in found}) > 1


@pytest.mark.slow
def test_several_commands_share_a_fresh_study(tiny: Tiny) -> None:
    written(tiny, n_trials=12)
    processes = [
        subprocess.Popen(command(tiny, "tracking=mlflow"), cwd=tiny.folder, env=dict(tiny.environment), text=True, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    told = [process.communicate(timeout=200)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, told
    assert states(trials_of(loaded(tiny, n_trials=12))) == {"COMPLETE": 12}


def _owner(tiny: Tiny) -> int:
    """The process that runs a trial of the only study."""
    import optuna

    (journal,) = Path(tiny.folder / "runs").glob("study-*/journal.log")
    storage = optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(str(journal)))
    running = [trial for trial in optuna.load_study(study_name=None, storage=storage).trials if trial.state.name == "RUNNING"]
    return int(running[0].user_attrs["owner"]["pid"])


def _await_end(pid: int) -> None:
    """Wait until a process that is no child of ours has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    import select

    assert select.select([descriptor], [], [], 60)[0]
    os.close(descriptor)
