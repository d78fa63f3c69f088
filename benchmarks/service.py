"""What the retrieval service adds to a search, and how long a worker takes to start: `python benchmarks/service.py [rounds] [folder]`.

A synthetic collection of 36,233 pages with vectors of 2,048 dimensions, the size of the paper's largest index, searched exactly, k = 25.
The same queries are asked in process and through worker processes, by one client and by eight at a time; the median and the 95th percentile
are over all of a kind. Rounds alternate between them, so that what else the machine does falls on all. Processor time counts clients and
workers; on a machine that does nothing else, one client waits for what is added of it, and eight clients on two cores for four times
that. `folder` keeps the index.
"""

import asyncio
import gc
import hashlib
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from taec.cli import BETWEEN_COLLECTIONS
from taec.collections.store import Collection, Contents, StoredDocument, StoredPage
from taec.core.progress import untold
from taec.core.settings import Settings
from taec.retrievers import http
from taec.retrievers.base import Retriever
from taec.retrievers.dense import Dense
from taec.retrievers.embedders.base import Vectors, unit
from taec.retrievers.identity import identify
from taec.retrievers.protocol import CollectionFacts, IndexFacts, ServiceLimits, Version
from taec.retrievers.vectors import kept_vectors

PAGES, DIMENSIONS, K = 36_233, 2_048, 25
CHARACTERS = 1_000
"""Of a caption: what a worker reads at its start grows with it."""
SEARCHES = 32
"""Of one kind in one round."""


class Drawn:
    """Vectors drawn by a seed that the query's or the pages' names give."""

    words = f"drawn-{DIMENSIONS}"
    libraries: dict[str, str] = {}  # noqa: RUF012
    content = ""
    dimensions = DIMENSIONS
    batch = 4_096

    def embed_pages(self, page_ids: Sequence[str]) -> Vectors:
        return _drawn(page_ids[0], len(page_ids))

    async def embed_query(self, query: str) -> Vectors:
        return _drawn(query, 1)


def _drawn(name: str, rows: int) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    return unit(np.random.default_rng(seed).standard_normal((rows, DIMENSIONS), np.float32))


@dataclass(frozen=True)
class Opening:
    """How a worker opens the index: captions, page ids and mapped vectors, as it would any other."""

    folder: Path

    def __call__(self) -> Retriever:
        corpus = Collection(self.folder).corpus(self.folder / "indices")
        vectors = kept_vectors(corpus.folder / "dense", tuple(corpus.captions), DIMENSIONS, Drawn.batch, Drawn().embed_pages, untold)
        identity = identify(Settings(), corpus, {}, f"dense {Drawn.words}")
        return Dense(identity, vectors, tuple(corpus.captions), Drawn())


def make_collection(folder: Path) -> None:
    """The files of a collection without images, which no dense search reads."""
    if (folder / "collection.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"document {number:04d}.pdf" for number in range(300)]
    per = -(-PAGES // len(names))
    documents, lines = [], []
    for position, name in enumerate(names):
        numbers = range(1, min(per, PAGES - position * per) + 1)
        pages = [StoredPage(number=n, width=1, height=1) for n in numbers]
        documents.append(StoredDocument(name=name, sha256=str(position), folder=str(position), pages=pages))
        lines += [json.dumps({"page": f"{name}_p{n}", "caption": f"word{n} " * (CHARACTERS // 8)}) for n in numbers]
    written = "".join(f"{line}\n" for line in lines).encode()
    (folder / "captions.jsonl").write_bytes(written)
    digest = hashlib.sha256(written).hexdigest()
    contents = Contents(format=1, digest=digest, settings={}, documents=documents, captions_sha256=digest, limits=(1, 1.0))
    (folder / "links.json").write_text("{}")
    (folder / "collection.json").write_text(contents.model_dump_json())


def serve(folder: Path, workers: int) -> None:
    """Serve the index on a free port, which is printed."""
    from taec.commands.serve import address, listen
    from taec.experiment.compose import configurations
    from taec.serving.limits import Limits
    from taec.serving.search import Service, make_app
    from taec.serving.workers import Patience
    from taec.serving.workers import serve as serve_by_workers

    settings = configurations(["serve.port=0"])[0].plain.serve
    retriever = Opening(folder)()
    collection, index = Collection(folder), retriever.identity
    version = Version(
        service="1",
        taec="benchmark",
        index=IndexFacts(name=index.name, pages=index.pages, digest=index.digest),
        collection=CollectionFacts(digest=collection.digest, captions_sha256=collection.captions_sha256),
        fingerprint="0" * 16,
        limits=ServiceLimits(max_k=settings.max_k, max_query_characters=settings.max_query_characters),
    )
    limits = Limits(settings.max_body_bytes, settings.concurrency, settings.queue, settings.request_seconds)
    with listen(settings) as listener:
        print(address(listener), flush=True)
        make = partial(make_app, Service(Opening(folder), version, limits))
        serve_by_workers(make, listener, Patience(settings.request_seconds, settings.connections), workers)


async def _timed(retriever: Retriever, clients: int, round_: int) -> list[float]:
    """Seconds of each search, `clients` of them under way at once."""
    queries = iter([f"query {round_} {number}" for number in range(SEARCHES)])

    async def client() -> list[float]:
        seconds = []
        for query in queries:
            started = time.perf_counter()
            await retriever.search(query, K)
            seconds.append(time.perf_counter() - started)
        return seconds

    return [value for found in await asyncio.gather(*(client() for _ in range(clients))) for value in found]


def _said(seconds: Sequence[float]) -> str:
    return f"median {1000 * statistics.median(seconds):6.1f} ms, 95th percentile {1000 * float(np.quantile(seconds, 0.95)):6.1f} ms"


async def compare(folder: Path, services: dict[int, tuple[int, str]], rounds: int) -> None:
    """Print what each way of asking takes, and what the service adds. `services`: process and URL by number of workers."""
    own = Opening(folder)()
    corpus = Collection(folder).corpus(folder / "indices")
    ways: dict[str, tuple[Retriever, int]] = {"in process": (own, 0)}
    ways |= {f"{workers} workers": (http.build(_client(url), corpus, untold), pid) for workers, (pid, url) in services.items()}
    assert all([await way.search("same", K) == await own.search("same", K) for way, _ in ways.values()])
    for clients in (8, 1):
        taken: dict[str, list[float]] = {name: [] for name in ways}
        quietest = dict.fromkeys(ways, float("inf"))
        spent = dict.fromkeys(ways, 0.0)
        for round_ in range(-1, rounds):  # the first warms up
            for name, (way, pid) in ways.items():
                before = _processor(pid)
                seconds = await _timed(way, clients, round_)
                if round_ >= 0:
                    taken[name] += seconds
                    quietest[name] = min(quietest[name], statistics.median(seconds))
                    spent[name] += _processor(pid) - before
        _print(clients, taken, quietest, spent)


def _print(clients: int, taken: dict[str, list[float]], quietest: dict[str, float], spent: dict[str, float]) -> None:
    for name, seconds in taken.items():
        added = 1000 * (statistics.median(seconds) - statistics.median(taken["in process"]))
        tail = 1000 * float(np.quantile(seconds, 0.95) - np.quantile(taken["in process"], 0.95))
        processor = 1000 * spent[name] / len(seconds)
        print(
            f"{clients} at a time, {name:10}: {_said(seconds)}; added {added:+6.1f} and {tail:+6.1f} ms; "
            f"quietest round {1000 * quietest[name]:6.1f} ms, added {1000 * (quietest[name] - quietest['in process']):+6.1f}; "
            f"processor {processor:5.1f} ms a search, added {processor - 1000 * spent['in process'] / len(taken['in process']):+5.1f}",
            flush=True,
        )


def _processor(pid: int) -> float:
    """Seconds of processor time of this process, and of the workers of the service `pid` where it is not 0."""
    workers = Path(f"/proc/{pid}/task/{pid}/children").read_text().split() if pid else []
    fields = [Path(f"/proc/{worker}/stat").read_text().rpartition(") ")[2].split() for worker in workers]
    return time.process_time() + sum(int(field[11]) + int(field[12]) for field in fields) / os.sysconf("SC_CLK_TCK")


def _client(url: str) -> http.Settings:
    from taec.experiment.compose import configurations

    values = configurations(["retriever=http", f"retriever.url={url}"])[0].options["retriever"]
    assert isinstance(values, http.Settings)
    return values


def start_of_a_worker(folder: Path) -> list[float]:
    """Seconds from the start of a process like a worker's to an index that has answered."""
    found = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([sys.executable, __file__, "worker", str(folder)], check=True)
        found.append(time.perf_counter() - started)
    return found


def open_as_a_worker(folder: Path) -> None:
    """All that a worker imports and opens, and a first search."""
    from taec.experiment import opening
    from taec.serving import search, workers

    assert opening, (search, workers)
    started = time.perf_counter()
    retriever = Opening(folder)()
    opened = time.perf_counter()
    asyncio.run(retriever.search("first", K))
    print(f"  a worker opens the index in {opened - started:.2f} s and searches it in {time.perf_counter() - opened:.2f} s", flush=True)


def main(rounds: int, folder: Path) -> None:
    gc.set_threshold(BETWEEN_COLLECTIONS)  # as in every command that is a client
    make_collection(folder)
    started = time.perf_counter()
    Opening(folder)()
    load = os.getloadavg()[0]
    print(
        f"{PAGES:,} x {DIMENSIONS:,} on {os.cpu_count()} cores, load {load:.1f}; index there after {time.perf_counter() - started:.1f} s",
        flush=True,
    )
    starts = start_of_a_worker(folder)
    print(f"a worker's start, first search included: median {statistics.median(starts):.2f} s, slowest {max(starts):.2f} s")
    command = [sys.executable, __file__, "serve", str(folder)]
    processes = [(workers, subprocess.Popen([*command, str(workers)], stdout=subprocess.PIPE, text=True)) for workers in (1, 2)]
    try:
        services = {workers: (process.pid, str(process.stdout and process.stdout.readline()).strip()) for workers, process in processes}
        asyncio.run(compare(folder, services, rounds))
    finally:
        for _, process in processes:
            process.terminate()
            process.wait(30)


if __name__ == "__main__":
    multiprocessing.freeze_support()
    match sys.argv[1:]:
        case ["serve", folder, workers]:
            serve(Path(folder), int(workers))
        case ["worker", folder]:
            open_as_a_worker(Path(folder))
        case [rounds, folder]:
            main(int(rounds), Path(folder))
        case given:
            with tempfile.TemporaryDirectory() as temporary:
                main(int(given[0]) if given else 10, Path(temporary))
