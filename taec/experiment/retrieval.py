"""Retrieval alone: every question with gold pages is searched with its own words, by each retriever, without any model."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from taec.core.progress import Stage
from taec.core.questions import Question
from taec.experiment.judging import in_parallel
from taec.metrics.ranking import Case, ranking_scores
from taec.records.lines import LineLog, disk_trouble, read_lines, replace_file
from taec.records.rankings import Ranking, make_ranking
from taec.retrievers.base import Retriever

RANKINGS = "rankings.jsonl"

Found = dict[str, list[Ranking]]
"""Rankings by the name of the retriever, in the order of the questions."""


@dataclass(frozen=True, slots=True)
class Searching:
    """What is searched and how: `k` pages a question, `workers` questions at once."""

    retrievers: Mapping[str, Retriever]
    questions: Sequence[Question]
    k: int
    workers: int


async def search(task: Searching, folder: Path, stage: Stage) -> Found:
    """What every retriever returns. Each ranking is in `rankings.jsonl` as soon as it is there; those that are already there stay.

    Raises InfrastructureError where a retriever or the disk fails.
    """
    log = _opened(folder)
    try:
        known = {(ranking.retriever, ranking.question_id): ranking.pages for ranking in _read(folder / RANKINGS)}
        for name, retriever in task.retrievers.items():
            missing = [question for question in task.questions if (name, question.id) not in known]
            done = 0

            async def one(question: Question, name: str = name, retriever: Retriever = retriever, total: int = len(missing)) -> None:
                nonlocal done
                pages = tuple(hit.page_id for hit in await retriever.search(question.text, task.k))
                log.append(make_ranking(name, question, pages).model_dump_json())
                known[name, question.id] = pages
                done += 1
                stage(f"searching {name}", done, total)

            await _each(missing, task.workers, one)
    finally:
        log.close()
    return {name: [make_ranking(name, question, known[name, question.id]) for question in task.questions] for name in task.retrievers}


async def _each(questions: Sequence[Question], workers: int, one: Callable[[Question], Awaitable[None]]) -> None:
    waiting = iter(questions)

    async def work() -> None:
        for question in waiting:
            await one(question)

    await in_parallel(min(workers, len(questions)), work)


def scored(found: Found, cuts: Sequence[int], folder: Path) -> Found:
    """The rankings with their scores, which `rankings.jsonl` holds from now on as well."""
    fresh: Found = {}
    for name, rankings in found.items():
        cases = {each.question_id: Case(each.pages, frozenset(each.gold), frozenset(each.stand_ins)) for each in rankings}
        scores = ranking_scores(cases, cuts)
        fresh[name] = [each.model_copy(update={"scores": scores[each.question_id]}) for each in rankings]
    replace_file(folder / RANKINGS, (each.model_dump_json() for rankings in fresh.values() for each in rankings))
    return fresh


def _opened(folder: Path) -> LineLog:
    with disk_trouble(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return LineLog(folder / RANKINGS)


def _read(path: Path) -> Iterator[Ranking]:
    """The rankings of an earlier session; a line that this version cannot read is searched again."""
    for _, line in read_lines(path):
        try:
            yield Ranking.model_validate_json(line)
        except ValidationError:
            continue
