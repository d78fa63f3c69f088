import csv
import io

from rich.console import Console

from taec.analysis.statistics import breakdown, summarise
from taec.analysis.tables import breakdown_table, csv_table, official_table, runs_table


def printed(grid, width: int = 100) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(grid.rich())
    return console.file.getvalue()


def test_a_table_of_runs_fits_and_says_what_it_must(row) -> None:
    summary = summarise([row(context_bytes=1_250_000, searches=2), row(correct=False, context_bytes=750_000, searches=3)])
    text = printed(runs_table([("vidorag qwen2.5-vl-7b", summary), ("taec/no_pressure", summary)]))
    assert "50.0 [9.5, 90.5]" in text
    assert "1.00" in text
    assert "[low, high]: 95 % interval (wilson)" in text
    assert "not comparable across systems" in text
    assert "vidorag qwen2.5-vl-7b " in text
    assert max(map(len, text.splitlines())) <= 100
    assert "failed" not in text
    assert "unjudged" not in text


def test_trouble_gets_its_columns_and_the_name_stays(row) -> None:
    summary = summarise([row(failure="call_ceiling"), row(correct=None)])
    text = printed(runs_table([("taec/no_pressure", summary), ("[odd] name", summary)]))
    assert "failed" in text
    assert "unjudged" in text
    assert "taec/no_pressure" in text
    assert "[odd] name" in text
    assert "Unjudged answers have no verdict yet" in text


def test_markdown_has_a_cell_for_every_column(row) -> None:
    grid = runs_table([("a|b", summarise([row()])), ("empty", summarise([]))], title="On sample")
    lines = grid.markdown().splitlines()
    assert lines[0] == "**On sample**"
    assert lines[4].startswith("| a\\|b | 1 | 100.0 [20.7, 100.0] | 100.0 | 100.0 |")
    assert {line.replace("\\|", "").count("|") for line in lines[2:6]} == {len(grid.columns) + 1}
    assert lines[5].startswith("| empty | 0 | – | – | – |")


def test_csv_keeps_every_number(row) -> None:
    summary = summarise([row(context_bytes=123), row(correct=False)])
    lines = list(csv.DictReader(io.StringIO(csv_table([("taec", summary), ("none", summarise([]))]))))
    assert [line["name"] for line in lines] == ["taec", "none"]
    assert (lines[0]["accuracy"], lines[0]["n"], lines[0]["total_context_bytes"]) == ("0.5", "2", "123")
    assert (lines[1]["accuracy"], lines[1]["use"]) == ("", "")
    assert csv_table([]) == ""


def test_a_breakdown_names_its_groups(row) -> None:
    groups = breakdown([row(gold=("a",)), row(gold=("a", "b"))], "gold_pages")
    grid = breakdown_table(groups, "gold_pages", "taec by gold pages")
    assert grid.columns[0] == "gold pages"
    assert [line[:2] for line in grid.rows] == [("1", "1"), ("2", "1")]


def test_official_metrics_get_a_table_where_a_benchmark_has_its_own(row) -> None:
    own, common = summarise([row(scores={"mmlongbench": 0.5, "anls": 0.25})]), summarise([row(scores={"anls": 1.0})])
    table = official_table([("taec", own), ("elsewhere", common)])
    assert list(table.columns) == ["system", "n", "MMLongBench-Doc score %", "ANLS %"]
    assert table.rows == [["taec", "1", "50.0", "25.0"], ["elsewhere", "1", "–", "100.0"]]
    assert "a model extract a short answer first" in " ".join(table.notes)
    assert official_table([("elsewhere", common)]) is None
    lines = list(csv.DictReader(io.StringIO(csv_table([("elsewhere", common), ("taec", own)]))))
    assert [(line["score_anls"], line["score_mmlongbench"]) for line in lines] == [("1.0", ""), ("0.25", "0.5")]
