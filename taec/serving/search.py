"""The retrieval service: `POST /search`, `GET /version` and `GET /health` over one read-only index."""

import asyncio
import gc
import multiprocessing
import os
import secrets
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Annotated

from fastapi import Depends, FastAPI, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import Field, create_model
from starlette.middleware.trustedhost import TrustedHostMiddleware

from taec.core.errors import InfrastructureError
from taec.retrievers.base import Retriever
from taec.retrievers.protocol import DESCRIBED, INDEX_HEADER, ErrorAnswer, FoundPage, Health, SearchAnswer, SearchRequest, Version
from taec.serving.errors import tell_errors
from taec.serving.limits import HOSTS, BodyLimit, Limits, Refusal, Turns

ENVELOPE = 1024
"""Bytes of a search's JSON beside its query."""
WIDEST = 12
"""Bytes that one character of a query takes at most: two `\\uXXXX`."""


@dataclass(frozen=True, slots=True)
class Service:
    """What every worker is told: how to open the index, what it has to be, what is taken, and the token that is asked for."""

    open: Callable[[], Retriever]
    version: Version
    limits: Limits
    token: str | None = field(default=None, repr=False)


def make_app(service: Service) -> FastAPI:
    """The application. The index is opened as it starts, which raises InfrastructureError where it is not the announced one."""
    opened: list[Retriever] = []

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        _end_with_parent()
        opened.append(await asyncio.to_thread(_opened, service))
        gc.freeze()  # what is open stays until the end: looking through it for garbage would hold up whoever asks meanwhile
        yield

    app = FastAPI(
        title="taec retrieval", version=service.version.service, docs_url=None, redoc_url=None, lifespan=lifespan, redirect_slashes=False
    )
    longest = WIDEST * service.version.limits.max_query_characters + ENVELOPE
    limits = replace(service.limits, max_body_bytes=min(service.limits.max_body_bytes, longest))
    app.add_middleware(BodyLimit, limits=limits)
    if service.token is None:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)
    tell_errors(app, "POST /search, GET /version and GET /health", "The retriever")
    _add_paths(app, service, Turns(limits), opened)
    return app


def _add_paths(app: FastAPI, service: Service, turns: Turns, opened: list[Retriever]) -> None:
    request = _request(service.version)
    allowed = [Depends(_bearer(service.token))] if service.token else []
    refusals: dict[int | str, dict[str, object]] = {"4XX": {"model": ErrorAnswer}}

    @app.post("/search", dependencies=allowed, responses=refusals)
    async def search(asked: request, response: Response) -> SearchAnswer:  # type: ignore[valid-type]
        """The pages that answer a query best: identifiers and scores."""
        response.headers[INDEX_HEADER] = service.version.index.digest
        async with turns.one():
            found = await opened[0].search(asked.query, asked.k)  # type: ignore[attr-defined]
        return SearchAnswer(hits=[FoundPage(page_id=hit.page_id, score=hit.score) for hit in found])

    @app.get("/version", dependencies=allowed, responses=refusals)
    async def version() -> Version:
        """Which index over which pages this is, and the most that it may be asked for."""
        return service.version

    @app.get("/health", responses=refusals)
    async def health() -> Health:
        """Whether a worker answers."""
        return Health(status="ok")


def _request(version: Version) -> type[SearchRequest]:
    """The request with this service's limits in it, so that they stand in the OpenAPI description too."""
    return create_model(
        "SearchRequest",
        __base__=SearchRequest,
        query=(Annotated[str, Field(max_length=version.limits.max_query_characters, json_schema_extra=DESCRIBED)], ...),
        k=(Annotated[int, Field(ge=1, le=version.limits.max_k)], ...),
    )


def _bearer(token: str) -> Callable[[HTTPAuthorizationCredentials | None], Awaitable[None]]:
    scheme = HTTPBearer(auto_error=False)

    async def check(given: Annotated[HTTPAuthorizationCredentials | None, Depends(scheme)]) -> None:
        if given is None or not secrets.compare_digest(given.credentials.encode(), token.encode()):
            raise Refusal(401, "unauthorized", "This service asks for its token: Authorization: Bearer ...", {"www-authenticate": "Bearer"})

    return check


def _opened(service: Service) -> Retriever:
    retriever = service.open()
    if retriever.identity.digest != service.version.index.digest:
        raise InfrastructureError(
            f"The index is {retriever.identity.digest[:16]} ({retriever.identity.name}) and was {service.version.index.digest[:16]} "
            f"({service.version.index.name}) when the service started. Start it again."
        )
    return retriever


def _end_with_parent() -> None:
    """A worker ends when the process that started it is gone, however that ended."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    loop, sentinel = asyncio.get_running_loop(), int(parent.sentinel)

    def end() -> None:
        loop.remove_reader(sentinel)
        os.kill(os.getpid(), signal.SIGTERM)

    loop.add_reader(sentinel, end)
