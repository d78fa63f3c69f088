"""Retrieval services for tests: in a thread of this process, or as the command line starts them."""

import contextlib
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from taec.core.pages import Hit
from taec.retrievers.base import Corpus, IndexIdentity, Retriever
from taec.retrievers.protocol import CollectionFacts, IndexFacts, ServiceLimits, Version
from taec.serving.limits import Limits
from taec.serving.search import Service, make_app
from taec.serving.workers import Patience, ServerConfig

LIMITS = Limits(max_body_bytes=33_554_432, concurrency=3, queue=64, request_seconds=10)
PATIENCE = Patience(seconds=10, connections=64)


class Numbered:
    """Finds pages by the length of the query: as many hits as are asked for, of the pages `p0` to `p99`."""

    identity = IndexIdentity("numbered", 100, sha256(b"numbered").hexdigest())

    async def search(self, query: str, k: int) -> list[Hit]:
        return [Hit(f"p{(len(query) + rank) % 100}", 1 - rank / 100) for rank in range(k)] if query.strip() else []


def version_of(retriever: Retriever, corpus: Corpus | None = None, max_k: int = 50, max_query_characters: int = 32_768) -> Version:
    """What a service of `retriever` tells; of no corpus, it tells digests of nothing."""
    index = retriever.identity
    return Version(
        service="1",
        taec="0",
        index=IndexFacts(name=index.name, pages=index.pages, digest=index.digest),
        collection=CollectionFacts(
            digest=corpus.digest if corpus else "0" * 64, captions_sha256=corpus.captions_sha256 if corpus else "0" * 64
        ),
        fingerprint="0" * 16,
        limits=ServiceLimits(max_k=max_k, max_query_characters=max_query_characters),
    )


def app_of(retriever: Retriever, limits: Limits = LIMITS, token: str | None = None, version: Version | None = None) -> FastAPI:
    """The service's application over `retriever`."""
    return make_app(Service(lambda: retriever, version or version_of(retriever), limits, token))


@contextlib.contextmanager
def threaded(app: FastAPI, patience: Patience = PATIENCE) -> Iterator[str]:
    """The URL of `app`, served by a thread as a worker serves it."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        server = uvicorn.Server(ServerConfig(lambda: app, patience))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be noticed by its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def until(condition: Callable[[], bool], seconds: float = 30) -> bool:
    """Whether something came true within a time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@dataclass
class Served:
    """A service that the command line started."""

    process: subprocess.Popen[str]
    url: str
    said: list[str]

    @property
    def workers(self) -> list[int]:
        """The ids of the worker processes that there are now."""
        pid = self.process.pid
        children = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        return [child for child in children if is_alive(child) and b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """The exit code after a signal."""
        self.process.send_signal(number)
        return self.process.wait(30)


@contextlib.contextmanager
def served(command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> Iterator[Served]:
    """A service in processes of its own, ended with all its workers."""
    process = subprocess.Popen(
        command, cwd=cwd, env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )  # fmt: skip
    running = Served(process, "", [])
    try:
        running.said = _lines(process)
        found = re.search(r"http://127\.0\.0\.1:\d+", "".join(running.said))
        assert found, running.said
        running.url = found.group()
        yield running
    finally:
        process.terminate()
        try:
            process.wait(20)
        finally:
            process.kill()
            assert process.stdout is not None
            process.stdout.close()


def _lines(process: "subprocess.Popen[str]") -> list[str]:
    """What the command says up to the command that uses it; one that says nothing for a minute is killed."""
    assert process.stdout is not None
    said: list[str] = []
    watch = threading.Timer(60, process.kill)
    watch.start()
    for line in process.stdout:
        said.append(line)
        if line.startswith("  python -m taec"):
            break
    watch.cancel()
    return said
