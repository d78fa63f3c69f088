"""Official metrics of rows: given when a row is made, and made up for where it was made without them."""

from taec.benchmarks.base import Benchmark
from taec.core.questions import Question
from taec.metrics.official import scores
from taec.records.journal import Journal
from taec.records.rows import Row


def scored(row: Row, question: Question, benchmark: Benchmark) -> Row:
    """The row with the metrics of its benchmark; a failure scores 0."""
    return row.model_copy(update={"scores": scores(question, None if row.failure else row.answer, benchmark.metrics)})


def score_missing(journal: Journal, benchmark: Benchmark) -> None:
    """Amend the rows of a run that lack a metric of its benchmark."""
    for question in benchmark.questions:
        row = journal.rows.get(question.id)
        if row and (fresh := scored(row, question, benchmark)).scores.keys() - row.scores.keys():
            journal.amend(fresh)
