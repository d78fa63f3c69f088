"""What `plan` shows of a benchmark's files."""

from pathlib import Path

from support.benchmarks import read, write_json, write_pdf

from taec.benchmarks.base import Benchmark
from taec.commands.facts import table
from taec.core.questions import Question


def row(**changes: object) -> dict[str, object]:
    base = {
        "doc_id": "d.pdf",
        "question": "Why?",
        "answer": "so",
        "evidence_pages": "[1]",
        "evidence_sources": "['Chart']",
        "answer_format": "Str",
    }
    return {**base, **changes}


def test_counts_stand_side_by_side_and_notes_say_the_rest(tmp_path: Path) -> None:
    write_pdf(tmp_path / "d.pdf", 2)
    rows = [
        row(),
        row(question="Who?", evidence_pages="[2, 9]", evidence_sources="['Chart', 'Table']"),
        row(doc_id="gone.pdf"),
        row(answer_format="None"),
    ]
    grid = table(read("mmlongbench", annotations=write_json(tmp_path / "s.json", rows), documents=tmp_path, limit=1))
    assert grid.columns == ["", "in the file", "document there", "asked"]
    lines = {line[0]: line[1:] for line in grid.rows}
    assert lines["questions"] == ["4", "3", "1"]
    assert lines["answerable"] == ["3", "2", "1"]
    assert lines["answerable, hop multi_hop"][:2] == ["1", "1"]
    assert lines["answerable, source Chart"][:2] == ["3", "2"]
    assert lines["answerable, only source Chart"][:2] == ["2", "1"]
    notes = "\n".join(grid.notes)
    assert "release: no known release" in notes
    assert "searched: 1 documents" in notes
    assert "rows with pages that their document lacks: 1" in notes
    assert "selected: limit 1; sha256 of the ids" in notes


def test_labels_that_say_nothing_more_are_left_out() -> None:
    names = [line[0] for line in table(read("sample")).rows]
    assert "answerable, source chart" in names
    assert not any("only source" in name for name in names)


def test_a_benchmark_that_tells_nothing_has_its_questions_counted() -> None:
    grid = table(Benchmark("own", [Question("q", "?", ("a",), "Str", answerable=True)], ()))
    assert grid.rows == [["questions", "1"]]
