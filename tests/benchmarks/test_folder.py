from pathlib import Path

import pytest
from support.benchmarks import by_id, read, write_image, write_json, write_lines, write_pdf, write_separated

from taec.benchmarks.columns import COLUMNS
from taec.core.errors import UsageError

Values = dict[str, object]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    write_pdf(tmp_path / "papers/audit 2024.pdf", 5)
    write_pdf(tmp_path / "papers/old/b_p2.v1.pdf", 2, shade=7)
    return tmp_path / "papers"


def row(**changes: object) -> Values:
    return {"question": "What did it cost?", "answer": "$ 12,400", "document": "audit 2024.pdf", "pages": 3, **changes}


def test_all_columns(tmp_path: Path, documents: Path) -> None:
    rows = [
        row(id="cost", aliases=["12400 dollars"], sources="table", split="mine"),
        row(question="Which offices?", answer=["Bonn", "Delft"], pages=[3, 5], sources=["text", "table"]),
        row(
            question="Both?",
            answer=7,
            pages=None,
            document=None,
            gold=[{"document": "audit 2024.pdf", "page": 1}, {"document": "old/b_p2.v1.pdf", "page": 2}],
        ),
        row(question="Who?", answer=None, answerable=False, pages=None),
        row(question="How much?", answer="4.5", answer_format="float", hop="Multi Hop", document=None, pages=None),
    ]
    benchmark = read("folder", annotations=write_json(tmp_path / "mine.json", rows), documents=documents)
    found = by_id(benchmark)
    cost, offices, both, who, much = (found[name] for name in ("cost", *(f"folder-000{number}" for number in (1, 2, 3, 4))))
    assert (cost.references, cost.gold, cost.hop, cost.sources) == (
        ("$ 12,400", "12400 dollars"),
        {"audit 2024.pdf_p3"},
        "single_hop",
        ("table",),
    )
    assert (offices.items, offices.answer_format, offices.hop) == (("Bonn", "Delft"), "List", "multi_hop")
    assert both.gold == {"audit 2024.pdf_p1", "old/b_p2.v1.pdf_p2"}
    assert (both.documents, both.references) == (("audit 2024.pdf", "old/b_p2.v1.pdf"), ("7",))
    assert (who.answerable, who.answer_format, who.references) == (False, "None", ("Not answerable",))
    assert (much.answer_format, much.hop, much.gold, much.documents) == ("Float", "multi_hop", frozenset(), ())
    assert [document.name for document in benchmark.documents] == ["audit 2024.pdf", "old/b_p2.v1.pdf"]
    assert benchmark.warnings == ()


@pytest.mark.parametrize("name", ["mine.csv", "mine.tsv", "mine.jsonl"])
def test_every_form_says_the_same(tmp_path: Path, documents: Path, name: str) -> None:
    rows = [
        row(pages="3; 5", answer="['Bonn', 'Delft']", aliases="", answerable=""),
        row(question="2,5 m?", answer="2,5", pages="", aliases="2,500", answerable="no"),
    ]
    file = tmp_path / name
    if name.endswith("jsonl"):
        write_lines(file, rows)
    else:
        write_separated(file, rows, "," if name.endswith("csv") else "\t")
    found = by_id(read("folder", annotations=file, documents=documents))
    assert found["folder-0000"].items == ("Bonn", "Delft")
    assert found["folder-0000"].gold == {"audit 2024.pdf_p3", "audit 2024.pdf_p5"}
    assert not found["folder-0001"].answerable
    assert found["folder-0001"].references == ("2,5", "2,500")


def test_a_spreadsheets_csv(tmp_path: Path, documents: Path) -> None:
    (tmp_path / "mine.csv").write_bytes('\ufeffquestion;answer;document;pages\r\nWo?;"Köln; Bonn";audit 2024.pdf;2,3\r\n'.encode())
    (question,) = read("folder", annotations=tmp_path / "mine.csv", documents=documents).questions
    assert question.references == ("Köln; Bonn",)
    assert question.gold == {"audit 2024.pdf_p2", "audit 2024.pdf_p3"}


def test_one_message_explains_all_columns_with_an_example(tmp_path: Path, documents: Path) -> None:
    file = write_json(tmp_path / "mine.json", [{"Question": "?", "anwser": "!", "pages": 1}])
    with pytest.raises(UsageError) as refusal:
        read("folder", annotations=file, documents=documents)
    said = str(refusal.value)
    assert "no column 'question'; is 'Question' meant" in said
    assert "no column 'answer'; is 'anwser' meant" in said
    assert all(f"\n  {name} " in said for name in COLUMNS)
    assert 'What did the audit cost?,"$ 12,400",audit 2024.pdf,3,table' in said
    with pytest.raises(UsageError, match="row 0: pages are given, and document is missing") as wrong:
        read("folder", annotations=write_json(file, [row(document="")]), documents=documents)
    assert "What did the audit cost?" in str(wrong.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"document": "audit2024.pdf"}, "did you mean 'audit 2024.pdf'"),
        ({"document": "b_p2.v1.pdf"}, "did you mean 'old/b_p2.v1.pdf'"),
        ({"pages": 6}, "has no page 6"),
        ({"pages": 0}, "has no page 0"),
        ({"pages": "three"}, "no page number"),
        ({"answer": ""}, "answer is empty"),
        ({"answerable": "maybe"}, "neither true nor false"),
        ({"answer_format": "number"}, "not one of Str, Int"),
        ({"gold": "a.pdf"}, "gold has to be a list"),
        ({"gold": [{"document": "audit 2024.pdf"}]}, "without a page"),
        ({"id": "first"}, "taken by row 0"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, documents: Path, changes: Values, said: str) -> None:
    file = write_json(tmp_path / "mine.json", [row(id="first"), row(**changes)])
    with pytest.raises(UsageError, match="row 1") as refusal:
        read("folder", annotations=file, documents=documents)
    assert said in str(refusal.value)


def test_columns_that_nothing_reads_are_told(tmp_path: Path, documents: Path) -> None:
    benchmark = read("folder", annotations=write_json(tmp_path / "mine.json", [row(source="table", note="")]), documents=documents)
    assert benchmark.warnings == ("your own benchmark: columns that are not read: source (is it sources?), note.",)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="there is no PDF and no page image"):
        read("folder", annotations=write_json(tmp_path / "mine.json", [row()]), documents=tmp_path / "empty")


def test_page_images_make_documents(tmp_path: Path, documents: Path) -> None:
    for number in (1, 2, 10):
        write_image(documents / f"scan/page_{number}.png", shade=number)
    write_image(documents / "poster.jpg", shade=99)
    rows = [row(document="scan", pages=10), row(document="poster.jpg", pages=1)]
    benchmark = read("folder", annotations=write_json(tmp_path / "mine.json", rows), documents=documents)
    assert {document.name for document in benchmark.documents} == {"audit 2024.pdf", "old/b_p2.v1.pdf", "scan", "poster.jpg"}
    assert {page for question in benchmark.questions for page in question.gold} == {"scan_p10", "poster.jpg_p1"}
    with pytest.raises(UsageError, match="scan has no page 3"):
        read("folder", annotations=write_json(tmp_path / "mine.json", [row(document="scan", pages=3)]), documents=documents)


def test_a_question_may_name_either_of_two_equal_files(tmp_path: Path, documents: Path) -> None:
    (documents / "copy.pdf").write_bytes((documents / "audit 2024.pdf").read_bytes())
    rows = [row(document="copy.pdf"), row()]
    benchmark = read("folder", annotations=write_json(tmp_path / "mine.json", rows), documents=documents)
    assert {question.gold for question in benchmark.questions} == {frozenset({"audit 2024.pdf_p3"})}
    assert len(benchmark.documents) == 2
    assert benchmark.facts["documents_identical"] == {"copy.pdf": "audit 2024.pdf"}
