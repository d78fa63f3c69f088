"""Requests to a service, sent again where the connection fails or the service is full."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypedDict

from pydantic import JsonValue

from taec.backbones.endpoint import is_loopback
from taec.core.errors import InfrastructureError

if TYPE_CHECKING:
    import httpx2
    from tenacity import RetryCallState
    from tenacity.retry import retry_base
    from tenacity.stop import stop_base

PASSING = frozenset({429, 502, 503, 504})
"""Statuses of a service, or of a proxy before it, that may be gone a moment later."""


class _Patience(TypedDict):
    retry: "retry_base"
    stop: "stop_base"
    wait: "Callable[[RetryCallState], float]"
    reraise: bool


class _How(TypedDict):
    headers: dict[str, str]
    timeout: float
    trust_env: bool


class Passing(Exception):
    """An attempt that failed and may not fail again; `after` are the seconds that the service asks for."""

    def __init__(self, said: str, after: float = 0) -> None:
        self.after = after
        super().__init__(said)


class Sending:
    """A client of one service, made anew in every event loop. Each request may be sent twice: nothing in the service changes by one."""

    def __init__(self, url: str, headers: Mapping[str, str], timeout: float, attempts: int, wait: float, longest_wait: float) -> None:
        self.url = url
        self._headers = dict(headers)
        self._timeout = timeout
        self._attempts = attempts
        self._wait = wait
        self._longest_wait = longest_wait
        self._loop: asyncio.AbstractEventLoop | None = None
        self._kept: httpx2.AsyncClient | None = None

    async def post(self, path: str, body: Mapping[str, JsonValue]) -> "httpx2.Response":
        """The answer to a JSON body. Raises InfrastructureError after the last attempt."""
        import tenacity

        async def attempt() -> "httpx2.Response":
            with _failing():
                return _settled(await self._client().post(f"{self.url}{path}", json=dict(body)))

        with self._lost():
            return await tenacity.AsyncRetrying(**self._patience())(attempt)

    def get(self, path: str) -> "httpx2.Response":
        """The answer to a request that waits and keeps no connection. Raises InfrastructureError after the last attempt."""
        import httpx2
        import tenacity

        def attempt() -> "httpx2.Response":
            with _failing():
                return _settled(client.get(f"{self.url}{path}"))

        with self._lost(), httpx2.Client(**self._how()) as client:
            return tenacity.Retrying(**self._patience())(attempt)

    @contextmanager
    def _lost(self) -> Iterator[None]:
        """What failed for the last time, told to a person."""
        try:
            yield
        except Passing as error:
            raise InfrastructureError(
                f"The service at {self.url} is not there ({error}; attempts: {self._attempts}). Start it, or see retriever.url; "
                "the same command continues."
            ) from None
        except (ImportError, ValueError, OSError) as error:
            raise InfrastructureError(f"The proxy or the certificates that the environment names cannot be used: {error}") from None

    def _patience(self) -> "_Patience":
        import tenacity

        return {
            "retry": tenacity.retry_if_exception_type(Passing),
            "stop": tenacity.stop_after_attempt(self._attempts),
            "wait": self._pause,
            "reraise": True,
        }

    def _pause(self, state: "RetryCallState") -> float:
        failed = state.outcome.exception() if state.outcome else None
        after = failed.after if isinstance(failed, Passing) else 0
        return min(max(self._wait * 2.0 ** (state.attempt_number - 1), after), self._longest_wait)

    def _client(self) -> "httpx2.AsyncClient":
        import httpx2

        loop = asyncio.get_running_loop()
        if self._kept is None or self._loop is not loop:
            self._loop, self._kept = loop, httpx2.AsyncClient(**self._how())
        return self._kept

    def _how(self) -> "_How":
        return {"headers": self._headers, "timeout": self._timeout, "trust_env": not is_loopback(self.url)}


@contextmanager
def _failing() -> Iterator[None]:
    import httpx2

    try:
        yield
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise Passing(f"{type(error).__name__}: {error}".rstrip(": ")) from None


def _settled(response: "httpx2.Response") -> "httpx2.Response":
    if response.status_code in PASSING:
        asked = response.headers.get("retry-after", "")
        raise Passing(f"HTTP {response.status_code}", float(asked) if asked.isdecimal() else 0)
    return response
