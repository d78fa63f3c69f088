"""What an endpoint takes, and how it says no: refusals in OpenAI's form, turns among requests, bounds on bodies."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi.exceptions import HTTPException as FastAPIError
from fastapi.responses import JSONResponse
from pydantic import JsonValue
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = ["localhost", "127.0.0.1", "[::1]"]
"""Names under which requests are taken on loopback: a web page that a browser shows here must not reach an endpoint under its own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of a request, requests answered at once, requests that may wait (further ones are told to come back), and the seconds
    within which a body has to be here."""

    max_body_bytes: int
    concurrency: int
    queue: int
    request_seconds: float = 60


class Refusal(FastAPIError):
    """An answer that refuses. Of FastAPI's kind, since it turns any other that comes up in reading a body into a 400."""

    def __init__(self, status: int, kind: str, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, message, headers or {})
        self.kind = kind

    def response(self) -> JSONResponse:
        body: dict[str, JsonValue] = {"message": self.detail, "type": self.kind, "param": None, "code": self.kind}
        return JSONResponse({"error": body}, self.status_code, dict(self.headers or {}))


class Turns:
    """Who may be answered now, who waits, and who is sent away."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._free = asyncio.Semaphore(limits.concurrency)
        self._inside = 0

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """A place among those that are answered. Raises Refusal where too many wait."""
        if self._inside >= self._limits.concurrency + self._limits.queue:
            raise Refusal(429, "rate_limit_exceeded", f"{self._inside} requests are waiting or being answered.", {"retry-after": "1"})
        self._inside += 1
        try:
            async with self._free:
                yield
        finally:
            self._inside -= 1


class BodyLimit:
    """Refuses a body that is too large by its announced length, or once it has grown too large, without keeping it; and one that
    is not whole in time."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limit = limits.max_body_bytes
        self._seconds = limits.request_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        large = Refusal(413, "request_too_large", f"The request has more than {self._limit:,} bytes.")
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._limit:
            await large.response()(scope, receive, send)
            return
        await self._app(scope, self._counted(receive, large), send)

    def _counted(self, receive: Receive, large: Refusal) -> Receive:
        deadline = asyncio.get_running_loop().time() + self._seconds
        taken, is_whole = 0, False

        async def counted() -> Message:
            nonlocal taken, is_whole
            if is_whole:
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                late = f"The request was not here in {self._seconds:g} seconds."
                raise Refusal(408, "request_timeout", late, {"connection": "close"}) from None
            taken += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if taken > self._limit:
                raise large
            return message

        return counted
