"""The client of a retrieval service: `python -m taec serve retriever=...` in another process, here or elsewhere."""

import os
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, ValidationError, field_validator

from taec.core.errors import InfrastructureError, UsageError
from taec.core.pages import Hit
from taec.core.progress import Stage
from taec.core.settings import Settings as BaseSettings
from taec.retrievers.base import Corpus, IndexIdentity
from taec.retrievers.protocol import CONTROL, INDEX_HEADER, SERVICE_VERSION, ErrorAnswer, SearchAnswer, Version
from taec.retrievers.ranking import check_k
from taec.retrievers.sending import Sending

if TYPE_CHECKING:
    import httpx2

Body = TypeVar("Body", bound=BaseModel)


class Settings(BaseSettings):
    """Where the service is and how patiently it is asked; what it searches is the identity that it tells."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"url", "token_env", "timeout", "attempts", "wait", "longest_wait"})

    name: Literal["http"]
    """The registry name."""
    url: str
    """`http://host:port`, without a path."""
    token_env: str | None
    """Name of the environment variable that holds the token."""
    timeout: float = Field(gt=0)
    """Seconds of one request."""
    attempts: int = Field(ge=1)
    """Of one request."""
    wait: float = Field(ge=0)
    """Seconds before the second attempt."""
    longest_wait: float = Field(ge=0)
    """Seconds before any attempt."""

    @field_validator("url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
            raise ValueError("has to be an address like http://127.0.0.1:8100")
        return url.rstrip("/")


class HttpRetriever:
    """Searches the index of a service. It is asked what it could be asked in process: control characters go as spaces, and a query
    longer than the service takes is cut."""

    def __init__(self, version: Version, sending: Sending, corpus: Corpus) -> None:
        self.identity = IndexIdentity(version.index.name, version.index.pages, version.index.digest)
        self._version = version
        self._sending = sending
        self._corpus = corpus

    async def search(self, query: str, k: int) -> list[Hit]:
        """At most `k` hits. Raises ValueError for `k` below 1, UsageError for more than the service gives, and InfrastructureError
        where it is lost, or answers what is no answer."""
        check_k(k)
        limits, pages = self._version.limits, self.identity.pages
        asked, text = min(k, pages), _sendable(query)[: limits.max_query_characters]
        if not text.strip() or not pages:
            return []
        if asked > limits.max_k:
            raise UsageError(f"k={k} is asked for, and the service at {self._sending.url} gives {limits.max_k} at most: see serve.max_k.")
        response = await self._sending.post("/search", {"query": text, "k": asked})
        return self._checked(response, asked)

    def _checked(self, response: "httpx2.Response", k: int) -> list[Hit]:
        served = response.headers.get(INDEX_HEADER, self.identity.digest)
        if served != self.identity.digest:
            raise InfrastructureError(
                f"The service at {self._sending.url} searches another index now: {served[:16]}, and {self.identity.digest[:16]} before. "
                "Serve that one again; the same command continues."
            )
        hits = [Hit(hit.page_id, hit.score) for hit in _read(response, SearchAnswer, self._sending.url).hits]
        unknown = next((hit.page_id for hit in hits if hit.page_id not in self._corpus.captions), None)
        if unknown is not None:
            raise InfrastructureError(
                f"The service at {self._sending.url} found the page {unknown[:100]!r}, which this collection has not. "
                f"Its collection is {self._version.collection.digest}, this one is {self._corpus.digest}."
            )
        ranks = [hit.score for hit in hits]
        if len(hits) > k or len({hit.page_id for hit in hits}) < len(hits) or ranks != sorted(ranks, reverse=True):
            raise InfrastructureError(f"The service at {self._sending.url} answered {len(hits)} hits to k={k} that are no ranking.")
        return hits


def build(settings: Settings, corpus: Corpus, stage: Stage) -> HttpRetriever:
    """A client of the service.

    Raises UsageError where it serves other pages or refuses the token, InfrastructureError where there is none.
    """
    sending = Sending(settings.url, _headers(settings), settings.timeout, settings.attempts, settings.wait, settings.longest_wait)
    version = _read(sending.get("/version"), Version, settings.url)
    served, own = version.collection, corpus
    if (served.captions_sha256, served.digest) != (own.captions_sha256, own.digest):
        raise UsageError(
            f"retriever.url={settings.url} serves other pages than this run's. Its collection is {served.digest[:16]} with captions "
            f"{served.captions_sha256[:16]} ({version.index.pages} pages), this run's is {own.digest[:16]} with captions "
            f"{own.captions_sha256[:16]} ({len(own.captions)} pages). Serve the same benchmark or documents, with the same collection.*."
        )
    return HttpRetriever(version, sending, corpus)


def _headers(settings: Settings) -> dict[str, str]:
    if settings.token_env is None:
        return {}
    token = os.environ.get(settings.token_env, "").strip()
    if not token:
        raise UsageError(
            f"retriever.token_env={settings.token_env}: that environment variable is empty; it has to hold the service's token."
        )
    return {"authorization": f"Bearer {token}"}


def _read(response: "httpx2.Response", model: type[Body], url: str) -> Body:
    """The typed body of an answer."""
    if response.status_code == 401:
        raise UsageError(f"The service at {url} refuses the token: see retriever.token_env.")
    if response.status_code != 200:
        raise InfrastructureError(f"The service at {url} answered HTTP {response.status_code}: {_said(response)}")
    try:
        return model.model_validate_json(response.content)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"])) or "body"
        raise InfrastructureError(
            f"What answers at {url} is no retrieval service of version {SERVICE_VERSION} ({where}: {fault['msg']}). See retriever.url."
        ) from None


def _said(response: "httpx2.Response") -> str:
    try:
        return ErrorAnswer.model_validate_json(response.content).error.message
    except ValidationError:
        return f"{' '.join(response.text[:100].split())} (no retrieval service says that: see retriever.url)"


def _sendable(query: str) -> str:
    return CONTROL.sub(" ", query.encode("utf-8", "replace").decode())
