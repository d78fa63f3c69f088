"""Which questions of a benchmark are asked, and in what order: the same for every benchmark (`conf/benchmark/_select.yaml`)."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, JsonValue

from taec.core.errors import UsageError
from taec.core.questions import Question
from taec.core.settings import Settings
from taec.core.spelling import nearest
from taec.records.journal import read_rows

SHOWN = 8
"""Names that a message lists."""


def _several(value: object) -> object:
    """One name may be written without a list."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise ValueError("has to be a name or a list of names")
    return tuple(names)


Names = Annotated[tuple[str, ...], BeforeValidator(_several)] | None


class Select(Settings):
    """What a question has to meet to be asked; null asks for nothing."""

    ids: Path | None
    documents: Names
    sources: Names
    hops: Names
    answerable: bool | None
    sample: int | None = Field(ge=1)
    seed: int

    @property
    def takes_all(self) -> bool:
        """Whether nothing is asked for: the seed is nothing without a sample."""
        return all(value is None for name, value in self if name != "seed")


class Selected(Settings):
    """The keys that all benchmarks share."""

    limit: int | None = Field(ge=1)
    """The first so many questions of the fixed shuffled order; null asks all."""
    select: Select

    def identity(self) -> dict[str, JsonValue]:
        """A list of ids counts by what it holds, not by where it lies; a selection that selects nothing is none."""
        values = super().identity()
        if self.select.takes_all:
            return {name: value for name, value in values.items() if name != "select"}
        if self.select.ids is None:
            return values
        return values | {"select": {**self.select.identity(), "ids": digest(read_ids(self.select.ids))}}


def choose(questions: Sequence[Question], settings: Selected) -> list[Question]:
    """The questions to ask, in their order. Raises UsageError for unknown names and ids, and where nothing is left."""
    select, found = settings.select, list(questions)
    faults = [
        *_unknown("documents", select.documents, (name for question in questions for name in question.documents)),
        *_unknown("sources", select.sources, (name for question in questions for name in question.sources)),
        *_unknown("hops", select.hops, (question.hop for question in questions if question.hop)),
    ]
    if faults:
        raise UsageError(*faults)
    if select.ids is not None:
        found = _listed(found, select.ids)
    for wanted, labels in ((select.documents, _documents), (select.sources, _sources), (select.hops, _hops)):
        if wanted is not None:
            folded = {name.casefold() for name in wanted}
            found = [question for question in found if any(label.casefold() in folded for label in labels(question))]
    if select.answerable is not None:
        found = [question for question in found if question.answerable == select.answerable]
    if not found:
        raise UsageError(f"benchmark.select leaves none of the {len(questions):,} questions. Ask for less.")
    if select.sample is not None:
        found = in_order(found, f"{select.seed}:")[: select.sample]
    return in_order(found)[: settings.limit]


def in_order(questions: Iterable[Question], salt: str = "") -> list[Question]:
    """The questions in an order shuffled once and for all (another one for each `salt`).

    The order is that of the sha256 of the question id: independent of the file's order, and the first N of it are part of the
    first N + 1, so a longer run goes on where a shorter one stopped.
    """
    return sorted(questions, key=lambda question: (sha256((salt + question.id).encode()).digest(), question.id))


def told(settings: Selected, asked: Sequence[Question]) -> dict[str, JsonValue]:
    """What was selected, for the manifest: the keys that were set and the digest of the ids that came of it."""
    keys = settings.select.model_dump(mode="json", exclude_none=True)
    if settings.select.sample is None:
        del keys["seed"]
    return {**keys, "limit": settings.limit, "questions": len(asked), "ids_sha256": digest([question.id for question in asked])}


def digest(ids: Iterable[str]) -> str:
    """The sha256 of a set of ids, one a line in alphabetical order."""
    return sha256("".join(f"{name}\n" for name in sorted(ids)).encode()).hexdigest()


def read_ids(path: Path) -> list[str]:
    """The ids in a file, one a line (empty lines and lines that begin with # aside), or those of the rows of a run folder."""
    path = path.expanduser()
    try:
        if path.is_dir():
            ids = [row.question_id for row in read_rows(path)]
        else:
            lines = [line.strip() for line in path.read_text("utf-8-sig").splitlines()]
            ids = [line for line in lines if line and not line.startswith("#")]
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(
            f"benchmark.select.ids={path} cannot be read: {reason}. It is a file with one question id a line, or the folder of a run."
        ) from error
    if not ids:
        raise UsageError(f"benchmark.select.ids={path} holds no id.")
    return list(dict.fromkeys(ids))


def _listed(questions: Sequence[Question], path: Path) -> list[Question]:
    known, ids = {question.id: question for question in questions}, read_ids(path)
    unknown = [name for name in ids if name not in known]
    if unknown:
        first = unknown[0]
        close = nearest(first, known)
        hint = f" (did you mean '{close}'?)" if close else ""
        raise UsageError(
            f"benchmark.select.ids={path}: {len(unknown)} of its {len(ids)} ids are not among the {len(known):,} questions that there are, "
            f"the first is '{first}'{hint}. A frozen list is asked whole or not at all: see that the documents are there, and what "
            "benchmark.questions or benchmark.split leaves out."
        )
    return [known[name] for name in ids]


def _unknown(key: str, wanted: Names, labels: Iterable[str]) -> Iterator[str]:
    if wanted is None:
        return
    known = dict.fromkeys(labels)
    folded = {name.casefold() for name in known}
    for name in wanted:
        if name.casefold() not in folded:
            listed = sorted(known)
            more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
            close = nearest(name, known)
            hint = f"did you mean '{close}'? " if close else ""
            there = f"{hint}There are: {', '.join(listed[:SHOWN])}{more}" if listed else "the questions have no such label"
            yield f"benchmark.select.{key}: no question has '{name}'; {there}"


def _documents(question: Question) -> Sequence[str]:
    return question.documents


def _sources(question: Question) -> Sequence[str]:
    return question.sources


def _hops(question: Question) -> Sequence[str]:
    return (question.hop,)
