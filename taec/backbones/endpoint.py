"""One request to an OpenAI-compatible endpoint: the SDK's client, without its retries, and everything that can break on the way.

The SDK's typed call is not used: it validates nothing, spends twice the time on requests with pictures, and loses the body of an error
that is a list. Its documented way for other endpoints, `post`, gives the response as it came.
"""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from pydantic import JsonValue

from taec.backbones.faults import Answer
from taec.backbones.keys import Key, Scrubber
from taec.backbones.profile import TimeoutSettings
from taec.core.errors import InfrastructureError, UsageError

if TYPE_CHECKING:
    import ssl

    import httpx2
    from openai import AsyncOpenAI

CHAT = "/chat/completions"
EMBEDDINGS = "/embeddings"
TYPE = {"content-type": "application/json"}
LOGGERS = ("openai._base_client", "httpx2", "httpcore2.connection", "httpcore2.http11", "httpcore2.http2", "httpcore2.proxy")
"""A filter holds for the very logger that it is on, so each is named."""


@dataclass(frozen=True, slots=True)
class Broken:
    """No answer came. `unanswered` where the connection was lost after the request went and before a response began."""

    reason: str
    detail: str
    unanswered: bool = False


class Endpoint:
    """The clients of one endpoint, made anew in every event loop: one a key, each with its own connections.

    A pool looks at all its connections before and after every request, which at 64 questions at once takes longer than the request.
    """

    def __init__(self, base_url: str, keys: Sequence[Key], timeouts: TimeoutSettings, path: str = CHAT) -> None:
        self._path = path
        self._base_url = base_url
        self._timeouts = timeouts
        self._scrubber = Scrubber(keys)
        self._filter = _LogFilter(self._scrubber)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._clients: dict[Key, AsyncOpenAI] = {}
        self._certificates: ssl.SSLContext | None = None

    @property
    def facts(self) -> dict[str, JsonValue]:
        """How requests travel, for the manifest."""
        return {"base_url": self._base_url, "sdk": f"openai {version('openai')}", "proxy": proxied(self._base_url)}

    async def send(self, key: Key, body: bytes) -> Answer | Broken:
        """Send one request and wait for all of its answer, `timeouts.total` seconds at most. Keys are struck out of what comes back."""
        import httpx2
        import openai

        client = self._client(key)
        try:
            async with asyncio.timeout(self._timeouts.total):
                response = await client.post(self._path, cast_to=httpx2.Response, content=body, options={"headers": TYPE})
                return self._answer(response)
        except openai.APIStatusError as error:
            return self._answer(error.response)
        except (TimeoutError, openai.APITimeoutError) as error:
            return Broken("timeout", f"no whole answer within {self._timeouts.total:g} s ({type(error).__name__})")
        except openai.APIConnectionError as error:
            return self._lost(error.__cause__ or error, begun="began" in error.request.extensions)
        except httpx2.HTTPError as error:
            return self._lost(error, begun=True)
        except (openai.APIError, httpx2.InvalidURL, ValueError, TypeError, RuntimeError) as error:
            # all of these were seen escaping the SDK's own hierarchy
            return Broken("unreadable_body", self._scrubber.text(f"{type(error).__name__}: {error}"))

    async def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        clients, self._clients = self._clients, {}
        for name in LOGGERS:
            logging.getLogger(name).removeFilter(self._filter)
        if self._loop is asyncio.get_running_loop():
            for client in clients.values():
                await client.close()

    def _client(self, key: Key) -> "AsyncOpenAI":
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._clients = loop, {}
        if key not in self._clients:
            for name in LOGGERS:
                logging.getLogger(name).addFilter(self._filter)
            self._clients[key] = self._connected(key)
        return self._clients[key]

    def _connected(self, key: Key) -> "AsyncOpenAI":
        import httpx2
        import openai

        try:
            self._certificates = self._certificates or httpx2.create_ssl_context()  # 20 ms each, and the same for every key
            connections = openai.DefaultAsyncHttpxClient(
                verify=self._certificates,
                timeout=httpx2.Timeout(self._timeouts.total, connect=self._timeouts.connect, pool=None),
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=self._timeouts.keep_alive),
                trust_env=not is_loopback(self._base_url),
                event_hooks={"response": [_began]},
            )
        except (ImportError, ValueError, OSError) as error:
            raise InfrastructureError(f"The proxy or the certificates that the environment names cannot be used: {error}") from None
        client = openai.AsyncOpenAI(api_key=key.reveal(), base_url=self._base_url, max_retries=0, http_client=connections)
        client.organization = client.project = None  # the environment's belong to api.openai.com, not to whoever this is
        return client

    def _answer(self, response: "httpx2.Response") -> Answer:
        headers = self._scrubber.headers(response.headers)
        try:
            return Answer(response.status_code, headers, self._scrubber.value(json.loads(response.content)))
        except (ValueError, RecursionError):
            return Answer(response.status_code, headers, self._scrubber.text(response.text), is_json=False)

    def _lost(self, cause: BaseException, *, begun: bool) -> Broken:
        import httpx2

        detail = self._scrubber.text(f"{type(cause).__name__}: {cause}".rstrip(": "))
        reason = "truncated_body" if begun else "connection_error"
        return Broken(reason, f"{detail} ({self._base_url})", unanswered=not begun and not isinstance(cause, httpx2.ConnectError))


class _LogFilter(logging.Filter):
    """Strikes keys out of what the libraries log when they are asked to (OPENAI_LOG=debug): an endpoint's headers, among others."""

    def __init__(self, scrubber: Scrubber) -> None:
        super().__init__()
        self._scrubber = scrubber

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._scrubber.text(record.getMessage()), ()
        return True


async def _began(response: "httpx2.Response") -> None:
    """Leaves word that a response began: a request that was answered at all is never sent twice."""
    response.request.extensions["began"] = True


def is_loopback(url: str) -> bool:
    """Whether a URL's host is this machine; no proxy is asked for it."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def proxied(url: str) -> str:
    """Whether requests go through a proxy that the environment names, without its address, which may hold a password."""
    parts = urlsplit(url)
    proxies = getproxies()
    if is_loopback(url) or proxy_bypass(parts.hostname or "") or not (proxies.get(parts.scheme) or proxies.get("all")):
        return "none"
    return "from the environment"


def check_address(url: str, setting: str = "backbone.base_url") -> None:
    """Raises UsageError where a URL cannot be one."""
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError as error:
        raise UsageError(f"{setting}={url}: {error}.") from None
    if not usable:
        raise UsageError(f"{setting}={url}: names no host and port.")
