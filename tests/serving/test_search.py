"""The retrieval service within one worker: what it answers, what it refuses, and that whoever misbehaves does not stop it."""

import contextlib
import json
import socket
import threading
from collections.abc import Iterator

import httpx2
import pytest
from support.service import LIMITS, PATIENCE, Numbered, app_of, threaded, version_of

from taec.core.pages import Hit
from taec.retrievers.protocol import INDEX_HEADER
from taec.serving.limits import Limits
from taec.serving.workers import Patience

SEARCH = {"query": "abc", "k": 2}
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with threaded(app_of(Numbered())) as found:
        yield found


def post(url: str, body: object, **headers: str) -> httpx2.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx2.post(f"{url}/search", content=content, headers={**JSON, **headers}, trust_env=False, timeout=20)


def get(url: str, path: str, **headers: str) -> httpx2.Response:
    return httpx2.get(f"{url}{path}", headers=headers, trust_env=False, timeout=20)


def raw(url: str, *parts: bytes, shut: bool = True) -> bytes:
    """All that comes back to bytes sent as they are."""
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        found = b""
        with contextlib.suppress(OSError):
            for part in parts:
                connection.sendall(part)
            if shut:
                connection.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ConnectionResetError):
            while chunk := connection.recv(65536):
                found += chunk
    return found


def head(**headers: str) -> bytes:
    lines = {"host": "localhost", **JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return b"POST /search HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()).encode() + b"\r\n"


def test_a_search_gives_identifiers_and_scores_only(url: str) -> None:
    answer = post(url, SEARCH)
    assert answer.json() == {"hits": [{"page_id": "p3", "score": 1.0}, {"page_id": "p4", "score": 0.99}]}
    assert answer.headers[INDEX_HEADER] == Numbered.identity.digest
    assert post(url, {"query": " \n", "k": 5}).json() == {"hits": []}
    assert len(post(url, {"query": "a", "k": 50}).json()["hits"]) == 50


def test_version_health_and_description(url: str) -> None:
    assert get(url, "/health").json() == {"status": "ok"}
    assert get(url, "/version").json() == version_of(Numbered()).model_dump()
    described = get(url, "/openapi.json").json()
    assert set(described["paths"]) == {"/search", "/version", "/health"}
    assert described["components"]["schemas"]["SearchRequest"]["properties"]["k"] == {
        "maximum": 50,
        "minimum": 1,
        "title": "K",
        "type": "integer",
    }
    assert described["components"]["schemas"]["FoundPage"]["required"] == ["page_id", "score"]


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        (b"", 400, "body"),
        (b"{", 400, "the body is not JSON"),
        (b"[" * 100_000, 400, ""),
        (b'{"a":' * 30_000 + b"1" + b"}" * 30_000, 400, ""),
        (b"null", 400, "body"),
        (b"[]", 400, "body"),
        (b'"text"', 400, "body"),
        (b"\xff\xfe\x00", 400, ""),
        (b'{"query":"\xff","k":1}', 400, ""),
        (b'{"query":"\\ud800","k":1}', 400, "query"),
        (b'{"\\ud800":1,"query":"a","k":1}', 400, "unicode"),
        (b'{"query":"a","k":NaN}', 400, "k: "),
        (b'{"query":"a","k":Infinity}', 400, "k: "),
        (b'{"query":"a","k":' + b"9" * 5000 + b"}", 400, ""),
        (b'{"query":"a","k":1e9}', 400, "k: "),
        ({"query": "a", "k": 10**9}, 400, "k: Input should be less than or equal to 50"),
        ({"query": "a", "k": 51}, 400, "k: Input should be less than or equal to 50"),
        ({"query": "a", "k": 2**70}, 400, "k: "),
        ({"query": "a", "k": 0}, 400, "k: Input should be greater than or equal to 1"),
        ({"query": "a", "k": -1}, 400, "k: "),
        ({"query": "a", "k": "5"}, 400, "k: "),
        ({"query": "a", "k": True}, 400, "k: "),
        ({"query": "a", "k": 5.0}, 400, "k: "),
        ({"query": "a", "k": None}, 400, "k: "),
        ({"query": "a"}, 400, "k: Field required"),
        ({"query": ["a"], "k": 1}, 400, "query: "),
        ({"query": {"$ne": ""}, "k": 1}, 400, "query: "),
        ({"query": 7, "k": 1}, 400, "query: "),
        ({"query": "a\x00b", "k": 1}, 400, "query: Value error, holds control characters"),
        ({"query": "\x1b[2J", "k": 1}, 400, "holds control characters"),
        ({"query": "a" * 32_769, "k": 1}, 400, "query: String should have at most 32768 characters"),
        ({"query": "a", "k": 1, "documents": "../../etc/passwd"}, 400, "documents: Extra inputs are not permitted"),
        ({"query": "a", "k": 1} | {f"field{number}": 0 for number in range(1000)}, 400, "and 995 more"),
        ({"query": "a", "k": 1, "x" * 10_000: 0}, 400, "xxx…: Extra"),
        ({"query": "a" * 500_000, "k": 1}, 413, "more than 394,240 bytes"),
        (b" " * 3_000_000, 413, "more than 394,240 bytes"),
    ],
    ids=lambda value: str(value)[:30] if not isinstance(value, int) else str(value),
)
def test_wrong_bodies_are_refused_in_words(url: str, body: object, status: int, told: str) -> None:
    answer = post(url, body)
    error = answer.json()["error"]
    assert (answer.status_code, set(error)) == (status, {"message", "type", "param", "code"})
    assert told in error["message"]
    assert error["message"]
    assert len(error["message"]) < 1500


@pytest.mark.parametrize(
    "query",
    [
        "../../etc/passwd",
        "..\\..\\windows",
        "%2e%2e%2f",
        "' OR 1=1 --",
        "${jndi:ldap://x}",
        "a" * 32_768,
        "\U0001f6e9" * 32_768,
        "a\tb\r\n",
    ],
)
def test_odd_queries_are_queries(url: str, query: str) -> None:
    assert post(url, {"query": query, "k": 1}).json()["hits"] == [{"page_id": f"p{len(query) % 100}", "score": 1.0}]


def test_of_fields_given_twice_the_last_counts(url: str) -> None:
    assert len(post(url, b'{"query":"a","k":7,"k":2}').json()["hits"]) == 2


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/search", 405),
        ("DELETE", "/search", 405),
        ("POST", "/version", 405),
        ("OPTIONS", "/search", 405),
        ("BREW", "/search", 405),
        ("POST", "/search/", 404),
        ("GET", "/", 404),
        ("GET", "/pages/../../../../etc/passwd", 404),
        ("GET", "/..%2f..%2fetc%2fpasswd", 404),
        ("GET", "/%00", 404),
        ("GET", "/" + "a" * 10_000, 404),
        ("GET", "/docs", 404),
    ],
)
def test_other_methods_and_paths(url: str, method: str, path: str, status: int) -> None:
    answer = raw(url, f"{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    message = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["message"]
    assert "There are POST /search, GET /version and GET /health" in message
    assert len(message) < 300


def test_a_body_that_is_no_json_by_its_header(url: str) -> None:
    answer = post(url, SEARCH, **{"content-type": "text/plain"})
    assert (answer.status_code, "application/json" in answer.json()["error"]["message"]) == (415, True)


@pytest.mark.parametrize(
    ("request_bytes", "statuses"),
    [
        (head(content_length="99999999999"), {413}),
        (head(content_length="9" * 400), {400, 413}),
        (head(content_length="-1") + b"x", {400}),
        (head(content_length="abc") + b"x", {400}),
        (head(content_length="5", Content_Length="6") + b"x", {400}),
        (head(content_length="5") + b'{"query":"a","k":1}', {400}),
        (head(transfer_encoding="chunked") + b"zz\r\n", {400}),
        (head(transfer_encoding="chunked") + b"fffffffffffffffff\r\nabc", {400, None}),
        (head(transfer_encoding="gzip") + b"abc", {400, 501}),
        (b"POST /search HTTP/1.1\r\nhost: localhost:[\r\n\r\n", {400}),
        (b"POST /search HTTP/1.1\r\nhost: evil.example\r\n\r\n", {400}),
        (b"POST /search HTTP/1.1\r\n\r\n", {400}),
        (b"GET /health HTTP/9.9\r\nhost: localhost\r\n\r\n", {400, 200}),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)), {400}),
        (b"GET /health HTTP/1.1\r\nhost: localhost\r\nx: " + b"a" * 200_000 + b"\r\n\r\n", {400, 431}),
        (b"GET /" + b"a" * 200_000, {400, 414}),
        (b"\r\n" * 5, {400}),
        (b"", {None}),
    ],
    ids=lambda value: repr(value[:60]) if isinstance(value, bytes) else "",
)
def test_lies_in_the_head(url: str, request_bytes: bytes, statuses: set[int | None]) -> None:
    answer = raw(url, request_bytes)
    assert (int(answer[9:12]) if answer else None) in statuses
    assert post(url, SEARCH).status_code == 200


def test_a_chunked_body_is_counted_as_it_comes(url: str) -> None:
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    answer = raw(url, head(transfer_encoding="chunked"), *[chunk] * 20, b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413 ")
    body = json.dumps(SEARCH).encode()
    whole = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    assert raw(url, head(transfer_encoding="chunked", connection="close"), whole).startswith(b"HTTP/1.1 200 ")


def test_a_client_that_leaves_in_the_middle(url: str) -> None:
    for _ in range(20):
        raw(url, head(content_length="100") + b"{")
    assert post(url, SEARCH).status_code == 200


SHORT = Patience(seconds=0.3, connections=6)
HASTY = Limits(33_554_432, 3, 64, 0.3)


@pytest.mark.parametrize(
    ("begun", "status"),
    [
        (b"", 408),
        (b"POST /sea", 408),
        (head(content_length="100")[:-2], 408),
        (head(content_length="100") + b'{"query"', 408),
        (head(transfer_encoding="chunked") + b"5\r\nab", 408),
        (b"GET /nowhere HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nabc", 404),
    ],
)
def test_slow_clients_are_cut(begun: bytes, status: int) -> None:
    with threaded(app_of(Numbered(), HASTY), SHORT) as url:
        answer = raw(url, begun, shut=False)
        assert post(url, SEARCH).status_code == 200
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.parametrize("begun", [b"GET /he", head(content_length="100")], ids=["head", "body"])
def test_a_byte_now_and_then_gains_no_time(begun: bytes) -> None:
    with threaded(app_of(Numbered(), HASTY), SHORT) as url:
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=0.05) as connection:
            connection.sendall(begun)
            found = b""
            for _ in range(400):
                try:
                    connection.sendall(b"a")
                    found += connection.recv(65536)
                except TimeoutError:
                    continue
                except OSError:
                    break
                if found:
                    break
        assert found.startswith(b"HTTP/1.1 408 ")


def test_a_client_that_takes_no_answers_is_cut() -> None:
    search = head(content_length=str(len(body := json.dumps({"query": "a", "k": 50}).encode()))) + body
    with threaded(app_of(Numbered(), HASTY), SHORT) as url:
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=20) as connection, pytest.raises(OSError, match=r"reset|pipe"):
            connection.sendall(search * 200_000)
        assert post(url, SEARCH).status_code == 200


def test_more_connections_than_a_worker_holds() -> None:
    with threaded(app_of(Numbered()), Patience(10, 3)) as url:
        host, port = url.removeprefix("http://").split(":")
        idle = [socket.create_connection((host, int(port)), timeout=20) for _ in range(3)]
        try:
            answer = raw(url, b"", shut=False)
        finally:
            for connection in idle:
                connection.close()
        assert answer.startswith(b"HTTP/1.1 429 ")
        assert b"retry-after: 1" in answer.lower()


class Held(Numbered):
    """Searches until it is let go."""

    def __init__(self) -> None:
        self.inside, self.go = threading.Event(), threading.Event()

    async def search(self, query: str, k: int) -> list[Hit]:
        import asyncio

        self.inside.set()
        await asyncio.to_thread(self.go.wait, 20)
        return await super().search(query, k)


def test_more_searches_than_may_wait_are_told_to_come_back() -> None:
    held = Held()
    with threaded(app_of(held, Limits(33_554_432, 1, 0))) as url:
        first: list[int] = []
        thread = threading.Thread(target=lambda: first.append(post(url, SEARCH).status_code))
        thread.start()
        assert held.inside.wait(10)
        answer = post(url, SEARCH)
        alive = get(url, "/health").status_code
        held.go.set()
        thread.join()
    assert (answer.status_code, answer.headers["retry-after"], alive, first) == (429, "1", 200, [200])


def test_a_token_that_is_asked_for() -> None:
    with threaded(app_of(Numbered(), LIMITS, "s3cret")) as url:
        for headers in (
            {},
            {"authorization": "Bearer no"},
            {"authorization": "Basic s3cret"},
            {"authorization": "Bearer s3cret\u00e9".encode("latin-1")},
        ):
            refused = httpx2.post(f"{url}/search", json=SEARCH, headers=headers, trust_env=False)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        assert get(url, "/version").status_code == 401
        assert get(url, "/health").status_code == 200
        assert post(url, SEARCH, authorization="Bearer s3cret").status_code == 200
        assert post(url, SEARCH, authorization="Bearer s3cret", host="search.example").status_code == 200


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_index_that_changed_under_the_service_is_not_served() -> None:
    other = version_of(Numbered()).model_copy(deep=True)
    other.index.digest = "f" * 64
    with threaded(app_of(Numbered(), version=other), PATIENCE) as url, pytest.raises(httpx2.TransportError):
        httpx2.get(f"{url}/health", trust_env=False, timeout=2)
