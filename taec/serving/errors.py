"""Every error of an endpoint in one form: OpenAI's, which its clients expect and any other can read."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from taec.core.errors import TaecError
from taec.serving.limits import Refusal

TOLD = 5
"""Faults of a request that are named; the rest are counted."""
SHOWN = 80
"""Characters shown of a name or path that a client made up."""


def tell_errors(app: FastAPI, offered: str, part: str) -> None:
    """Give `app` its error answers; `offered` names its paths, `part` what breaks where something in it does."""

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> JSONResponse:
        return error.response()

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        sent = request.headers.get("content-type", "nothing")
        if "json" not in sent:
            said = f"the body has to be JSON, content-type: application/json; it came as {_shown(sent)}"
            return Refusal(415, "invalid_request_error", said).response()
        return Refusal(400, "invalid_request_error", _told(error)).response()

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        said = f"{_shown(request.method)} {_shown(request.scope['path'])}: {error.detail}. There are {offered}."
        kind = "not_found" if error.status_code == 404 else "invalid_request_error"
        return Refusal(error.status_code, kind, said, dict(error.headers or {})).response()

    @app.exception_handler(TaecError)
    async def surroundings(request: Request, error: TaecError) -> JSONResponse:
        return Refusal(503, "server_error", str(error)).response()

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        return Refusal(500, "server_error", f"{part} broke: {type(error).__name__}.").response()


def _told(error: RequestValidationError) -> str:
    found = error.errors()
    if any(fault["type"] == "json_invalid" for fault in found):
        return "the body is not JSON"
    faults = [f"{'.'.join(_shown(part) for part in fault['loc'][1:]) or 'body'}: {fault['msg']}" for fault in found[:TOLD]]
    more = len(found) - TOLD
    return "; ".join([*faults, f"and {more} more"] if more > 0 else faults)


def _shown(part: object) -> str:
    """A client's own text, short and in characters that can be sent: a name in JSON may hold half a surrogate pair."""
    text = str(part).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
