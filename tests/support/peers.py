"""Mock servers that others wrote, started and stopped on loopback by their own process: LLMock (PyPI) and aimock (npm)."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.standin import Json

ROOT = Path(__file__).parents[2]
AIMOCK = "node_modules/@copilotkit/aimock"


@dataclass(frozen=True)
class Peer:
    """A running server."""

    address: str

    @property
    def url(self) -> str:
        return f"{self.address}/v1"

    def get(self, path: str) -> Json:
        with urllib.request.urlopen(self.address + path, timeout=10) as response:
            return json.load(response)

    def post(self, path: str, body: object = None) -> None:
        data = json.dumps(body or {}).encode()
        request = urllib.request.Request(self.address + path, data, {"content-type": "application/json"}, method="POST")
        urllib.request.urlopen(request, timeout=10).close()


def llmock(*options: str) -> contextlib.AbstractContextManager[Peer]:
    """LLMock; skips where it is not installed."""
    beside = Path(sys.executable).with_name("llmock")
    found = os.environ.get("TAEC_LLMOCK") or (str(beside) if beside.exists() else None)
    if found is None:
        pytest.skip("LLMock is not installed: pip install llmock==0.2.2")
    return _running([found, "serve", "--host", "127.0.0.1", "--log-level", "error", *options], "--port", "/health")


def aimock(fixtures: Path, *options: str) -> contextlib.AbstractContextManager[Peer]:
    """aimock; skips where node or the package is missing."""
    node, folder = shutil.which("node"), Path(os.environ.get("TAEC_AIMOCK", ROOT / AIMOCK))
    if node is None:
        pytest.skip("node is not installed")
    if not folder.is_dir():
        pytest.skip(f"aimock is not in {AIMOCK}: npm install --no-save -E @copilotkit/aimock@1.43.0, or name its folder in TAEC_AIMOCK")
    command = [node, str(folder / "dist/cli.js"), "-h", "127.0.0.1", "-f", str(fixtures), "--log-level", "silent", *options]
    return _running(command, "-p", "/__aimock/journal")


@contextlib.contextmanager
def _running(command: Sequence[str], port_option: str, probe: str) -> Iterator[Peer]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*command, port_option, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peer = Peer(f"http://127.0.0.1:{port}")
    try:
        _wait_until_up(process, peer, probe)
        yield peer
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stderr:
            process.stderr.close()


def _wait_until_up(process: "subprocess.Popen[bytes]", peer: Peer, probe: str) -> None:
    for _ in range(300):
        if process.poll() is not None:
            assert process.stderr is not None
            pytest.fail(f"the server did not start: {process.stderr.read().decode()[-500:]}")
        with contextlib.suppress(OSError, urllib.error.URLError):
            peer.get(probe)
            return
        time.sleep(0.1)
    pytest.fail("the server did not come up within 30 s")
