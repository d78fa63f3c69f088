"""A study in a real PostgreSQL server, started here on loopback; skipped where none is installed."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from support.studies import loaded, states, trials_of, written
from support.tiny import OPTIONS, Tiny

pytestmark = pytest.mark.slow
PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
PASSWORD = "planted-s3cret"


def _user() -> str | None:
    """Whom the server runs as: it refuses root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)


@pytest.fixture
def address() -> Iterator[str]:
    """The address of a fresh, empty database with a password."""
    pytest.importorskip("psycopg", reason="needs psycopg, which pip install 'taec[study]' brings")
    if not PROGRAMS:
        pytest.skip("no PostgreSQL server is installed: no /usr/lib/postgresql/*/bin/initdb (Debian: apt install postgresql)")
    programs, user = PROGRAMS[-1].parent, _user()
    folder = Path(tempfile.mkdtemp(prefix="taec-postgres-"))
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)

    def call(program: str, *words: str) -> None:
        subprocess.run([programs / program, *words], user=user, cwd=folder, check=True, timeout=60, stdout=subprocess.DEVNULL)

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    secret = folder / "password"
    secret.write_text(PASSWORD)
    if user:
        os.chown(secret, pwd.getpwnam(user).pw_uid, -1)
    data = str(folder / "data")
    try:
        call("initdb", "-D", data, "-U", "taec", "-A", "scram-sha-256", f"--pwfile={secret}", "--no-sync")
        options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off"
        call("pg_ctl", "-D", data, "-o", options, "-l", str(folder / "log"), "-w", "-t", "50", "start")
        try:
            yield f"postgresql+psycopg://taec:{PASSWORD}@127.0.0.1:{port}/postgres"
        finally:
            call("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _commands(tiny: Tiny, address: str, count: int, words: Sequence[str]) -> list[tuple[int, str, str]]:
    """The same command so many times at once, each in a folder of its own, as on so many machines."""
    environment = {**tiny.environment, "STUDY_URL": address}
    processes = []
    for number in range(count):
        place = tiny.folder / f"machine{number}"
        place.mkdir()
        command = [*tiny.command()[:3], "sweep", str(tiny.folder / "tiny.yaml"), "--config-dir", str(OPTIONS / "conf"), *words]
        processes.append(subprocess.Popen(command, cwd=place, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    told = [process.communicate(timeout=200) for process in processes]
    return [(process.returncode, *each) for process, each in zip(processes, told, strict=True)]


def test_machines_share_a_study_and_no_file_holds_the_password(tiny: Tiny, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tiny, n_trials=12, storage="STUDY_URL")
    done = _commands(tiny, address, 3, ["workers=2"])
    assert [code for code, _, _ in done] == [0, 0, 0], done
    monkeypatch.setenv("STUDY_URL", address)
    trials = trials_of(loaded(tiny, n_trials=12, storage="STUDY_URL"))
    found = states(trials)
    assert (found["COMPLETE"], found["RUNNING"], found["WAITING"]) == (12, 0, 0)
    assert len({str(trial.params) for trial in trials.trials if trial.state.name == "COMPLETE"}) == 12
    assert not any(PASSWORD in out + err for _, out, err in done)
    files = [path for path in tiny.folder.rglob("*") if path.is_file()]
    assert [path for path in files if PASSWORD.encode() in path.read_bytes()] == []


def test_a_server_that_is_gone_is_one_message_without_the_password(tiny: Tiny, address: str) -> None:
    written(tiny, n_trials=2)
    gone = address.replace("@127.0.0.1:", "@127.0.0.1:1")[: -len("/postgres")] + "/postgres"
    done = tiny.call(
        [*tiny.command()[:3], "sweep", "tiny.yaml", "--config-dir", str(OPTIONS / "conf"), "storage=STUDY_URL"], STUDY_URL=gone
    )
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert "cannot be used" in done.stderr
    assert PASSWORD not in done.stderr
