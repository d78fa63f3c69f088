import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from support.rows import judged_row

from taec.analysis.compare import common_questions, compare_runs, make_runs
from taec.analysis.compare_tables import answer, change, metric_grids, probability, sentence
from taec.analysis.compare_tables import test_grid as verdict_grid
from taec.analysis.paired import Difference

VERDICTS = st.lists(st.tuples(st.sampled_from([True, False, None]), st.sampled_from([True, False, None])), min_size=1, max_size=50)


def compared(first, second, *more):
    runs = make_runs([f"{at} run" for at in range(1, 3 + len(more))], [first, second, *more])
    return runs, compare_runs(runs)


@given(VERDICTS)
def test_flips_and_counts_are_the_same_questions_and_mirror_each_other(verdicts) -> None:
    first = [judged_row(f"q{at}", one) for at, (one, _) in enumerate(verdicts)]
    second = [judged_row(f"q{at}", two) for at, (_, two) in enumerate(verdicts)]
    _, (there,) = compared(first, second)
    _, (back,) = compared(second, first)
    assert [one.question_id for one, _ in there.lost] == [two.question_id for _, two in back.gained]
    if there.test is None:
        assert all(None in pair for pair in verdicts)
        return
    assert back.test is not None
    assert (there.test.lost, there.test.gained, there.p) == (len(there.lost), len(there.gained), back.p)
    assert there.test.n + there.test.unjudged == len(verdicts)
    assert there.test.difference.value == pytest.approx((there.test.gained - there.test.lost) / there.test.n)


@given(VERDICTS)
def test_a_run_against_itself_flips_nothing(verdicts) -> None:
    rows = [judged_row(f"q{at}", one, document=f"{at % 5}.pdf") for at, (one, _) in enumerate(verdicts)]
    _, (found,) = compared(rows, rows)
    assert not found.lost
    assert not found.gained
    assert found.p == 1
    assert all((each.value, each.low, each.high) == (0, 0, 0) for each in found.differences.values())


def test_only_common_questions_count_in_the_firsts_order() -> None:
    first = [judged_row(name, True) for name in "abc"]
    second = [judged_row(name, False) for name in "dcb"]
    assert [[row.question_id for row in rows] for rows in common_questions([first, second])] == [["b", "c"], ["b", "c"]]


def test_several_comparisons_are_corrected_for_each_other() -> None:
    base = [judged_row(f"q{at}", False) for at in range(40)]
    better = [judged_row(f"q{at}", at < 6) for at in range(40)]
    worse = [judged_row(f"q{at}", at < 7) for at in range(40)]
    runs, found = compared(base, better, worse)
    assert [one.test.p for one in found] == [2 / 2**6, 2 / 2**7]
    assert [one.p for one in found] == pytest.approx([2 / 2**6, 2 * 2 / 2**7])
    grid = verdict_grid(found)
    assert "p (Holm)" in grid.columns
    assert any("2 comparisons are made together" in note for note in grid.notes)
    assert len(metric_grids(runs, found)) == 2


def test_sentences_say_what_the_numbers_allow() -> None:
    base = [judged_row(f"q{at}", False, document=f"{at}.pdf") for at in range(60)]

    def said(right: int) -> str:
        return sentence(compared(base, [judged_row(f"q{at}", at < right, document=f"{at}.pdf") for at in range(60)])[1][0])

    assert said(0) == "2 run and 1 run have the same verdict on every one of 60 questions."
    assert said(1).startswith("2 run is not distinguishable from 1 run: +1.7 [")
    assert said(4).startswith("2 run against 1 run is undecided, its p and its interval disagree: +6.7 [")
    assert said(30).startswith("2 run is more accurate than 1 run: +50.0 [")
    assert "no question with a verdict in both" in sentence(compared([judged_row("a", None)], [judged_row("a", True)])[1][0])


def test_what_is_unknown_or_never_counted_is_not_shown_as_zero() -> None:
    first = [judged_row("a", True, prompt_tokens=1000, completion_tokens=0), judged_row("b", True)]
    runs, found = compared(first, [judged_row("a", None), judged_row("b", True, covered=None)])
    (grid,) = metric_grids(runs, found)
    lines = {row[0]: row[1:] for row in grid.rows}
    assert "k tokens" not in lines
    assert "cost $" not in lines
    assert "requirement calls" not in lines
    assert lines["unjudged"] == ("–", "1", "")
    assert lines["coverage %"][:2] == ("100.0", "–")
    assert any("want of a verdict in one of the two: 1 questions" in note for note in verdict_grid(found).notes)


def test_a_table_fits_a_terminal() -> None:
    runs, found = compared([judged_row("a", True)], [judged_row("a", False)])
    console = Console(width=100, file=io.StringIO(), color_system=None)
    for grid in [*metric_grids(runs, found), verdict_grid(found)]:
        console.print(grid.rich())
    assert max(map(len, console.file.getvalue().splitlines())) <= 100


def test_cells() -> None:
    assert probability(0.0499) == "0.050"
    assert probability(2.1e-12) == "2.1e-12"
    assert change(Difference(-0.0213, -0.04, 0.001, 0.01, 9, 9, "x"), 100, 1) == "-2.1 [-4.0, +0.1]"
    assert answer(judged_row("a", False, answer="two\nlines")) == "two lines"
    assert answer(judged_row("a", False, answer="")) == "(empty)"
    assert answer(judged_row("a", None).model_copy(update={"failure": "call_ceiling"})) == "(failed: call_ceiling)"
