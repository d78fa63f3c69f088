import os
from pathlib import Path

import pytest
from support.benchmarks import by_id, counts, labels, read, values, write_json, write_parquet, write_pdf, write_separated

from taec.benchmarks.mmlongbench import Settings
from taec.core.errors import UsageError

SHARED = Path(os.environ.get("TAEC_SHARED", Path(__file__).parents[2] / "../shared"))
RELEASED = SHARED / "data/mmlongbench"
released = pytest.mark.skipif(not RELEASED.is_dir(), reason="MMLongBench-Doc is not there")


@released
def test_the_first_release_has_the_papers_counts() -> None:
    benchmark = read("mmlongbench", annotations=RELEASED / "samples.json", documents=RELEASED / "documents")
    facts = benchmark.facts
    assert str(facts["release"]).startswith("the first release")
    assert counts(benchmark, "file") == {
        "questions": 1091,
        "answerable": 847,
        "with_gold": 845,
        "answerable_with_gold": 838,
        "documents": 135,
    }
    assert counts(benchmark, "present") == {
        "questions": 274,
        "answerable": 210,
        "with_gold": 210,
        "answerable_with_gold": 207,
        "documents": 32,
    }
    single = {"Pure-text (Plain-text)": 130, "Table": 143, "Chart": 107, "Figure": 180, "Generalized-text (Layout)": 32}
    assert labels(benchmark, "by_single_source") == single
    assert (len(benchmark.questions), len(benchmark.documents)) == (210, 32)
    assert len(facts["documents_missing"]) == 103
    assert facts["pages_out_of_range"] == {"941": [0]}
    release, missing, *_ = benchmark.warnings
    assert "Pure-text (Plain-text) 130 (134), single source Figure 180 (182)" in release
    assert "answerable" not in release
    assert "817 of 1091 questions are left out" in missing


@released
@pytest.mark.parametrize(("file", "rows"), [("samples.json", 274), ("samples-2025-09-24.json", 272)])
def test_every_question_can_be_asked_under_an_id_of_its_own(file: str, rows: int) -> None:
    benchmark = read("mmlongbench", annotations=RELEASED / file, documents=RELEASED / "documents", questions="all")
    assert len(by_id(benchmark)) == len(benchmark.questions) == rows
    assert {page.rpartition("_p")[0] for question in benchmark.questions for page in question.gold} <= {
        document.name for document in benchmark.documents
    }


@released
def test_the_third_release_is_said_to_be_another() -> None:
    benchmark = read("mmlongbench", annotations=RELEASED / "samples-2025-09-24.json", documents=RELEASED / "documents")
    assert str(benchmark.facts["release"]).startswith("the third release")
    assert counts(benchmark, "file")["questions"] == 1082
    assert len(benchmark.questions) == counts(benchmark, "present")["answerable"] == 214
    assert "questions 1,082 (1,091), answerable 859 (847)" in benchmark.warnings[0]


Values = dict[str, object]


def row(**changes: object) -> Values:
    base: Values = {"doc_id": "d.v2.pdf", "doc_type": "Report", "question": "Why?", "answer": "so", "evidence_pages": "[1]"}
    return {**base, "evidence_sources": "['Chart']", "answer_format": "Str"} | changes


ROWS = [
    row(question=" spaced \n", evidence_pages="[3, 1, 1]", answer="['5.3%', 2]", answer_format="List"),
    row(question=" spaced \n", answer="Not answerable", answer_format="None", evidence_pages="[]", evidence_sources="[]"),
    row(question="Zero?", evidence_pages="[0]", answer="92", answer_format="List"),
    row(question="Typo?", evidence_pages="[2, 1418]", answer="['a@b.edu']"),
    row(doc_id="d.pdf"),
    row(question="Bare?", evidence_pages="[]", evidence_sources="['Chart', 'Table']", answer="not a list", answer_format="List"),
]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "documents" / "d.v2.pdf", 3).parent


def test_the_traps_of_the_file(tmp_path: Path, documents: Path) -> None:
    benchmark = read("mmlongbench", annotations=write_json(tmp_path / "samples.json", ROWS), documents=documents, questions="all")
    found = by_id(benchmark)
    assert sorted(found) == [f"mmlongbench-{index:04d}" for index in (0, 1, 2, 3, 5)]
    listed, none, zero, typo, bare = (found[key] for key in sorted(found))
    assert (listed.text, listed.items, listed.references) == ("spaced", ("5.3%", "2"), ("5.3%, 2",))
    assert (listed.gold, listed.hop) == ({"d.v2.pdf_p1", "d.v2.pdf_p3"}, "multi_hop")
    assert (none.answerable, none.gold, none.hop, none.sources) == (False, frozenset(), "", ())
    assert (zero.gold, zero.items, zero.hop) == (frozenset(), ("92",), "single_hop")
    assert (typo.gold, typo.items, typo.references) == ({"d.v2.pdf_p2"}, (), ("['a@b.edu']",))
    assert (bare.items, bare.hop, bare.sources) == (("not a list",), "", ("Chart", "Table"))
    assert (benchmark.facts["repeated_questions"], benchmark.facts["release"]) == (1, "no known release")
    release, left_out, lacking, repeats = benchmark.warnings
    assert "questions 6 (1,091)" in release
    assert "not there: 1. Their 1 of 6 questions" in left_out
    assert "d.pdf" in left_out
    assert "2 (page 0), 3 (page 1418)" in lacking
    assert repeats.startswith("MMLongBench-Doc: rows that repeat")
    assert len(read("mmlongbench", annotations=tmp_path / "samples.json", documents=documents).questions) == 4


def test_every_form_of_the_file_says_the_same(tmp_path: Path, documents: Path) -> None:
    def plain(question: Values) -> Values:
        return {**question, "evidence_pages": [3, 1, 1], "evidence_sources": ["Chart"]} if question is ROWS[0] else question

    lists = [
        {**values, "evidence_pages": [int(page) for page in str(values["evidence_pages"]).strip("[]").split(",") if page]}
        for values in ROWS
    ]
    vlmevalkit = [{"index": number, **values, "image_path": "['d_1.png']"} for number, values in enumerate(ROWS)]
    files = [
        write_json(tmp_path / "samples.json", ROWS),
        write_json(tmp_path / "lists.json", lists),
        write_parquet(tmp_path / "train-00000-of-00001.parquet", ROWS),
        write_separated(tmp_path / "MMLongBench_DOC.tsv", vlmevalkit, "\t"),
        write_json(tmp_path / "part.json", [plain(values) for values in ROWS]),
    ]
    first, *others = (read("mmlongbench", annotations=file, documents=documents, questions="all") for file in files)
    assert len(first.questions) == 5
    for other in others:
        assert other.questions == first.questions
        assert other.facts["file"] == first.facts["file"]


def test_parts_of_a_parquet_file_are_read_as_one(tmp_path: Path, documents: Path) -> None:
    for number, part in enumerate((ROWS[:2], ROWS[2:])):
        write_parquet(tmp_path / f"train-{number}-of-2.parquet", part)
    benchmark = read("mmlongbench", annotations=tmp_path / "train-*.parquet", documents=documents, questions="all")
    assert sorted(by_id(benchmark)) == [f"mmlongbench-{index:04d}" for index in (0, 1, 2, 3, 5)]
    assert benchmark.facts["annotations"] == "train-0-of-2.parquet and 1 more"


def test_a_format_that_a_table_library_took_for_no_value_is_told_by_the_answer(tmp_path: Path, documents: Path) -> None:
    lost = [row(answer="Not answerable", answer_format=float("nan")), row(answer="Not answerable", answer_format=None)]
    benchmark = read("mmlongbench", annotations=write_json(tmp_path / "s.json", [*lost, row()]), documents=documents, questions="all")
    assert [by_id(benchmark)[f"mmlongbench-000{index}"].answerable for index in range(3)] == [False, False, True]


def test_the_same_file_under_two_names_is_one_document(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf"):
        write_pdf(tmp_path / "documents" / name, 3)
    (tmp_path / "documents" / "b.pdf").write_bytes((tmp_path / "documents" / "a.pdf").read_bytes())
    write_pdf(tmp_path / "documents" / "c.pdf", 3, shade=9)
    rows = [row(doc_id=name, evidence_pages="[2]", question=name) for name in ("b.pdf", "a.pdf", "c.pdf")]
    benchmark = read("mmlongbench", annotations=write_json(tmp_path / "s.json", rows), documents=tmp_path / "documents")
    assert [document.name for document in benchmark.documents] == ["a.pdf", "c.pdf"]
    gold = {question.text: question.gold for question in benchmark.questions}
    assert gold == {"b.pdf": {"a.pdf_p2"}, "a.pdf": {"a.pdf_p2"}, "c.pdf": {"c.pdf_p2"}}
    assert benchmark.facts["documents_identical"] == {"b.pdf": "a.pdf"}
    assert any("b.pdf is a.pdf" in warning for warning in benchmark.warnings)


def test_without_paths_both_overrides_are_named() -> None:
    with pytest.raises(UsageError) as refusal:
        read("mmlongbench")
    assert refusal.value.faults[0].startswith("benchmark.annotations is not set")
    assert refusal.value.faults[1].startswith("benchmark.documents is not set")


@pytest.mark.parametrize("content", ["", "{}", '[{"doc_id": 1}]', "[]", "[1]", '{"a": [}', "\x00", "9" * 5000, "[" * 100_000])
def test_a_file_that_is_not_the_released_one_is_refused(tmp_path: Path, documents: Path, content: str) -> None:
    file = tmp_path / "samples.json"
    file.write_text(content)
    with pytest.raises(UsageError, match=r"released samples\.json"):
        read("mmlongbench", annotations=file, documents=documents)


@pytest.mark.parametrize("name", ["samples.parquet", "samples.jsonl", "samples.tsv", "samples.xlsx"])
def test_noise_is_refused_in_every_form(tmp_path: Path, documents: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\xff\xfe\x00PAR1 no file of any kind")
    with pytest.raises(UsageError, match=r"Set benchmark\.annotations to"):
        read("mmlongbench", annotations=tmp_path / name, documents=documents)


def test_rows_that_cannot_be_read_are_named(tmp_path: Path, documents: Path) -> None:
    rows = [
        row(),
        row(evidence_pages="[1"),
        row(evidence_sources=3.5),
        row(answer_format="Text"),
        row(evidence_pages="['a']"),
        row(question=""),
    ]
    with pytest.raises(UsageError) as refusal:
        read("mmlongbench", annotations=write_json(tmp_path / "samples.json", rows), documents=documents)
    assert [fault.split(":")[0] for fault in refusal.value.faults] == [f"samples.json row {index}" for index in (1, 3, 4, 5)]
    many = write_json(tmp_path / "many.json", [row(evidence_pages="[1")] * 40)
    with pytest.raises(UsageError, match="30 more like these"):
        read("mmlongbench", annotations=many, documents=documents)


def test_missing_files_are_refused(tmp_path: Path, documents: Path) -> None:
    file = write_json(tmp_path / "samples.json", [row()])
    for name in ("gone.json", "gone.parquet", "gone-*.parquet"):
        with pytest.raises(UsageError, match="gone"):
            read("mmlongbench", annotations=tmp_path / name, documents=documents)
    (tmp_path / "empty").mkdir()
    for folder, what in ((tmp_path / "gone", "is no folder"), (tmp_path / "empty", "holds none of the 1 documents")):
        with pytest.raises(UsageError, match=what):
            read("mmlongbench", annotations=file, documents=folder)


def test_a_run_is_what_its_file_holds_not_where_it_lies(tmp_path: Path, documents: Path) -> None:
    def identity(file: Path) -> dict[str, object]:
        return dict(Settings.model_validate(values("mmlongbench", annotations=file, documents=documents)).identity())

    one, same, other = (write_json(tmp_path / name, rows) for name, rows in (("a.json", ROWS), ("b.json", ROWS), ("c.json", ROWS[:1])))
    assert identity(one) == identity(same) != identity(other)
    assert identity(tmp_path / "gone.json")["annotations"] == ""
