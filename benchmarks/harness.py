"""What the harness costs beside Pillow: `python benchmarks/harness.py [questions ...]` (default 100 500 2000).

TAEC answers questions of the embedded benchmark with an instant scripted model (three searches, pictures kept, an answer), through the
real runner and journal. Beside the CPU time per question stands the CPU time that Pillow alone needs to open, scale and encode the images
that were sent, each distinct image of a question once (the stricter base) and each image of each call (as it would be without the encoder's
cache). Ratios are within one run, so they hold on any machine. Peak memory is the process's own.
"""

import asyncio
import io
import itertools
import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PIL import Image
from pydantic import BaseModel, JsonValue

from taec.collections.store import Collection
from taec.core.chat import Message, Reply, ToolCall, ToolChoice
from taec.core.images import ImageEncoder
from taec.core.questions import Question
from taec.core.tools import Tool
from taec.experiment.assemble import assemble
from taec.experiment.compose import configurations
from taec.experiment.runner import Runner
from taec.records.journal import Journal

QUERIES = ("", "annual report of the agency", "table of figures")
KEPT_IMAGES = 32
"""The encoder's cache is kept to about one question here, so that pages shared between questions don't flatter the ratio."""


class Instant:
    """Plays search, summary, search, summary, answer from what the last message offers, without reading anything."""

    def __init__(self) -> None:
        self._count = itertools.count()

    async def reply(self, messages: Sequence[Message], tools: Sequence[Tool[BaseModel]], choice: ToolChoice) -> Reply:
        graph = next(part for part in messages[1].parts if isinstance(part, str)).split("Action graph:\n", 1)[1]
        searches, reading = len(json.loads(graph)) - 1, "summarize_and_memorize" in str(messages[-1].parts[-1])
        if reading:
            kept: list[JsonValue] = [{"picture": number, "priority_score": 3} for number in (1, 2)]
            return self._call("summarize_and_memorize", summarize="Something is on picture 1.", memorize=kept)
        if searches < 3:
            query = f"{QUERIES[searches]} {json.loads(graph)[0]['question']}"
            return self._call("add_search_node", id=f"s{searches}", parent_ids=["root"], query=query)
        return self._call("add_answer_node", parent_ids=["root"], answer="none")

    def _call(self, name: str, **arguments: JsonValue) -> Reply:
        return Reply(calls=(ToolCall(f"c{next(self._count)}", name, arguments),), model="instant (scripted)")

    def identity(self) -> Mapping[str, JsonValue]:
        return {"model": "instant (scripted)"}

    async def close(self) -> None:
        pass


def repeated(questions: Sequence[Question], count: int) -> list[Question]:
    """`count` questions: the given ones again and again under new ids."""
    rounds = ((turn, question) for turn in itertools.count() for question in questions)
    return [replace(question, id=f"{question.id}-{turn}") for turn, question in itertools.islice(rounds, count)]


def sent_images(journal: Path) -> Iterator[list[tuple[str, int, int]]]:
    """For each question the images of all its calls: page, width, height."""
    for line in (journal / "trajectories.jsonl").open(encoding="utf-8"):
        calls = json.loads(line)["calls"]
        yield [(image["page_id"], image["width"], image["height"]) for call in calls for image in call["images"]]


def pillow_seconds(collection: Collection, images: Sequence[tuple[str, int, int]]) -> float:
    """CPU seconds that Pillow needs to open, scale and encode `images`."""
    started = time.process_time()
    for page, width, height in images:
        scaled = collection.image(page).resize((width, height), Image.Resampling.LANCZOS)
        scaled.save(io.BytesIO(), "JPEG", quality=75)
    return time.process_time() - started


def measure(count: int) -> None:
    """Run `count` questions and print a line."""
    with tempfile.TemporaryDirectory() as folder:
        config = configurations(["benchmark.split=all", "benchmark.limit=null", f"output.folder={folder}", "tracking=none"])[0]
        assembly = assemble(config, lambda stage, done, total: None)
        rules = config.plain.budget.rules()
        questions = repeated(assembly.benchmark.questions, count)
        assembly = replace(
            assembly,
            services=replace(assembly.services, backbone=Instant(), encoder=ImageEncoder(assembly.collection, rules, KEPT_IMAGES)),
            benchmark=replace(assembly.benchmark, questions=questions),
        )
        with Journal(Path(folder) / "run") as journal:
            started = time.process_time()
            asyncio.run(Runner(assembly, journal, "benchmark", "benchmark", lambda row: None).run())
            harness = (time.process_time() - started) / count
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        sample = list(itertools.islice(sent_images(Path(folder) / "run"), 30))
        distinct = sum(pillow_seconds(assembly.collection, sorted(set(images))) for images in sample) / len(sample)
        every = sum(pillow_seconds(assembly.collection, images) for images in sample) / len(sample)
    images = sum(map(len, sample)) / len(sample)
    print(
        f"{count:5d} questions: {1000 * harness:6.1f} ms CPU a question ({images:.1f} images); Pillow {1000 * distinct:6.1f} ms for the "
        f"distinct images (ratio {harness / distinct:.2f}), {1000 * every:6.1f} ms for all (ratio {harness / every:.2f}); peak {peak} MB",
        flush=True,
    )


if __name__ == "__main__":
    for questions in map(int, sys.argv[1:] or ["100", "500", "2000"]):
        measure(questions)
