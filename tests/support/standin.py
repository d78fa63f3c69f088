"""A chat endpoint of the project's own on loopback, for what no mock server does: it enforces what the strictest providers enforce
(thought signatures, one result for every call, no empty contents), and breaks in every way in which endpoints break."""

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = Any
OK: Mapping[str, str] = {}


@dataclass(frozen=True)
class Seen:
    """One request as it came."""

    headers: Mapping[str, str]
    body: Json
    path: str


@dataclass(frozen=True)
class Say:
    """One response. `cut` bytes of the body are sent before the connection closes; `dribble` seconds pass before each of its parts;
    `reset` closes the connection before anything is sent; `late` seconds pass before the head."""

    body: Json = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    dribble: float = 0.0
    late: float = 0.0
    reset: bool = False

    @property
    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


def completion(text: Json = None, *calls: Json, finish: str = "stop", **fields: Json) -> Json:
    """A completion with a text or calls."""
    message = {"role": "assistant", "content": text} | ({"tool_calls": list(calls)} if calls else {})
    choice = {"index": 0, "message": message | fields.pop("message", {}), "finish_reason": finish}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m-1", "choices": [choice], "usage": usage} | fields


def call(name: str, arguments: Json, identity: Json = "call-1", **extras: Json) -> Json:
    """A tool call; arguments that are no text are written as JSON."""
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": written}, **extras}


def say(text: Json = None, *calls: Json, **fields: Json) -> Say:
    return Say(completion(text, *calls, **fields))


Answers = Callable[[Seen], Say]


class Standin:
    """A running server. It plays `answers` in order and then asks `otherwise`; requests that break the protocol get a 400."""

    def __init__(self, answers: Sequence[Say] = (), otherwise: Answers | None = None, host: str = "127.0.0.1") -> None:
        self.seen: list[Seen] = []
        self.faults: list[str] = []
        self._answers = list(answers)
        self._otherwise = otherwise or (lambda seen: say("the answer"))
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        standin = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length", 0)))
                standin.answer(self, Seen({k.lower(): v for k, v in self.headers.items()}, json.loads(raw), self.path))

            def log_message(self, *arguments: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *arguments: object) -> None:
                pass

        self._server = Server((host, 0), Handler)
        self.port: int = self._server.server_address[1]
        self.url = f"http://[{host}]:{self.port}/v1" if ":" in host else f"http://{host}:{self.port}/v1"

    def answer(self, handler: BaseHTTPRequestHandler, seen: Seen) -> None:
        with self._lock:
            self.seen.append(seen)
            if fault := broken_protocol(seen.body):
                self.faults.append(fault)
                chosen = Say([{"error": {"code": 400, "message": fault, "status": "INVALID_ARGUMENT"}}], 400)
            else:
                chosen = self._answers.pop(0) if self._answers else self._otherwise(seen)
        self._send(handler, chosen)

    def _send(self, handler: BaseHTTPRequestHandler, chosen: Say) -> None:
        self._stopping.wait(chosen.late)
        if chosen.reset:
            # no linger: the client sees a reset, not an end
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.close_connection = True
            handler.connection.close()
            return
        data = chosen.data
        handler.send_response_only(chosen.status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data)), **chosen.headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        if chosen.cut is not None:
            handler.wfile.write(data[: chosen.cut])
            handler.close_connection = True
        elif chosen.dribble:
            for start in range(0, len(data), 20):
                if self._stopping.wait(chosen.dribble):
                    return
                handler.wfile.write(data[start : start + 20])
                handler.wfile.flush()
        else:
            handler.wfile.write(data)

    @contextlib.contextmanager
    def running(self) -> Iterator["Standin"]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._stopping.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()


def broken_protocol(body: Json) -> str:
    """What the strictest of the providers would refuse, "" where nothing is wrong."""
    waiting: list[str] = []
    for message in body["messages"]:
        if fault := _content_fault(message):
            return fault
        if message["role"] == "tool":
            if not waiting or waiting.pop(0) != message["tool_call_id"]:
                return "an unexpected tool result"
        elif waiting:
            return "a tool call without its result"
        for each in message.get("tool_calls", []):
            if not each["id"] or each["id"] in waiting:
                return "function_response.name: Name cannot be empty"
            if not isinstance(json.loads(each["function"]["arguments"]), dict):
                return "arguments are no object"
            waiting.append(each["id"])
    return "a tool call without its result" if waiting else ""


def _content_fault(message: Json) -> str:
    content, role = message.get("content"), message["role"]
    parts = content if isinstance(content, list) else []
    if role != "user" and any(part["type"] == "image_url" for part in parts):
        return "Image URLs are only allowed for messages with role 'user'"
    missing = content == "" if role == "assistant" else not content
    if missing or any(part["type"] == "text" and not part["text"] for part in parts):
        return f"text content is empty ({role})"
    return ""


class Signed:
    """Plays a tool-calling model that signs the first call of every turn and refuses a history without its signatures."""

    def __init__(self, turn: Answers) -> None:
        self._turn = turn
        self._issued: dict[str, str] = {}
        self._lock = threading.Lock()

    def __call__(self, seen: Seen) -> Say:
        for message in seen.body["messages"]:
            for position, each in enumerate(message.get("tool_calls", [])):
                signature = each.get("extra_content", {}).get("google", {}).get("thought_signature")
                if position == 0 and signature != self._issued.get(each["id"], ""):
                    said = "Function call is missing a thought_signature in functionCall parts."
                    return Say([{"error": {"code": 400, "message": said, "status": "INVALID_ARGUMENT"}}], 400)
        answer = self._turn(seen)
        for choice in answer.body["choices"]:
            for each in choice["message"].get("tool_calls", [])[:1]:
                with self._lock:
                    each["id"] = f"{each['id']}-{len(self._issued)}__thought__" + "x" * 80
                    self._issued[each["id"]] = f"signature/{len(self._issued)}=="
                each["extra_content"] = {"google": {"thought_signature": self._issued[each["id"]]}}
        return answer


def play(seen: Seen) -> Say:
    """A model that knows every system's tools: searches twice, keeps a picture, answers."""
    offered = {tool["function"]["name"] for tool in seen.body.get("tools", [])}
    messages = seen.body["messages"]
    turns = sum(message["role"] == "assistant" for message in messages)
    said = json.dumps(messages[-2:])
    if not offered:
        return say("2")
    if "search" in offered:
        return say(None, call("search", {"query": f"look {turns}"}) if turns < 2 else call("answer", {"response": "2"}))
    if offered == {"add_answer_node"} or said.count("parents") > 1:
        return say(None, call("add_answer_node", {"parent_ids": ["root"], "answer": "2"}))
    if "Now call summarize_and_memorize" in said:
        kept = {"summarize": "The number is 2.", "memorize": [{"picture": 1, "priority_score": 4}]}
        return say(None, call("summarize_and_memorize", kept))
    return say(None, call("add_search_node", {"id": f"s{turns}", "parent_ids": ["root"], "query": f"other words {turns}"}))
