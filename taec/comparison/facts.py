"""What the manifests of runs say that differs, and what forbids to compare their numbers."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from taec.comparison.differences import Differences
from taec.comparison.sides import Side
from taec.records.manifest import Manifest

ADVICE = "What a change brought cannot be told from such numbers. To compare the common questions all the same, add --across"


def manifest_facts(manifest: Manifest) -> Mapping[str, Mapping[str, JsonValue]]:
    """The facts that a run's rows depend on, by group; its own names and times, which always differ, are left out."""
    dump = manifest.model_dump(mode="json", exclude={"sessions", "run_id", "created", "configuration", "system", "prompts"})
    dump["judge"].pop("batch")
    sessions = manifest.sessions
    code = {
        "version": _all([session.code.version for session in sessions]),
        "fingerprint": _all([session.code.fingerprint for session in sessions]),
        "commit": _all([session.code.commit or "" for session in sessions]),
        "prompts": manifest.prompts,
    }
    environment = sessions[-1].environment.model_dump(mode="json") if sessions else {}
    return {**dump, "code": code, "environment": environment}


def obstacles(sides: Sequence[Side], base: int, found: Differences) -> list[str]:
    """Why the numbers of these runs do not belong side by side, a line for each reason; `found` is what their configurations differ in."""
    judges = [entry.values for group in found.groups if group.name == "judge" for entry in group.entries]
    return [
        fault
        for at, side in enumerate(sides)
        if at != base
        for fault in _obstacles(sides[base], side, any(values[base] != values[at] for values in judges))
    ]


def judging_note(sides: Sequence[Side]) -> list[str]:
    """A note where a judge that is a model ruled in several batches."""
    judges = [side.manifest.judge for side in sides if side.manifest]
    if any(judge.model for judge in judges) and len({judge.batch for judge in judges}) > 1:
        folders = " ".join(str(side.folder) for side in sides)
        return [f"A model judged these runs in different batches; to judge them in one: python -m taec judge {folders}"]
    return []


def _obstacles(base: Side, other: Side, other_judge: bool) -> Iterator[str]:
    if base.manifest is None or other.manifest is None:
        return
    one, two, pair = base.manifest, other.manifest, f"{base.name} and {other.name}"
    if one.benchmark != two.benchmark:
        facts = [key for key in {**one.benchmark, **two.benchmark} if one.benchmark.get(key) != two.benchmark.get(key)]
        known = one.benchmark["name"], two.benchmark["name"]
        how = f"{known[0]} and {known[1]}" if known[0] != known[1] else f"both {known[0]}, with other {', '.join(facts)}"
        yield f"{pair} are on different benchmarks ({how})"
    first, second = ({(row.question_id, row.question) for row in side.rows} for side in (base, other))
    if first != second:
        yield (
            f"{pair} have different questions: {len(first & second)} in common, {len(first - second)} only in {base.name}, "
            f"{len(second - first)} only in {other.name}"
        )
    if one.retriever.fingerprint != two.retriever.fingerprint:
        yield f"{pair} searched different indices (fingerprints {one.retriever.fingerprint} and {two.retriever.fingerprint})"
    if not one.judge.is_same(two.judge):
        yield f"{pair} were judged by different judges: {one.judge} and {two.judge}. Judge them together: python -m taec judge RUN RUN"
    elif other_judge:
        yield f"{pair} were judged with different settings of {one.judge.name}. Judge them together: python -m taec judge RUN RUN judge=..."


def _all(values: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(filter(None, values)))
