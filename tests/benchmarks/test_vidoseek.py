import os
from pathlib import Path

import pytest
from support.benchmarks import by_id, labels, read, write_image, write_json, write_pdf

from taec.core.errors import UsageError

EXAMPLE = Path(os.environ.get("TAEC_SHARED", Path(__file__).parents[2] / "../shared")) / "data/vidoseek-example"
example = pytest.mark.skipif(not EXAMPLE.is_dir(), reason="ViDoSeek's example is not there")

DECK = "00a76e3a9a36255616e2dc14a6eb5dde598b321f.pdf"

Values = dict[str, object]


def row(about: Values | None = None, **changes: object) -> Values:
    meta: Values = {"file_name": "a.b_1.pdf", "reference_page": [2], "source_type": "text", "query_type": "single_hop", **(about or {})}
    base: Values = {"uid": "a.b_1_1", "query": "Where?", "reference_answer": "There.", "meta_info": meta}
    return {**base, **changes}


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "documents/pdf/a.b_1.pdf", 3).parents[1]


@example
@pytest.mark.parametrize("folder", [".", "img"])
def test_the_real_example_loads_from_its_pdf_and_from_its_page_images(folder: str) -> None:
    benchmark = read("vidoseek", annotations=EXAMPLE / "rag_dataset.json", documents=EXAMPLE / folder)
    (question,), (document,) = benchmark.questions, benchmark.documents
    assert (question.id, question.gold) == ("00a76e3a9a36255616e2dc14a6eb5dde598b321f_1", {f"{DECK}_p11"})
    assert (question.hop, question.sources) == ("content_extraction", ("2d_layout",))
    assert document.name == DECK
    assert [number for number, _ in document.images] == ([] if folder == "." else list(range(1, 24)))
    assert all(file.stem.endswith(f"_{number}") for number, file in document.images)
    assert benchmark.facts["pages_out_of_range"] == {}
    assert "no known release" in benchmark.warnings[0]


def test_labels_are_read_in_any_case_and_unknown_ones_are_kept(tmp_path: Path, documents: Path) -> None:
    rows = [
        row({"query_type": "Multi-Hop", "source_type": "2D_Layout", "reference_page": [3, 1]}, uid="x_1"),
        row({"query_type": "Single-Hop_Single-Span", "source_type": ["Table", "Pure Text"]}, uid=7),
        {"uid": "y", "query": "?", "reference_answer": "Not answerable.", "meta_info": {"file_name": "a.b_1.pdf", "reference_page": []}},
        row({"query_type": "content extraction"}, uid="z"),
    ]
    benchmark = read("vidoseek", annotations=write_json(tmp_path / "v.json", {"examples": rows}), documents=documents)
    first, second, third, fourth = (by_id(benchmark)[name] for name in ("x_1", "7", "y", "z"))
    assert (first.hop, first.sources, first.gold) == ("multi_hop", ("2d_layout",), {"a.b_1.pdf_p1", "a.b_1.pdf_p3"})
    assert (second.hop, second.sources) == ("single_hop", ("table", "pure_text"))
    assert (third.answerable, third.hop, third.sources, third.gold) == (False, "", (), frozenset())
    assert fourth.hop == "content_extraction"
    assert labels(benchmark, "by_hop") == {"content_extraction": 1, "multi_hop": 1, "single_hop": 1}
    assert any("VRAG" in warning for warning in benchmark.warnings)


def test_refined_slidevqa_is_called_by_its_name(tmp_path: Path, documents: Path) -> None:
    rows = [row({"origin_query": "where", "source_type": "single_span"}, uid="12")]
    benchmark = read("vidoseek", annotations=write_json(tmp_path / "s.json", {"examples": rows}), documents=documents)
    assert any("slidevqa_refined.json" in warning for warning in benchmark.warnings)


def test_ids_stay_unique_where_the_released_ones_are_not(tmp_path: Path, documents: Path) -> None:
    rows = [row(uid="same"), row(uid="same", query="Who?"), row(uid="own"), row(uid=None), row(uid="vidoseek-0000")]
    benchmark = read("vidoseek", annotations=write_json(tmp_path / "v.json", rows), documents=documents)
    assert sorted(by_id(benchmark)) == ["own", "vidoseek-0000", "vidoseek-0000+", "vidoseek-0001", "vidoseek-0003"]


def test_page_images_with_holes_keep_their_numbers(tmp_path: Path) -> None:
    for number in (1, 3, 10):
        write_image(tmp_path / f"img/a.b_1_{number}.jpg")
    rows = [row({"reference_page": [2, 3]}), row({"reference_page": [10]}, uid="b")]
    benchmark = read("vidoseek", annotations=write_json(tmp_path / "v.json", rows), documents=tmp_path)
    (document,) = benchmark.documents
    assert [(number, file.name) for number, file in document.images] == [(n, f"a.b_1_{n}.jpg") for n in (1, 3, 10)]
    assert by_id(benchmark)["a.b_1_1"].gold == {"a.b_1.pdf_p3"}
    assert benchmark.facts["pages_out_of_range"] == {"0": [2]}


def test_counts_of_the_release_are_recognised_and_others_are_told(tmp_path: Path, documents: Path) -> None:
    kinds = ["2d_layout"] * 730 + ["table"] * 175 + ["chart"] * 157 + ["text"] * 80
    rows = [
        row(
            {"source_type": kind, "query_type": "single_hop" if index < 645 else "multi_hop", "file_name": f"d{index % 290}.pdf"},
            uid=str(index),
        )
        for index, kind in enumerate(kinds)
    ]
    write_pdf(documents / "d0.pdf", 2)
    whole = read("vidoseek", annotations=write_json(tmp_path / "v.json", rows), documents=documents)
    assert "a file with the counts of the release" in str(whole.facts["release"])
    assert not any("paper" in warning for warning in whole.warnings)
    assert (len(whole.questions), len(whole.documents)) == (4, 1)
    fewer = read("vidoseek", annotations=write_json(tmp_path / "v.json", rows[1:]), documents=documents)
    assert "questions 1,141 (1,142), hop single_hop 644 (645), source 2d_layout 729 (730)." in fewer.warnings[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"meta_info": None},
        {"meta_info": {"reference_page": [1]}},
        {"query": " "},
        {"reference_answer": None},
        {"meta_info": {"file_name": "a.b_1.pdf", "reference_page": [True]}},
        {"meta_info": {"file_name": "a.b_1.pdf", "reference_page": [1.5]}},
        {"query": "half \ud800 a character"},
    ],
)
def test_a_malformed_row_is_named(tmp_path: Path, documents: Path, changes: Values) -> None:
    with pytest.raises(UsageError, match=r"v\.json row 1: "):
        read("vidoseek", annotations=write_json(tmp_path / "v.json", [row(), row(**changes)]), documents=documents)
