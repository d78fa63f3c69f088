"""What the served client reaches: `python benchmarks/served.py [questions] [lanes]` (default 6400 64), against a server on loopback that
answers after 200 ms.

`vanilla` answers questions of the embedded benchmark through the real runner and journal: five pages retrieved, encoded, sent as base64
over HTTP, judged, written. Each lane has a key of its own and answers one question at a time. The floor is calls x latency / lanes; the
figure is the share of the floor's questions per second that was reached. The server is a process of its own, and wants a core of its own.
"""

import asyncio
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from taec.core.questions import Question
from taec.experiment.assemble import assemble
from taec.experiment.compose import configurations
from taec.experiment.runner import Runner
from taec.records.journal import Journal

LATENCY = 0.2
REPLY = json.dumps(
    {
        "id": "1", "object": "chat.completion", "created": 1, "model": "loopback",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "none"}}],
        "usage": {"prompt_tokens": 2000, "completion_tokens": 5, "total_tokens": 2005},
    }
).encode()  # fmt: skip


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Read requests off one connection, each answered after the latency."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")).split(b":")[1])
            await reader.readexactly(length)
            await asyncio.sleep(LATENCY)
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(REPLY) + REPLY)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def serve() -> None:
    """Serve on a free port, which is printed."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0, limit=2**22, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


def repeated(questions: Sequence[Question], count: int) -> list[Question]:
    """`count` questions: the given ones again and again under new ids."""
    rounds = ((turn, question) for turn in itertools.count() for question in questions)
    return [replace(question, id=f"{question.id}-{turn}") for turn, question in itertools.islice(rounds, count)]


def measure(count: int, lanes: int, port: int) -> None:
    """Answer `count` questions over `lanes` keys and print what was reached."""
    os.environ["LOOPBACK_KEYS"] = ",".join(f"loopback-key-{lane}" for lane in range(lanes))
    with tempfile.TemporaryDirectory() as folder:
        chosen = [
            "system=vanilla",
            "backbone=openai_compatible",
            f"backbone.base_url=http://127.0.0.1:{port}/v1",
            "backbone.model=loopback",
        ]
        chosen += ["backbone.api_key_env=LOOPBACK_KEYS", "run.concurrency=1", "retriever=bm25", "tracking=none", f"output.folder={folder}"]
        assembly = assemble(configurations(chosen)[0], lambda stage, done, total: None)
        assembly = replace(assembly, benchmark=replace(assembly.benchmark, questions=repeated(assembly.benchmark.questions, count)))
        import_module("openai")  # a second, once, and no part of a rate
        rows = []
        with Journal(Path(folder) / "run") as journal:
            started, processor, loop = time.perf_counter(), time.process_time(), time.thread_time()
            asyncio.run(_run(Runner(assembly, journal, "benchmark", "benchmark", rows.append), assembly.services.backbone.close))
            seconds, processor, loop = time.perf_counter() - started, time.process_time() - processor, time.thread_time() - loop
    failed = sum(bool(row.failure) for row in rows)
    floor = sum(row.model_calls for row in rows) * LATENCY / lanes
    sent = sum(row.context_bytes for row in rows) / 1e6
    print(
        f"{count} questions, {lanes} lanes, {sum(row.images for row in rows)} images ({sent:.0f} MB base64), {failed} failed: "
        f"{seconds:.2f} s, {count / seconds:.1f} questions/s; floor {floor:.2f} s, {count / floor:.1f} questions/s; reached "
        f"{floor / seconds:.1%}; {1000 * processor / count:.2f} ms CPU a question, {1000 * loop / count:.2f} of it in the event loop"
    )


async def _run(runner: Runner, close: object) -> None:
    try:
        await runner.run()
    finally:
        assert callable(close)
        await close()


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        asyncio.run(serve())
    else:
        given = list(map(int, sys.argv[1:]))
        questions, lanes = (*given, *(6400, 64)[len(given) :])
        process = subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            measure(questions, lanes, int(process.stdout.readline()))
        finally:
            process.terminate()
            process.wait()
