"""The endpoint itself: `/v1/models` and `/v1/chat/completions` over one backbone, with limits and errors in OpenAI's form."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI, Request
from fastapi.exceptions import HTTPException as FastAPIError
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import JsonValue
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from taec.backbones.base import Backbone
from taec.core.errors import TaecError
from taec.serving import translate
from taec.serving.requests import ChatRequest

HOSTS = ["localhost", "127.0.0.1", "[::1]"]
"""Names under which requests are taken: a web page that a browser shows here must not reach the endpoint under its own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of a request, requests answered at once, and requests that may wait; further ones are told to come back."""

    max_body_bytes: int
    concurrency: int
    queue: int


class Refusal(FastAPIError):
    """An answer other than a completion. Of FastAPI's kind, since it turns any other that comes up in reading a body into a 400."""

    def __init__(self, status: int, kind: str, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, message, headers or {})
        self.kind = kind

    def response(self) -> JSONResponse:
        body: dict[str, JsonValue] = {"message": self.detail, "type": self.kind, "param": None, "code": self.kind}
        return JSONResponse({"error": body}, self.status_code, dict(self.headers or {}))


def make_app(backbone: Backbone, limits: Limits) -> FastAPI:
    """The application. The model's id is the first word of its name: `reader-1`."""
    name = str(backbone.identity()["model"])
    model = name.split()[0]
    turns = Turns(limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await backbone.close()

    app = FastAPI(title="taec", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.add_middleware(BodyLimit, limit=limits.max_body_bytes)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)
    _tell_errors(app)

    @app.get("/v1/models")
    async def models() -> JSONResponse:
        return JSONResponse({"object": "list", "data": [{"id": model, "object": "model", "created": 0, "owned_by": "taec"}]})

    @app.post("/v1/chat/completions")
    async def chat(request: ChatRequest) -> JSONResponse:
        if request.model not in (model, name):
            raise Refusal(404, "model_not_found", f"There is no model '{request.model}' here; there is '{model}'.")
        async with turns.one():
            offered, choice = translate.tools(request)
            said = await asyncio.to_thread(translate.messages, request)
            return JSONResponse(translate.completion(await backbone.reply(said, offered, choice)))

    return app


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
    """Refuses a body that is too large by its announced length, or once it has grown too large, without keeping it."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = Refusal(413, "request_too_large", f"The request has more than {self._limit:,} bytes.", {"connection": "close"})
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._limit:
            await refusal.response()(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._limit:
                raise refusal
            return message

        await self._app(scope, counted, send)


def _tell_errors(app: FastAPI) -> None:
    """Every error in the form in which OpenAI's clients expect one."""

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> JSONResponse:
        return error.response()

    @app.exception_handler(translate.RequestFault)
    async def faulty(request: Request, error: translate.RequestFault) -> JSONResponse:
        return Refusal(400, "invalid_request_error", str(error)).response()

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        faults = [f"{'.'.join(map(str, fault['loc'][1:])) or 'body'}: {fault['msg']}" for fault in error.errors()]
        if any(fault["type"] == "json_invalid" for fault in error.errors()):
            faults = ["the body is not JSON"]
        return Refusal(400, "invalid_request_error", "; ".join(faults)).response()

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        said = f"{request.method} {request.url.path}: {error.detail}. There are POST /v1/chat/completions and GET /v1/models."
        return Refusal(error.status_code, "not_found" if error.status_code == 404 else "invalid_request_error", said).response()

    @app.exception_handler(TaecError)
    async def surroundings(request: Request, error: TaecError) -> JSONResponse:
        return Refusal(503, "server_error", str(error)).response()

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        return Refusal(500, "server_error", f"The model broke: {type(error).__name__}.").response()
