"""Lines for files and pipes: not many, and always the last."""

import pytest
from support.tiny import Tiny

from taec.experiment import job
from taec.experiment.progress import Lines, Live, Tally, duration
from taec.records.rows import Row


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def row(tiny: Tiny) -> Row:
    return job.run(tiny.config("benchmark.questions=1"), Lines(lambda line: None)).rows[0].model_copy(update={"context_bytes": 500_000})


def test_at_most_one_line_in_five_seconds_and_always_the_last(row: Row) -> None:
    written: list[str] = []
    clock = Clock()
    lines = Lines(written.append, clock)
    lines.begin("taec", Tally(10))
    for _ in range(10):
        clock.now += 2
        lines.finished(row)
    assert written == [
        "taec: 3/10 questions, accuracy 1.000, context 1.5 MB, 14 s left",
        "taec: 6/10 questions, accuracy 1.000, context 3.0 MB, 8 s left",
        "taec: 9/10 questions, accuracy 1.000, context 4.5 MB, 2 s left",
        "taec: 10/10 questions, accuracy 1.000, context 5.0 MB",
    ]


def test_time_left_counts_this_sessions_questions_only(row: Row) -> None:
    written: list[str] = []
    clock = Clock()
    lines = Lines(written.append, clock)
    tally = Tally(100)
    tally.add([row] * 90)
    lines.begin("taec", tally)
    clock.now += 6
    lines.finished(row)
    assert written == ["taec: 91/100 questions, accuracy 1.000, context 45.5 MB, 54 s left"]


def test_stages_are_told_when_they_take_time_or_end() -> None:
    written: list[str] = []
    clock = Clock()
    lines = Lines(written.append, clock)
    for done in range(4):
        lines.stage("rendering documents", done, 3)
        clock.now += 4
    lines.stage("indexing", 0, 1)
    lines.stage("indexing", 1, 1)
    assert written == ["rendering documents: 2/3", "rendering documents: 3/3"]


def test_accuracy_is_over_verdicts(row: Row) -> None:
    tally = Tally(4)
    assert tally.words.startswith("accuracy -,")
    tally.add(row.model_copy(update={"correct": verdict}) for verdict in (True, False, None))
    assert (tally.done, tally.words) == (3, "accuracy 0.500, context 1.5 MB")


def test_a_live_display_shows_the_same_numbers(row: Row, capsys: pytest.CaptureFixture[str]) -> None:
    live = Live()
    live.stage("rendering documents", 1, 2)
    live.begin("taec-A", Tally(2))
    live.finished(row)
    live.finished(row)
    live.close()
    shown = capsys.readouterr().out
    assert "rendering documents" not in shown
    assert "2/2" in shown
    assert "accuracy 1.000, context 1.0 MB" in shown


@pytest.mark.parametrize(("seconds", "words"), [(7.4, "7 s"), (60, "1:00"), (3723, "1:02:03")])
def test_duration(seconds: float, words: str) -> None:
    assert duration(seconds) == words
