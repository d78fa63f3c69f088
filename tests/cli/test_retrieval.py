"""`python -m taec retrieval`: no model, every ranking kept, and the same command continues."""

import json
from pathlib import Path

import pytest
from support.tiny import Tiny

from taec.cli import run


def folder(tiny: Tiny) -> Path:
    (found,) = (tiny.folder / "runs").glob("retrieval-tiny-*")
    return found


def test_it_prints_tables_and_leaves_numbers_tables_and_rankings(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["retrieval", *tiny.command()[3:], "-m", "retriever=listed,bm25", "retrieval.k=[2,1]", "benchmark.questions=30"]
    assert run(words) == 0
    shown = capsys.readouterr().out
    assert "Retrieval on tiny: 30 questions with gold pages, 3 pages" in shown
    assert "bm25 - listed" in shown
    numbers = json.loads((folder(tiny) / "retrieval.json").read_text())
    listed = numbers["retrievers"]["listed"]["all"]
    assert numbers["k"] == [1, 2]
    assert (listed["hit@1"]["value"], listed["hit@2"]["value"], listed["mrr"]["value"]) == (1 / 3, 2 / 3, pytest.approx(1 / 2))
    assert set(numbers["retrievers"]["bm25"]["by"]["hop"]) == {"single"}
    assert len((folder(tiny) / "rankings.jsonl").read_text().splitlines()) == 60
    assert "**Differences**" in (folder(tiny) / "retrieval.md").read_text()


def test_the_same_command_searches_only_what_is_missing(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["retrieval", *tiny.command()[3:], "retriever=listed"]
    assert run(words) == 0
    file = folder(tiny) / "rankings.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    marked = json.loads(lines[0]) | {"pages": ["kept"]}
    file.write_text(json.dumps(marked) + "\n" + lines[1] + lines[2][:40])
    capsys.readouterr()
    assert run(words) == 0
    assert f"searching listed: {len(lines) - 2}/{len(lines) - 2}" in capsys.readouterr().out
    assert json.loads(file.read_text().splitlines()[0])["pages"] == ["kept"]


def test_one_cut_needs_no_brackets(tiny: Tiny) -> None:
    assert run(["retrieval", *tiny.command()[3:], "retrieval.k=2"]) == 0
    assert json.loads((folder(tiny) / "retrieval.json").read_text())["k"] == [2]


def test_a_cut_that_is_none(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["retrieval", *tiny.command()[3:], "retrieval.k=[0,5]"]) == 2
    assert "retrieval.k.0=0: must be greater" in capsys.readouterr().err
