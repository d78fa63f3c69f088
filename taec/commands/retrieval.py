"""`python -m taec retrieval [overrides] [-m]`: how well retrievers rank the gold pages of a benchmark, without any model."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from pydantic import JsonValue

from taec.analysis.paired import Difference
from taec.analysis.retrieval import Label, by_label, means, pairs
from taec.analysis.retrieval_tables import label_table, pairs_table, retrievers_table
from taec.analysis.statistics import Interval
from taec.analysis.tables import Grid
from taec.commands.arguments import Arguments, require_none
from taec.commands.run import require_writable
from taec.core.errors import UsageError
from taec.core.progress import Stage
from taec.core.questions import Question
from taec.experiment.assemble import left_out, require_pages, unknown_gold
from taec.experiment.compose import configurations
from taec.experiment.config import Config
from taec.experiment.console import out, say, warn
from taec.experiment.parts import Parts
from taec.experiment.progress import display
from taec.experiment.retrieval import Found, Searching, scored, search
from taec.records.lines import replace_file
from taec.records.manifest import now
from taec.records.provenance import code_state
from taec.retrievers.base import Retriever
from taec.retrievers.fingerprint import expected_fingerprint

LABELS: Sequence[Label] = ("hop", "source")
ALL_PAIRS = 3
"""Retrievers up to which the terminal shows every pair; of more, those with the first: five make forty lines."""
NUMBERS, TABLES = "retrieval.json", "retrieval.md"


@dataclass(frozen=True, slots=True)
class Measured:
    """What came out for the retrievers of one benchmark."""

    folder: Path
    tables: Sequence[Grid]


def main(asked: Arguments) -> int:
    """Measure the retrievers of all jobs, those over the same questions and pages side by side."""
    require_none(asked)
    configs = configurations(asked.words, multirun=asked.multirun, folders=asked.folders)
    require_writable({config.plain.output.folder for config in configs})
    groups: dict[str, dict[str, Config]] = {}
    for config in configs:
        shared = [config.resolved[node] for node in ("benchmark", "collection", "retrieval")]
        groups.setdefault(json.dumps([str(config.plain.documents), *shared], sort_keys=True), {}).setdefault(
            json.dumps(config.resolved["retriever"], sort_keys=True), config
        )
    parts, show = Parts(), display()
    try:
        measured = [asyncio.run(_measure(list(group.values()), parts, show.stage)) for group in groups.values()]
    finally:
        show.close()
    for each in measured:
        for table in each.tables:
            out.print(table.rich())
        say(f"rankings and numbers: {each.folder}")
    return 0


async def _measure(configs: Sequence[Config], parts: Parts, stage: Stage) -> Measured:
    first, cuts = configs[0], configs[0].plain.retrieval.k
    benchmark, collection = parts.benchmark(first), parts.collection(first, stage)
    require_pages(collection)
    for warning in (*benchmark.warnings, *left_out(collection), *unknown_gold(benchmark, collection)):
        warn(warning)
    questions = [question for question in benchmark.questions if question.gold]
    if not questions:
        raise UsageError(f"benchmark={benchmark.name}: none of its {len(benchmark.questions)} questions has gold pages to look for.")
    retrievers = {name: parts.retriever(config, stage) for name, config in zip(_names(configs), configs, strict=True)}
    marks = {
        name: await expected_fingerprint(retriever, config.plain.run.expected_fingerprint)
        for (name, retriever), config in zip(retrievers.items(), configs, strict=True)
    }
    folder = first.plain.output.folder.expanduser().resolve() / f"retrieval-{benchmark.name}-{_digest(questions, retrievers, cuts)}"
    task = Searching(retrievers, questions, cuts[-1], first.plain.run.concurrency)
    found = scored(await search(task, folder, stage), cuts, folder)
    facts: dict[str, object] = {
        "created": now().isoformat(),
        "code": code_state().fingerprint,
        "benchmark": {"name": benchmark.name, "questions_with_gold": len(questions), **benchmark.facts},
        "collection": {"digest": collection.digest, "pages": len(collection.pages), "captions_sha256": collection.captions_sha256},
        "k": cuts,
    }
    own: dict[str, Mapping[str, JsonValue]] = {
        name: {
            "settings": dict(config.resolved["retriever"]),
            "index": retriever.identity.name,
            "index_digest": retriever.identity.digest,
            "fingerprint": marks[name],
        }
        for (name, retriever), config in zip(retrievers.items(), configs, strict=True)
    }
    title = f"Retrieval on {benchmark.name}: {len(questions):,} questions with gold pages, {len(collection.pages):,} pages"
    return Measured(folder, _written(folder, title, found, cuts, facts, own))


def _written(
    folder: Path, title: str, found: Found, cuts: Sequence[int], facts: Mapping[str, object], own: Mapping[str, Mapping[str, JsonValue]]
) -> Sequence[Grid]:
    """Write `retrieval.json` and `retrieval.md`; returns the tables."""
    whole = {name: means(rankings) for name, rankings in found.items()}
    groups = {label: {name: by_label(rankings, label) for name, rankings in found.items()} for label in LABELS}
    compared = pairs(found)
    tables = [retrievers_table(whole, cuts, title)]
    tables += [label_table(groups[label], label, cuts) for label in LABELS if len(next(iter(groups[label].values()))) > 1]
    tables += [pairs_table(compared, cuts)] if compared else []
    numbers = {
        **facts,
        "retrievers": {
            name: {
                **own[name],
                "all": _plain(whole[name]),
                "by": {label: {group: _plain(part) for group, part in groups[label][name].items()} for label in LABELS},
            }
            for name in found
        },
        "pairs": [{"first": pair.first, "second": pair.second, "differences": _plain(pair.differences)} for pair in compared],
    }
    replace_file(folder / NUMBERS, [json.dumps(numbers, indent=1, ensure_ascii=False)])
    replace_file(folder / TABLES, "\n".join(table.markdown() for table in tables).splitlines())
    if len(found) <= ALL_PAIRS:
        return tables
    from_first = [pair for pair in compared if pair.first == compared[0].first]
    return [*tables[:-1], pairs_table(from_first, cuts, f"All pairs: {folder / TABLES}")]


def _plain(scores: Mapping[str, Interval | Difference]) -> dict[str, dict[str, object]]:
    return {name: asdict(interval) for name, interval in scores.items()}


def _names(configs: Sequence[Config]) -> list[str]:
    """Retrievers by their option, and by whatever else differs among those of one option."""
    found = []
    for config in configs:
        option, own = config.option("retriever"), config.resolved["retriever"]
        alike = [other.resolved["retriever"] for other in configs if other.option("retriever") == option]
        differing = [key for key in own if any(other.get(key) != own[key] for other in alike)]
        found.append(" ".join([option, *(f"{key}={own[key]}" for key in differing)]))
    return found


def _digest(questions: Sequence[Question], retrievers: Mapping[str, Retriever], cuts: Sequence[int]) -> str:
    """12 hex digits that say which questions were searched for in which indices: the same command finds its folder again."""
    asked = [[question.id, question.text, sorted(question.gold)] for question in questions]
    indices = sorted(f"{name} {retriever.identity.digest}" for name, retriever in retrievers.items())
    return sha256(json.dumps([asked, indices, list(cuts)]).encode()).hexdigest()[:12]
