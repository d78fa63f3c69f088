"""What a search costs: `python benchmarks/search.py dense [pages]` and `python benchmarks/search.py late [pages] [tokens]`.

dense: synthetic unit vectors of 2,048 dimensions (default 36,233 pages, as many as the largest benchmark of the paper has): our search
against FAISS alone on the same vectors in the same process, taken in turns; then a process of its own that opens the index.
late: synthetic token vectors of 128 dimensions (default 36,233 pages of 700 tokens each, 6.5 GB on disk), a query of 20 tokens, in a
process of its own. Indices are made in a temporary folder (TMPDIR says where) and deleted.
"""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from taec.core.progress import untold
from taec.retrievers.embedders.base import Vectors, unit
from taec.retrievers.exact import Nearest, load_faiss
from taec.retrievers.late_interaction import max_sim
from taec.retrievers.tokens import Tokens, kept_tokens
from taec.retrievers.vectors import kept_vectors

PAGES = 36_233
DIMENSIONS, TOKEN_DIMENSIONS = 2048, 128
REPEATS = 41
CONCURRENT = 8
CHUNK = 16_384


def ids(pages: int) -> list[str]:
    return [f"document-{number // 40}.pdf_p{number % 40 + 1}" for number in range(pages)]


def memory() -> dict[str, int]:
    """MB of this process: its own (anonymous), mapped from files, and the most there was of both together."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    return {name: int(lines[name].split()[0]) // 1024 for name in ("RssAnon", "RssFile", "VmHWM")}


def dense_index(folder: Path, pages: int) -> Vectors:
    chance = np.random.default_rng(0)

    def embed(part: Sequence[str]) -> Vectors:
        return unit(chance.standard_normal((len(part), DIMENSIONS), np.float32))

    return kept_vectors(folder, ids(pages), DIMENSIONS, 512, embed, untold)


def queries(count: int, dimensions: int) -> Vectors:
    return unit(np.random.default_rng(1).standard_normal((count, dimensions), np.float32))


async def dense(folder: Path, pages: int) -> None:
    started = time.perf_counter()
    vectors, names, faiss = dense_index(folder, pages), ids(pages), load_faiss()
    nearest = Nearest(vectors, names)
    print(f"written: {time.perf_counter() - started:.1f} s for {pages:,} x {DIMENSIONS:,}, {memory()}")
    raw = faiss.IndexFlatIP(DIMENSIONS)
    raw.add(vectors)
    for k in (5, 25):
        times: dict[str, list[float]] = {"ours": [], "faiss": []}
        for row in queries(REPEATS, DIMENSIONS):
            query = row[None]
            started = time.perf_counter()
            _, expected = raw.search(query, k)
            times["faiss"].append(time.perf_counter() - started)
            started = time.perf_counter()
            hits = await nearest.hits(query, k)
            times["ours"].append(time.perf_counter() - started)
            assert [hit.page_id for hit in hits] == [names[place] for place in expected[0]]
        ours, alone = (statistics.median(found) * 1000 for found in (times["ours"], times["faiss"]))
        ratio = statistics.median(a / b for a, b in zip(times["ours"], times["faiss"], strict=True))
        print(f"k={k}: ours {ours:.1f} ms, FAISS alone {alone:.1f} ms (medians); median ratio {ratio:.2f}, ratio of the fastest "
              f"{min(times['ours']) / min(times['faiss']):.2f}")  # fmt: skip
    at_once = [await _all_at_once(nearest) for _ in range(REPEATS)]
    print(f"{CONCURRENT} at the same time: {statistics.median(at_once):.1f} ms in all (median), fastest {min(at_once):.1f} ms")


async def _all_at_once(nearest: Nearest) -> float:
    """Milliseconds until the last of several searches has its answer."""
    started = time.perf_counter()
    await asyncio.gather(*(nearest.hits(row[None], 5) for row in queries(CONCURRENT, DIMENSIONS)))
    return 1000 * (time.perf_counter() - started)


async def opened(folder: Path, pages: int) -> None:
    """A fresh worker: from the beginning of this function, after imports, to its first and second answer."""
    names = ids(pages)
    marks = [time.perf_counter()]
    nearest = Nearest(dense_index(folder, pages), names)
    marks.append(time.perf_counter())
    for row in queries(2, DIMENSIONS):
        await nearest.hits(row[None], 5)
        marks.append(time.perf_counter())
    spans = [f"{(after - before) * 1000:.1f} ms" for before, after in pairwise(marks)]
    print(f"fresh process: opens in {spans[0]}, first search {spans[1]} (with the import of FAISS), second {spans[2]}; {memory()}")


def late_index(folder: Path, pages: int, tokens: int) -> Tokens:
    """Pages are drawn from a pool of 64: making all of them at random would take longer than everything else."""
    chance = np.random.default_rng(0)
    pool = unit(chance.standard_normal((64 * tokens, TOKEN_DIMENSIONS), np.float32)).reshape(64, tokens, -1)

    def encode(part: Sequence[str]) -> list[Vectors]:
        return [pool[place] for place in chance.integers(0, 64, len(part))]

    return kept_tokens(folder, ids(pages), TOKEN_DIMENSIONS, 64, encode, untold)


def late(folder: Path, pages: int, tokens: int) -> None:
    started = time.perf_counter()
    index = late_index(folder, pages, tokens)
    print(f"opened in {(time.perf_counter() - started) * 1000:.0f} ms: {index.file.stat().st_size / 1e9:.2f} GB, {memory()}")
    query = queries(20, TOKEN_DIMENSIONS)
    for _ in range(3):
        started, worked = time.perf_counter(), time.process_time()
        max_sim(index, query, CHUNK)
        print(f"search: {time.perf_counter() - started:.2f} s, {time.process_time() - worked:.2f} s of processor time, {memory()}")


def main(words: list[str]) -> None:
    kind, *numbers = words or ["dense"]
    pages = int(numbers[0]) if numbers else PAGES
    tokens = int(numbers[1]) if len(numbers) > 1 else 700
    with tempfile.TemporaryDirectory() as folder:
        apart = [sys.executable, __file__, f"{kind}-in", folder, str(pages), str(tokens)]
        if kind == "dense":
            asyncio.run(dense(Path(folder) / "index", pages))
            started = time.perf_counter()
            subprocess.run(apart, check=True, timeout=120)
            print(f"the whole process: {time.perf_counter() - started:.2f} s")
        else:
            started = time.perf_counter()
            late_index(Path(folder) / "index", pages, tokens)
            print(f"written: {time.perf_counter() - started:.0f} s, {memory()}")
            subprocess.run(apart, check=True, timeout=900)


if __name__ == "__main__":
    if sys.argv[1:2] == ["dense-in"]:
        asyncio.run(opened(Path(sys.argv[2]) / "index", int(sys.argv[3])))
    elif sys.argv[1:2] == ["late-in"]:
        late(Path(sys.argv[2]) / "index", int(sys.argv[3]), int(sys.argv[4]))
    else:
        main(sys.argv[1:])
