"""Vectors from any OpenAI-compatible embeddings endpoint: of captions, or of page images as vLLM serves Qwen3-VL-Embedding.

Captions go as `input`, several a request. Images go as `messages`, vLLM's form of the same endpoint for prompts with pictures: a system
message with the instruction, the page or the query from the user, and an empty answer that is "continued", which ends the prompt where
Qwen3-VL-Embedding was trained to be read.
"""

import asyncio
import json
from base64 import b64encode
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, ClassVar, Literal, TypeVar

import numpy as np
from pydantic import Field, JsonValue, StringConstraints

from taec.backbones.calls import Calls
from taec.backbones.endpoint import EMBEDDINGS, Endpoint, check_address
from taec.backbones.faults import Answer, Fault
from taec.backbones.keys import Key, read_keys
from taec.backbones.limits import SystemClock
from taec.backbones.profile import Address, LimitSettings, TimeoutSettings, Variables
from taec.backbones.wire import Request, Shape
from taec.core.chat import Incident
from taec.core.errors import InfrastructureError, SystemFailure
from taec.core.images import ImageRules, encode
from taec.core.settings import Settings as BaseSettings
from taec.retrievers.base import Corpus
from taec.retrievers.embedders.base import Vectors, unit

OF_THE_QUERY = {"context_overflow", "content_filter", "request_fault", "request_too_large", "body_too_large"}
"""Faults that another query would not meet."""
Object = dict[str, JsonValue]
Result = TypeVar("Result")


class Settings(BaseSettings):
    """Which model, what of a page it is given, and how it is asked. The keys themselves stand in the environment."""

    outside_identity: ClassVar[frozenset[str]] = frozenset(
        {"base_url", "api_key_env", "texts_in_request", "concurrency", "limits", "timeouts"}
    )

    kind: Literal["endpoint"]
    base_url: Address
    model: Annotated[str, StringConstraints(min_length=1)]
    api_key_env: Variables
    inputs: Literal["caption", "image"]
    """What of a page is embedded."""
    dimensions: int = Field(ge=1)
    """Of the vectors; an answer with another number is refused."""
    send_dimensions: bool
    """Whether the endpoint is asked for that number: it has to know how to shorten vectors."""
    query_instruction: str
    page_instruction: str
    """Instructions: before a text, as they are, or in the system message of a prompt with pictures."""
    longest_text: int = Field(ge=1)
    """Characters of a caption that are embedded; endpoints refuse texts that are longer than the model's context."""
    image_pixels: int = Field(ge=784)
    image_quality: int = Field(ge=1, le=95)
    texts_in_request: int = Field(ge=1)
    concurrency: int = Field(ge=1)
    """Requests on their way at once while pages are embedded."""
    limits: LimitSettings
    timeouts: TimeoutSettings

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that hold keys."""
        named = self.api_key_env
        return () if named is None else (named,) if isinstance(named, str) else named


class EndpointEmbedder:
    """Waits and gives up as a served backbone does. The index of a killed build goes on, so nothing is paid for twice."""

    def __init__(self, settings: Settings, corpus: Corpus, keys: Sequence[Key]) -> None:
        self.words = f"{settings.model}-{settings.dimensions} of {settings.inputs}s"
        self.libraries: Mapping[str, str] = {}
        self.content = corpus.digest if settings.inputs == "image" else ""
        self.dimensions = settings.dimensions
        self._in_request = settings.texts_in_request if settings.inputs == "caption" else 1
        self.batch = self._in_request * settings.concurrency * 4
        self._settings = settings
        self._corpus = corpus
        self._endpoint = Endpoint(settings.base_url, keys, settings.timeouts, EMBEDDINGS)
        self._calls = Calls(self._endpoint, keys, settings.limits, SystemClock(), holds="data")

    def embed_pages(self, page_ids: Sequence[str]) -> Vectors:
        return run_apart(self._embed_pages(page_ids))

    async def embed_query(self, query: str) -> Vectors:
        """The vector of one query. Raises SystemFailure where the endpoint refuses this very query, InfrastructureError otherwise."""
        settings = self._settings
        if settings.inputs == "caption":
            body = self._texts([settings.query_instruction + query[: settings.longest_text]])
        else:
            body = self._prompt(settings.query_instruction, {"type": "text", "text": query[: settings.longest_text]})
        found = await self._vectors(body, 1)
        if isinstance(found, Fault) and found.reason in OF_THE_QUERY:
            raise SystemFailure(f"embedding_{found.reason}", found.detail)
        if isinstance(found, Fault):
            raise InfrastructureError(f"A query cannot be embedded ({found.reason}): {found.detail}")
        return found

    async def _embed_pages(self, page_ids: Sequence[str]) -> Vectors:
        places = asyncio.Semaphore(self._settings.concurrency)

        async def embedded(part: Sequence[str]) -> Vectors:
            async with places:
                found = await self._vectors(await asyncio.to_thread(self._body, part), len(part))
            if isinstance(found, Fault):
                raise InfrastructureError(
                    f"{part[0]} cannot be embedded ({found.reason}): {found.detail}\nWhat is embedded stays; the same command goes on."
                )
            return found

        parts = [page_ids[start : start + self._in_request] for start in range(0, len(page_ids), self._in_request)]
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(embedded(part)) for part in parts]
        except* InfrastructureError as errors:
            raise errors.exceptions[0] from None
        finally:
            await self._endpoint.close()
        return np.concatenate([task.result() for task in tasks])

    def _body(self, page_ids: Sequence[str]) -> Object:
        settings = self._settings
        if settings.inputs == "caption":
            captions = [self._corpus.captions[page_id][: settings.longest_text] for page_id in page_ids]
            return self._texts([settings.page_instruction + caption for caption in captions])
        rules = ImageRules(settings.image_quality, max_bytes=1 << 40, grid=1)
        jpeg = encode(self._corpus.pages.image(page_ids[0]), settings.image_pixels, rules).jpeg
        url = f"data:image/jpeg;base64,{b64encode(jpeg).decode()}"
        return self._prompt(settings.page_instruction, {"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": ""})

    def _texts(self, texts: Sequence[str]) -> Object:
        # a page without text still needs a vector, and endpoints refuse an empty input
        return {"input": [text if text.strip() else "-" for text in texts]}

    def _prompt(self, instruction: str, *content: Object) -> Object:
        messages: list[JsonValue] = [
            {"role": "system", "content": [{"type": "text", "text": instruction}]},
            {"role": "user", "content": list(content)},
            {"role": "assistant", "content": [{"type": "text", "text": ""}]},
        ]
        return {"messages": messages, "continue_final_message": True, "add_special_tokens": True}

    async def _vectors(self, body: Object, count: int) -> Vectors | Fault:
        settings = self._settings
        asked: Object = {"model": settings.model, "encoding_format": "float", **body}
        if settings.send_dimensions:
            asked["dimensions"] = settings.dimensions
        data = json.dumps(asked, ensure_ascii=False).encode("utf-8", "replace")
        pictures = "messages" in body
        tokens = settings.limits.image_tokens if pictures else len(data) // 4
        incidents: list[Incident] = []  # of a build nobody counts waits
        answer = await self._calls.answer(Request(data, tokens, Shape(tools=False, choice="none", images=pictures)), incidents)
        return answer if isinstance(answer, Fault) else unit(read(answer, count, settings.dimensions))


def read(answer: Answer, count: int, dimensions: int) -> Vectors:
    """The vectors of an answer in the order of what was sent. Raises InfrastructureError where they are not what was asked for."""
    body = answer.body
    assert isinstance(body, dict)
    try:
        rows = body["data"]
        assert isinstance(rows, list)
        found = {row["index"]: row["embedding"] for row in rows if isinstance(row, dict)}
        vectors = np.array([found[place] for place in range(count)], np.float32)
    except (KeyError, ValueError, TypeError, AssertionError) as error:
        raise InfrastructureError(f"The endpoint did not answer {count} texts with a vector each ({type(error).__name__}).") from error
    if len(found) != count or vectors.shape != (count, dimensions) or not np.isfinite(vectors).all():
        given = vectors.shape[1] if vectors.ndim == 2 else "no"
        raise InfrastructureError(
            f"The endpoint gave {len(found)} vectors of {given} dimensions for {count} texts; {dimensions} are configured "
            "(embedder.dimensions), all finite."
        )
    return vectors


def run_apart(work: Coroutine[object, object, Result]) -> Result:
    """Run to the end from synchronous code, also where this thread has an event loop running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def build(settings: Settings, corpus: Corpus) -> EndpointEmbedder:
    """The embedder with the keys of the environment. Raises UsageError where there is none or the address cannot be one."""
    check_address(settings.base_url, "base_url of the embedder")
    return EndpointEmbedder(settings, corpus, read_keys(settings.variables, "api_key_env of the embedder"))
