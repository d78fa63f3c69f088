"""Worker processes behind one listening socket, by uvicorn's supervisor: one that dies is replaced, all end with the parent."""

import asyncio
import contextlib
import multiprocessing
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.supervisors import Multiprocess

from taec.core.errors import InfrastructureError
from taec.serving.limits import Refusal

KEEP_ALIVE = 60
"""Seconds that an idle connection stays open: longer than clients keep theirs, so that none is closed under a request."""
GRACE = 5
"""Seconds that requests under way have at the end."""
HEALTHCHECK = 30
"""Seconds without a sign of life after which a worker is replaced: one that starts on a busy machine takes a while to give the first."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client may take over a request's head, or to take an answer, in seconds; and connections of one worker."""

    seconds: float
    connections: int


class ServerConfig(uvicorn.Config):
    """uvicorn's configuration, for quiet servers whose patience ends."""

    def __init__(self, app: Callable[[], FastAPI], patience: Patience, workers: int = 1) -> None:
        super().__init__(
            app, factory=True, http=PatientProtocol, ws="none", lifespan="on", workers=workers, log_level="error", access_log=False,
            server_header=False, timeout_keep_alive=KEEP_ALIVE, timeout_graceful_shutdown=GRACE, timeout_worker_healthcheck=HEALTHCHECK,
        )  # fmt: skip
        self.patience = patience

    def configure_logging(self) -> None:
        """The first thing that uvicorn does in a worker: from here on a signal to end leaves by the door, so that locks are given back."""
        super().configure_logging()
        if multiprocessing.parent_process() is not None:
            signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))


class PatientProtocol(H11Protocol):
    """HTTP that cuts clients off who dawdle: uvicorn itself waits for ever for a head, and for an answer to be taken."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        assert isinstance(self.config, ServerConfig)
        self._patience = self.config.patience
        self._head = Alarm(self.loop, self._patience.seconds)
        self._answer = Alarm(self.loop, self._patience.seconds)
        super().connection_made(transport)
        if len(self.connections) > self._patience.connections:
            self._refuse(Refusal(429, "too_many_connections", f"{len(self.connections)} connections are open.", {"retry-after": "1"}))
        else:
            self._head.set(self._late)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request, whatever uvicorn declares
        if cycle is None or cycle.response_complete:
            self._head.set(self._late)
        else:
            self._head.stop()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:  # refused before its body was here, which has no longer than a head to come
            self._head.set(self._late)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._answer.set(self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._answer.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head.stop()
        self._answer.stop()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        self._refuse(Refusal(400, "invalid_request_error", msg))

    def _late(self) -> None:
        late = f"The request's head was not here in {self._patience.seconds:g} seconds."
        self._refuse(Refusal(408, "request_timeout", late))

    def _refuse(self, refusal: Refusal) -> None:
        """Say why, where nothing was said yet, and close. Whoever does not take even that is cut off."""
        answer = refusal.response()
        headers = [*answer.raw_headers, (b"connection", b"close")]
        with contextlib.suppress(h11.LocalProtocolError):
            for event in (
                h11.Response(status_code=refusal.status_code, headers=headers),
                h11.Data(data=bytes(answer.body)),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        self._head.stop()
        self._answer.set(self.transport.abort)


class Alarm:
    """Goes off once, so many seconds after it was first set, however often it is set again meanwhile."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._loop = loop
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def set(self, act: Callable[[], None]) -> None:
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, act)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Workers(Multiprocess):
    """uvicorn's supervisor; a terminal that closes ends the service instead of starting its workers anew."""

    def handle_hup(self) -> None:
        self.should_exit.set()


def serve(make: Callable[[], FastAPI], listener: socket.socket, patience: Patience, workers: int) -> None:
    """Serve until stopped; `make` is called in each worker. Raises InfrastructureError where a worker cannot start."""
    supervisor = Workers(ServerConfig(make, patience, workers), [listener])
    supervisor.run()
    if any(process.exitcode == STARTUP_FAILURE for process in supervisor.processes):
        raise InfrastructureError("A worker could not start; what it said stands above.")
