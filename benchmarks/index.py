"""What indexing costs beside pypdfium2 and Pillow alone: `python benchmarks/index.py FOLDER [rounds]` (default 3 rounds).

Each round, in turns: two processes that open, render and encode every page with pypdfium2 and Pillow at the same size and JPEG settings
and write the files; and `python -m taec index documents=FOLDER` into an empty cache. Wall time and CPU time of each, of the command as a
whole and of rendering alone (`build` without OCR: `collection.captions.min_characters=0`); ratios are within one round, so they hold on
any machine. The last lines also compare the shortest time of each: what else a machine does only makes times longer. Memory is the sum
over all processes, sampled. At the end the command is killed (SIGKILL) in the middle and run again, and the pages that were there are
compared by their time of change. Half a gigabyte a run stays on the disk until the end.
"""

import math
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pypdfium2 as pdfium

PIXELS, QUALITY, PROCESSES = 1_500_000, 92, 2
TOUCHED = "memory = bytearray(4 << 30)\nfor at in range(0, len(memory), 4096): memory[at] = 1"
"""Before each measurement: a virtual machine gets its memory when it first touches it, which cost up to a sixth of a run, now of one
kind, now of the other."""


def plain(path: Path, folder: Path) -> None:
    """One document as nobody could do it with less."""
    document = pdfium.PdfDocument(path)
    document.init_forms()
    for number in range(len(document)):
        page = document[number]
        width, height = page.get_size()
        image = page.render(scale=math.sqrt(PIXELS / (width * height))).to_pil().convert("RGB")
        image.save(folder / f"{path.stem}-{number + 1}.jpg", "JPEG", quality=QUALITY)
        page.close()
    document.close()


def plain_all(source: Path, target: Path) -> None:
    paths = sorted(source.glob("*.pdf"), key=lambda path: -path.stat().st_size)
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        pool.starmap(plain, [(path, target) for path in paths], chunksize=1)


def index(source: Path, cache: Path, *further: str) -> list[str]:
    return [sys.executable, "-m", "taec", "index", f"documents={source}", f"cache.folder={cache}", *further]


class Measured:
    """A child command: wall seconds, CPU seconds with its children's, and the most memory of all its processes together."""

    def __init__(self, command: list[str]) -> None:
        subprocess.run([sys.executable, "-c", TOUCHED], check=True)
        before, began = os.times(), time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.memory = 0
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(process.pid, done))
        watcher.start()
        code = process.wait()
        self.wall, after = time.perf_counter() - began, os.times()
        done.set()
        watcher.join()
        self.cpu = after.children_user + after.children_system - before.children_user - before.children_system
        assert code == 0, command

    def _watch(self, pid: int, done: threading.Event) -> None:
        while not done.wait(0.1):
            self.memory = max(self.memory, sum(map(rss, family(pid))))


def family(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        try:
            for task in Path(f"/proc/{each}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return found


def rss(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def kill_and_go_on(source: Path) -> str:
    with tempfile.TemporaryDirectory() as cache:
        process = subprocess.Popen(index(source, Path(cache)), stdout=subprocess.DEVNULL)
        while len(list(Path(cache).glob("pages/*/*.jpg"))) < 500 and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        time.sleep(1)  # processes that render end with the page that they are at
        there = {file: file.stat().st_mtime_ns for file in Path(cache).glob("pages/*/*.jpg")}
        again = subprocess.run(index(source, Path(cache)), capture_output=True, text=True, check=True)
        redone = sum(file.stat().st_mtime_ns != changed for file, changed in there.items())
        words = next(line for line in again.stdout.splitlines() if "rendered now" in line)
        return f"killed with {len(there)} pages on the disk; run again: {redone} of them redone; {words}"


def main(folder: Path) -> None:
    source, rounds = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 3
    ratios: dict[str, list[tuple[float, float]]] = {}
    quietest: dict[str, tuple[float, float]] = {}
    print(f"{'':34} wall s  CPU s  memory MB   wall ratio  CPU ratio")
    for _ in range(rounds):
        base: Measured | None = None
        for name, further in (
            ("pypdfium2 and Pillow", None),
            ("index without OCR", ("collection.captions.min_characters=0",)),
            ("index", ()),
        ):
            target = Path(tempfile.mkdtemp(dir=folder))
            command = (
                [sys.executable, __file__, str(source), "--plain", str(target)] if further is None else index(source, target, *further)
            )
            found = Measured(command)
            base = base or found
            best = quietest.get(name, (math.inf, math.inf))
            quietest[name] = min(best[0], found.wall), min(best[1], found.cpu)
            ratio = found.wall / base.wall, found.cpu / base.cpu
            ratios.setdefault(name, []).append(ratio)
            print(f"{name:34} {found.wall:6.1f} {found.cpu:6.1f} {found.memory / 1e6:10.0f} {ratio[0]:12.2f} {ratio[1]:10.2f}", flush=True)
    for name, pairs in ratios.items():
        walls, cpus = zip(*pairs, strict=True)
        wall, cpu = (mine / theirs for mine, theirs in zip(quietest[name], quietest["pypdfium2 and Pillow"], strict=True))
        print(f"{name}: median wall {statistics.median(walls):.2f}, CPU {statistics.median(cpus):.2f}; quietest {wall:.2f}, {cpu:.2f}")
    print(kill_and_go_on(source))


if __name__ == "__main__":
    if "--plain" in sys.argv:
        plain_all(Path(sys.argv[1]), Path(sys.argv[3]))
    else:
        with tempfile.TemporaryDirectory() as all_of_it:  # removed at the end: ext4 takes time to hand out what was freed just before
            main(Path(all_of_it))
