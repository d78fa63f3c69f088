"""How long `python -m taec compare` takes on two runs of 2,215 questions: `python -m benchmarks.compare [repeats]`.

The runs are simulated: rows of the protocol's shape and usual length with answers and verdicts drawn by chance, under two configurations
that differ in one value. What is timed is the whole process, interpreter and imports included; its CPU time stands beside, for machines
that do other work.
"""

import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from omegaconf import OmegaConf

from taec.core.questions import Question
from taec.core.trajectory import Graph, Trajectory
from taec.experiment.compose import configurations
from taec.records.lines import replace_file
from taec.records.manifest import CollectionFacts, JudgeFacts, Manifest, RetrieverFacts, write_manifest
from taec.records.provenance import code_state, environment
from taec.records.rows import Row, make_row

QUESTIONS = 2215
DOCUMENTS = 135
WAYS = ([], ["--format", "md"], ["--format", "json"], ["--format", "html"], ["--diff"])


def row(number: int, chance: random.Random) -> Row:
    """A simulated row: 2 kB, as the rows of real runs."""
    document = f"document-{number % DOCUMENTS}.pdf"
    text = f"What does document {number % DOCUMENTS} say about subject {number}, and in which of its tables or figures does it say so?"
    gold = frozenset({f"{document}_p{number % 40}"})
    question = Question(f"q{number}", text, (f"reference {number}",), "Str", True, gold=gold, documents=(document,))
    plain = make_row(question, Trajectory(text, Graph(text), f"answer {chance.random()}", "answered"), chance.uniform(1, 9), "c0de", "f1f1")
    searches = chance.randint(1, 6)
    pages = tuple(tuple(f"{document}_p{chance.randint(1, 300)}" for _ in range(5)) for _ in range(searches))
    return plain.model_copy(
        update={
            "correct": chance.random() < 0.4,
            "covered": chance.random() < 0.8,
            "searches": searches,
            "model_calls": 2 * searches,
            "context_bytes": chance.randint(200_000, 2_000_000),
            "peak_call_bytes": chance.randint(100_000, 400_000),
            "queries": (text,) * searches,
            "admitted": pages,
        }
    )


def simulated(folder: Path, seed: int, *overrides: str) -> Path:
    """A run folder with simulated rows."""
    (config,) = configurations([f"output.folder={folder}", *overrides])
    place = folder / config.run_name
    place.mkdir(parents=True)
    manifest = Manifest(
        configuration=config.digest,
        system=config.label,
        prompts="0" * 16,
        retriever=RetrieverFacts(name="simulated", pages=1, digest="0", fingerprint="0" * 16),
        collection=CollectionFacts(digest="0", pages=1, captions_sha256="0"),
        benchmark={"name": "simulated"},
        backbone={"name": "simulated"},
        judge=JudgeFacts(name="rules", rules="1", batch="simulated"),
    )
    replace_file(place / "config.yaml", [OmegaConf.to_yaml(config.resolved).rstrip()])
    write_manifest(place, manifest.begin(code_state(), environment(), ("simulated",)).end("complete"))
    chance = random.Random(seed)
    replace_file(place / "rows.jsonl", [row(number, chance).model_dump_json() for number in range(QUESTIONS)])
    return place


def main(repeats: int) -> None:
    """Print the median and the longest of some processes for each format."""
    with tempfile.TemporaryDirectory() as name:
        runs = [str(simulated(Path(name), seed, f"system.allocation.tau={tau}")) for seed, tau in ((1, 1.0), (2, 2.0))]
        size = sum((Path(run) / "rows.jsonl").stat().st_size for run in runs)
        print(f"2 x {QUESTIONS} simulated rows, {size / 1e6:.1f} MB")
        for way in WAYS:
            seconds, before = [], resource.getrusage(resource.RUSAGE_CHILDREN)
            for _ in range(repeats):
                start = time.perf_counter()
                subprocess.run([sys.executable, "-m", "taec", "compare", *runs, *way], check=True, capture_output=True, timeout=60)
                seconds.append(time.perf_counter() - start)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / repeats
            wall = f"median {statistics.median(seconds):.2f} s   longest {max(seconds):.2f} s"
            print(f"compare {' '.join(way):<14} {wall}   CPU time {cpu:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
