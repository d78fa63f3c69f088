"""The endpoint itself: `/v1/models` and `/v1/chat/completions` over one backbone, with limits and errors in OpenAI's form."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware

from taec.backbones.base import Backbone
from taec.serving import translate
from taec.serving.errors import tell_errors
from taec.serving.limits import HOSTS, BodyLimit, Limits, Refusal, Turns
from taec.serving.requests import ChatRequest


def make_app(backbone: Backbone, limits: Limits) -> FastAPI:
    """The application. The model's id is the first word of its name: `reader-1`."""
    name = str(backbone.identity()["model"])
    model = name.split()[0]
    turns = Turns(limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await backbone.close()

    app = FastAPI(title="taec", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan, redirect_slashes=False)
    app.add_middleware(BodyLimit, limits=limits)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)
    tell_errors(app, "POST /v1/chat/completions and GET /v1/models", "The model")

    @app.exception_handler(translate.RequestFault)
    async def faulty(request: Request, error: translate.RequestFault) -> JSONResponse:
        return Refusal(400, "invalid_request_error", str(error)).response()

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
