"""What was found when a benchmark was read, as a table: in the file, on documents that are there, and asked."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from taec.analysis.tables import NOTHING, Grid
from taec.benchmarks.base import Benchmark
from taec.benchmarks.counts import NONE

PLACES = {"file": "in the file", "present": "document there", "asked": "asked"}
NUMBERS = {
    "questions": "questions",
    "answerable": "answerable",
    "with_gold": "with gold pages",
    "answerable_with_gold": "answerable, with gold pages",
    "documents": "documents",
}
LABELS = {
    "by_split": "split {}",
    "by_hop": "answerable, hop {}",
    "by_source": "answerable, source {}",
    "by_single_source": "answerable, only source {}",
}

Counts = Mapping[str, JsonValue]


def table(benchmark: Benchmark) -> Grid:
    """One line a count, one column for each of the places that the benchmark tells of; one that tells nothing has its questions counted."""
    facts = benchmark.facts
    told = {title: counts for place, title in PLACES.items() if isinstance(counts := facts.get(place), dict)}
    if not told:
        told = {PLACES["asked"]: {"questions": len(benchmark.questions)}}
    rows = [[title, *(_cell(counts.get(name)) for counts in told.values())] for name, title in NUMBERS.items() if _any(told, name)]
    for name, title in LABELS.items():
        tallies = [tally if isinstance(tally := counts.get(name), dict) else {} for counts in told.values()]
        if name == "by_single_source" and tallies == [counts.get("by_source") for counts in told.values()]:
            continue
        if all(set(tally) <= {NONE} for tally in tallies):
            continue
        for label in dict.fromkeys(label for tally in tallies for label in tally):
            rows.append([title.format(label), *(_cell(tally.get(label, 0)) for tally in tallies)])
    return Grid(f"Benchmark {benchmark.name}", ["", *told], rows, list(_notes(benchmark)))


def _notes(benchmark: Benchmark) -> Iterator[str]:
    facts = benchmark.facts
    if release := facts.get("release"):
        yield f"release: {release}"
    if digest := facts.get("annotations_sha256"):
        yield f"questions: {facts.get('annotations', '')}, sha256 {digest}"
    yield f"searched: {len(benchmark.documents):,} documents, whatever is selected"
    for name, what in (("pages_out_of_range", "rows with pages that their document lacks"), ("repeated_questions", "repeated questions")):
        value = facts.get(name, 0)
        if number := len(value) if isinstance(value, dict | list) else value:
            yield f"{what}: {number}"
    selection = facts.get("selection")
    if isinstance(selection, dict):
        keys = [f"{key} {value}" for key, value in selection.items() if key not in ("questions", "ids_sha256") and value is not None]
        yield f"selected: {', '.join(keys) or 'all'}; sha256 of the ids {selection.get('ids_sha256')}"


def _any(told: Mapping[str, Counts], name: str) -> bool:
    return any(name in counts for counts in told.values())


def _cell(value: JsonValue) -> str:
    return f"{value:,}" if isinstance(value, int) else NOTHING
