import io
from pathlib import Path

import pytest
from PIL import Image
from support.benchmarks import by_id, read, write_image, write_json, write_lines, write_parquet, write_pdf, write_separated

from taec.core.errors import InfrastructureError, UsageError

Values = dict[str, object]

URLS = [f"https://images.example/deck-{n}/95/talk-{n}-728.jpg?cb=12" for n in range(1, 21)]
"""Addresses of slides whose file names do not sort as they are shown."""


def row(**changes: object) -> Values:
    base: Values = {"deck_name": "a_b.c", "deck_url": "https://example/a_b", "image_urls": URLS, "qa_id": 1, "question": "How many?"}
    rest: Values = {"answer": "12", "arithmetic_expression": "None", "evidence_pages": [10], "answer_type": "Single-Span"}
    return {**base, **rest, "reasoning_type": "Single-Hop", **changes}


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """A deck whose second slide was never downloaded."""
    for number in set(range(1, 21)) - {2}:
        write_image(tmp_path / f"images/test/a_b.c/talk-{number}-728.jpg")
    return tmp_path / "images"


def test_gold_page_p_is_the_pth_address_and_holes_stay_holes(tmp_path: Path, images: Path) -> None:
    rows = [
        row(evidence_pages=[10, 20]),
        row(qa_id=2, evidence_pages=[2], reasoning_type="Multi-Hop & Discrete"),
        row(qa_id=3, deck_name="gone"),
    ]
    benchmark = read("slidevqa", annotations=write_lines(tmp_path / "test.jsonl", rows), documents=images)
    (document,) = benchmark.documents
    assert document.name == "a_b.c"
    assert [(number, file.name) for number, file in document.images[:3]] == [(n, f"talk-{n}-728.jpg") for n in (1, 3, 4)]
    first, second = (by_id(benchmark)[name] for name in ("1", "2"))
    assert (first.gold, first.hop, first.split) == ({"a_b.c_p10", "a_b.c_p20"}, "single_hop", "test")
    assert (second.gold, second.hop) == (frozenset(), "multi_hop")
    assert benchmark.facts["pages_out_of_range"] == {"1": [2]}
    assert benchmark.facts["documents_missing"] == ["gone"]
    assert any("1 of 3 questions are left out" in warning for warning in benchmark.warnings)


def test_an_address_counts_by_its_place_whatever_stands_before_it(tmp_path: Path, images: Path) -> None:
    doubled = [row(image_urls=[URLS[0], None, URLS[0], *URLS[3:]])]
    benchmark = read("slidevqa", annotations=write_lines(tmp_path / "test.jsonl", doubled), documents=images)
    assert [(number, file.name) for number, file in benchmark.documents[0].images[:3]] == [
        (1, "talk-1-728.jpg"),
        (3, "talk-1-728.jpg"),
        (4, "talk-4-728.jpg"),
    ]


def test_addresses_decide_even_against_the_names_of_files(tmp_path: Path, images: Path) -> None:
    turned = [row(image_urls=URLS[::-1], evidence_pages=[20])]
    benchmark = read("slidevqa", annotations=write_lines(tmp_path / "test.jsonl", turned), documents=images)
    assert dict(benchmark.documents[0].images)[20].name == "talk-1-728.jpg"
    assert benchmark.questions[0].gold == {"a_b.c_p20"}


@pytest.mark.parametrize("name", ["slide_{}_1024.jpg", "page_{}.png", "a_b.c_{}.jpg", "{:02d}.jpg"])
def test_without_addresses_the_number_in_the_name_counts(tmp_path: Path, name: str) -> None:
    for number in (1, 2, 10):
        write_image(tmp_path / "images/a_b.c" / name.format(number))
    rows = [{key: value for key, value in row().items() if key != "image_urls"}]
    benchmark = read("slidevqa", annotations=write_lines(tmp_path / "test.jsonl", rows), documents=tmp_path)
    assert [number for number, _ in benchmark.documents[0].images] == [1, 2, 10]
    assert benchmark.questions[0].gold == {"a_b.c_p10"}


def test_the_misspelt_key_and_missing_types(tmp_path: Path, images: Path) -> None:
    misspelt = {key: value for key, value in row(resoning_type="Multi-Hop").items() if key != "reasoning_type"}
    rows = [misspelt, row(qa_id=2, reasoning_type=None), row(qa_id=3, reasoning_type=float("nan"))]
    benchmark = read("slidevqa", annotations=write_lines(tmp_path / "dev.jsonl", rows), documents=images)
    assert [by_id(benchmark)[name].hop for name in ("1", "2", "3")] == ["multi_hop", "", ""]
    assert {question.split for question in benchmark.questions} == {"dev"}


def test_answers_that_look_like_no_value(tmp_path: Path, images: Path) -> None:
    rows = [row(answer=answer, qa_id=number) for number, answer in enumerate(("None", "N/A", "", 7))]
    told = [{**values, "image_path": str(URLS), "evidence_pages": "[10]"} for values in rows]
    tsv = write_separated(tmp_path / "SLIDEVQA.tsv", [{k: v for k, v in values.items() if k != "image_urls"} for values in told], "\t")
    benchmark = read("slidevqa", annotations=tsv, documents=images)
    assert [by_id(benchmark)[name].references for name in "0123"] == [("None",), ("N/A",), ("None", "N/A"), ("7",)]
    assert benchmark.questions[0].gold == {"a_b.c_p10"}
    (lost,) = (warning for warning in benchmark.warnings if "empty answers" in warning)
    assert lost.endswith("Rows: 2.")
    spoilt = read("slidevqa", annotations=write_lines(tmp_path / "test.jsonl", [row(answer=float("nan"))]), documents=images)
    assert spoilt.questions[0].references == ("None", "N/A")


def test_visdoms_copy_counts_from_zero(tmp_path: Path, images: Path) -> None:
    rows = [row(qa_id=number, evidence_pages=str(pages), image_urls=str(URLS)) for number, pages in enumerate(([4, 6], [9, 18]))]
    file = write_separated(tmp_path / "slidevqa.csv", rows, ",")
    benchmark = read("slidevqa", annotations=file, documents=images)
    assert by_id(benchmark)["0"].gold == {"a_b.c_p5", "a_b.c_p7"}
    assert any("count from 0" in warning and "it is a CSV file" in warning for warning in benchmark.warnings)
    kept = read("slidevqa", annotations=file, documents=images, first_page=1)
    assert by_id(kept)["0"].gold == {"a_b.c_p4", "a_b.c_p6"}
    assert not any("count from 0" in warning for warning in kept.warnings)


@pytest.mark.parametrize(
    ("pages", "first", "lacking"),
    [([[0], [19]], "a_b.c_p1", {}), ([[0], [20]], None, {"0": [0]}), ([[1], [21]], "a_b.c_p1", {"1": [21]}), ([[1], [19]], "a_b.c_p1", {})],
)
def test_page_zero_means_counting_from_zero_unless_the_last_page_occurs(
    tmp_path: Path, images: Path, pages: list[list[int]], first: str | None, lacking: dict[str, list[int]]
) -> None:
    rows = [row(qa_id=number, evidence_pages=each) for number, each in enumerate(pages)]
    benchmark = read("slidevqa", annotations=write_lines(tmp_path / "test.jsonl", rows), documents=images)
    assert by_id(benchmark)["0"].gold == ({first} if first else frozenset())
    assert benchmark.facts["pages_out_of_range"] == lacking
    assert any("lack" in warning for warning in benchmark.warnings) == bool(lacking)


def picture() -> Values:
    file = io.BytesIO()
    Image.new("RGB", (8, 8)).save(file, "JPEG")
    return {"bytes": file.getvalue(), "path": None}


def test_slides_inside_of_a_parquet_file_are_unpacked_once(tmp_path: Path) -> None:
    pages: Values = {f"page_{number}": picture() for number in range(1, 21)} | {"page_2": None}
    rows = [{key: value for key, value in row(qa_id=number, **pages).items() if key != "image_urls"} for number in (1, 2)]
    file = write_parquet(tmp_path / "test-00000-of-00001.parquet", rows)
    benchmark = read("slidevqa", annotations=file, documents=tmp_path / "slides")
    (document,) = benchmark.documents
    assert [number for number, _ in document.images] == [1, *range(3, 21)]
    assert by_id(benchmark)["2"].gold == {"a_b.c_p10"}
    assert any("decks whose slides were unpacked" in warning for warning in benchmark.warnings)
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "slides").rglob("*")}
    again = read("slidevqa", annotations=file, documents=tmp_path / "slides")
    assert again.questions == benchmark.questions
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "slides").rglob("*")} == times
    (tmp_path / "blocked").write_text("no folder")
    with pytest.raises(InfrastructureError, match="cannot be unpacked"):
        read("slidevqa", annotations=file, documents=tmp_path / "blocked")


def test_the_same_deck_under_two_names_is_one_document(tmp_path: Path) -> None:
    for deck, shade in (("a", 1), ("b", 1), ("c", 2)):
        for number in range(1, 21):
            write_image(tmp_path / f"slides/{deck}/page_{number}.png", shade)
    rows = [row(deck_name=deck, qa_id=deck, image_urls=[]) for deck in "bac"]
    benchmark = read("slidevqa", annotations=write_lines(tmp_path / "test.jsonl", rows), documents=tmp_path)
    assert [document.name for document in benchmark.documents] == ["a", "c"]
    assert {name: question.gold for name, question in by_id(benchmark).items()} == {"a": {"a_p10"}, "b": {"a_p10"}, "c": {"c_p10"}}


def test_a_deck_may_be_a_pdf(tmp_path: Path) -> None:
    write_pdf(tmp_path / "pdf/a_b.c.pdf", 20)
    benchmark = read("slidevqa", annotations=write_lines(tmp_path / "test.jsonl", [row()]), documents=tmp_path)
    assert benchmark.questions[0].gold == {"a_b.c_p10"}


def test_a_name_never_leads_out_of_the_folder(tmp_path: Path, images: Path) -> None:
    rows = [row(deck_name="../images/test/a_b.c"), row(qa_id=2, image_urls=["../../../secret.jpg"] * 20)]
    benchmark = read("slidevqa", annotations=write_lines(tmp_path / "test.jsonl", rows), documents=images)
    assert [document.name for document in benchmark.documents] == ["a_b.c"]


@pytest.mark.parametrize(
    "changes", [{"deck_name": None}, {"question": None}, {"evidence_pages": "[1"}, {"evidence_pages": [[1]]}, {"answer": [1]}]
)
def test_a_malformed_row_is_named(tmp_path: Path, images: Path, changes: Values) -> None:
    with pytest.raises(UsageError, match=r"test\.jsonl row 1: "):
        read("slidevqa", annotations=write_lines(tmp_path / "test.jsonl", [row(), row(**changes)]), documents=images)


def test_a_line_that_is_no_json_is_named(tmp_path: Path, images: Path) -> None:
    (tmp_path / "test.jsonl").write_text('{"qa_id": 1}\n{"qa_id": \n')
    with pytest.raises(UsageError, match="line 2"):
        read("slidevqa", annotations=tmp_path / "test.jsonl", documents=images)
    with pytest.raises(UsageError, match="such as gone"):
        read("slidevqa", annotations=write_json(tmp_path / "test.json", [row(deck_name="gone")]), documents=images)
