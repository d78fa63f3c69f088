import json
from pathlib import Path

import pytest
from PIL import Image
from support.benchmarks import counts, labels, values

from taec.benchmarks.sample import Settings, build, load
from taec.core.errors import UsageError


def settings(split: str = "all", limit: int | None = None) -> Settings:
    return Settings.model_validate(values("sample", split=split, limit=limit))


def test_the_configured_default_is_a_dozen_questions_of_the_report_split() -> None:
    assert Settings.model_validate(values("sample")) == settings("report", 12)


def test_counts_are_those_of_the_readme() -> None:
    benchmark = build(settings())
    assert (len(benchmark.questions), len(benchmark.documents)) == (308, 35)
    assert counts(benchmark, "file") == {
        "questions": 308,
        "answerable": 275,
        "with_gold": 275,
        "answerable_with_gold": 275,
        "documents": 34,
    }
    assert labels(benchmark, "by_split") == {"mixed": 13, "report": 172, "tune": 123}
    assert labels(benchmark, "by_hop") == {"multi_hop": 144, "single_hop": 131}
    assert labels(benchmark, "by_source") == {"chart": 17, "figure": 8, "layout": 22, "table": 158, "text": 70}


@pytest.mark.parametrize(("split", "count"), [("tune", 123), ("report", 172), ("mixed", 13)])
def test_splits(split: str, count: int) -> None:
    questions = build(settings(split)).questions
    assert len(questions) == count
    assert {question.split for question in questions} == {split}
    assert build(settings(split, 12)).questions == questions[:12]


def test_no_document_is_on_both_sides() -> None:
    tune, report = ({name for question in build(settings(split)).questions for name in question.documents} for split in ("tune", "report"))
    assert tune
    assert not tune & report


def test_a_question_keeps_everything_that_breakdowns_need() -> None:
    by_id = {question.id: question for question in build(settings()).questions}
    question = by_id["contoso-003"]
    assert (question.references, question.hop, question.sources) == (("February", "Feb", "Feb."), "single_hop", ("chart",))
    assert question.gold == {"Financial Market Analysis Report 2023.pdf_p5"}
    listed = next(question for question in by_id.values() if question.items == ("90 days", "12 months"))
    assert listed.references[:2] == ("90 days, 12 months", "90 days and 12 months")
    unanswerable = [question for question in by_id.values() if not question.answerable]
    assert {(question.references[0], question.hop, question.sources, question.gold) for question in unanswerable} == {
        ("Not answerable", "", (), frozenset())
    }


Line = dict[str, object]


def line(**changes: object) -> Line:
    gold = [{"doc_id": "two pages.pdf", "page": 2}]
    base: Line = {"qid": "q1", "question": "Why?", "answer": "so", "aliases": [], "answer_format": "Str", "answerable": True, "gold": gold}
    return {**base, "gold_alternatives": [], "hop": "single_hop", "source": "text", "split": "tune", "note": ""} | changes


def write(folder: Path, lines: list[Line]) -> Path:
    (folder / "documents").mkdir(exist_ok=True)
    pages = [Image.new("RGB", (20, 20), "white") for _ in range(2)]
    pages[0].save(folder / "documents" / "two pages.pdf", save_all=True, append_images=pages[1:])
    (folder / "questions.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in lines))
    return folder


def test_every_fault_is_named_at_once(tmp_path: Path) -> None:
    lines = [
        line(),
        line(question="again"),
        line(qid="q2", gold=[{"doc_id": "gone.pdf", "page": 1}]),
        line(qid="q3", gold_alternatives=[{"doc_id": "two pages.pdf", "page": 3}]),
        line(qid="q4", gold=[{"doc_id": "two pages.pdf", "page": 0}]),
        line(qid="q5", answer_format="Number"),
    ]
    with pytest.raises(UsageError) as refusal:
        load(write(tmp_path, lines), settings())
    faults = refusal.value.faults
    assert len(faults) == 5
    assert "line 2: the id 'q1' is taken by line 1" in faults[0]
    assert "line 6" in faults[1]
    assert "answer_format" in faults[1]
    assert "gone.pdf is missing" in faults[2]
    assert "line 4" in faults[3]
    assert "no page 3 (it has 1 to 2)" in faults[3]
    assert "no page 0" in faults[4]


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_question_file_is_refused(tmp_path: Path, content: str) -> None:
    write(tmp_path, [])
    (tmp_path / "questions.jsonl").write_text(content)
    with pytest.raises(UsageError, match="is empty"):
        load(tmp_path, settings())


def test_a_missing_or_mangled_question_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path, settings())
    write(tmp_path, [])
    (tmp_path / "questions.jsonl").write_bytes(b'{"qid": "\xff"}\n[]\n')
    with pytest.raises(UsageError) as refusal:
        load(tmp_path, settings())
    assert len(refusal.value.faults) == 2


def test_a_split_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"benchmark\.split"):
        load(write(tmp_path, [line()]), settings("report"))


def test_a_document_that_cannot_be_opened_is_left_to_the_collection(tmp_path: Path) -> None:
    write(tmp_path, [line()])
    (tmp_path / "documents" / "two pages.pdf").write_bytes(b"no PDF")
    assert [document.name for document in load(tmp_path, settings()).documents] == ["two pages.pdf"]
