"""What a run spends, and that it stops before its budget."""

import json
from collections.abc import Iterator

import pytest
from support.standin import Seen, Standin, play
from support.tiny import Tiny

from taec.cli import run
from taec.experiment.money import Meter, Prices, dollars
from taec.records.journal import read_rows
from taec.records.rows import Row


@pytest.fixture
def server() -> Iterator[Standin]:
    with Standin(otherwise=play).running() as standin:
        yield standin


def words(tiny: Tiny, server: Standin, *further: str) -> list[str]:
    served = ("backbone=openai_compatible", f"backbone.base_url={server.url}", "backbone.model=m-1", "backbone.api_key_env=null")
    return [*tiny.command()[3:], *served, "system=react", "benchmark.questions=5", "run.concurrency=1", *further]


PRICED = ("backbone.prices.input=10", "backbone.prices.output=100")
ROW_COST = 3 * (100 * 10 + 10 * 100) / 1e6
"""Three calls of 100 tokens in and 10 out."""


def test_an_unknown_price_or_number_of_tokens_is_an_unknown_cost() -> None:
    assert Prices(2.0, 8.0).cost(1000, 100) == pytest.approx(0.0028)
    assert Prices(0.0, 0.0).cost(1000, 100) == 0
    assert Prices(None, 8.0).cost(1000, 100) is None
    assert Prices(2.0, 8.0).cost(None, 100) is None


def test_tokens_and_costs_stand_in_row_and_table(tiny: Tiny, server: Standin, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(tiny, server, *PRICED)) == 0
    rows = read_rows(tiny.run_folder)
    assert {(row.prompt_tokens, row.completion_tokens) for row in rows} == {(300, 30)}
    assert [row.cost for row in rows] == [pytest.approx(ROW_COST)] * 5
    summary = json.loads((tiny.run_folder / "summary.json").read_text())["all"]
    assert (summary["total_tokens"], summary["cost"]) == (1650, pytest.approx(5 * ROW_COST))
    assert {"tokens", "$", "0.03"} <= set(capsys.readouterr().out.split())


def test_an_unknown_price_is_told_and_never_0(tiny: Tiny, server: Standin, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(tiny, server)) == 0
    assert {row.cost for row in read_rows(tiny.run_folder)} == {None}
    assert "? is unknown" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("limit", "higher"),
    [((*PRICED, "budget.max_cost=0.0151"), (*PRICED, "budget.max_cost=1")), (("budget.max_tokens=700",), ("budget.max_tokens=100000",))],
)
def test_a_run_stops_before_its_budget_and_goes_on_with_a_higher_one(
    tiny: Tiny, server: Standin, limit: tuple[str, ...], higher: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words(tiny, server, *limit)) == 3
    told = capsys.readouterr().err
    assert "The run stopped before its budget" in told
    assert "The same command with a larger budget goes on" in told
    assert len(read_rows(tiny.run_folder)) == 2
    assert run(words(tiny, server, *limit)) == 3
    assert len(server.seen) == 6
    assert run(words(tiny, server, *higher)) == 0
    assert len(read_rows(tiny.run_folder)) == 5
    assert len(server.seen) == 15


def test_questions_side_by_side_do_not_pass_the_budget(tiny: Tiny, server: Standin, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(tiny, server, "budget.max_tokens=1000", "run.concurrency=4")) == 3
    assert sum((row.prompt_tokens or 0) + (row.completion_tokens or 0) for row in read_rows(tiny.run_folder)) == 990
    assert all(not row.failure for row in read_rows(tiny.run_folder))


def test_a_budget_that_cannot_be_kept_is_told(tiny: Tiny, server: Standin, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(tiny, server, "budget.max_cost=1")) == 2
    assert "budget.max_cost needs the prices of m-1, which are unknown" in capsys.readouterr().err
    assert run([*tiny.command()[3:], "budget.max_cost=1"]) == 2
    assert server.seen == []
    assert list((tiny.folder / "runs").iterdir()) == []

    def silent(seen: Seen) -> object:
        answer = play(seen)
        del answer.body["usage"]
        return answer

    server._otherwise = silent  # type: ignore[assignment]
    assert run(words(tiny, server, "budget.max_tokens=1000", "run.concurrency=3")) == 3
    assert "the endpoint did not report what the first question took" in capsys.readouterr().err
    assert len(read_rows(tiny.run_folder)) == 1


def test_a_question_of_unknown_use_counts_as_the_most_that_any_took() -> None:
    def row(cost: float | None) -> Row:
        return Row.model_construct(cost=cost, judge_calls=0)

    meter = Meter("budget.max_cost", 10.0, dollars)
    for cost in (1.0, None, 3.0):
        meter.add(row(cost), "answer")
    assert meter.spent == 7.0
    assert meter.admits("answer")
    meter.open["answer"] = 1
    assert not meter.admits("answer")
