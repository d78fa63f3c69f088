import json
import os
from pathlib import Path

import pytest
from omegaconf import OmegaConf
from PIL import Image

from taec.benchmarks.base import Benchmark
from taec.benchmarks.mmlongbench import Settings, build
from taec.core.errors import UsageError

SHARED = Path(os.environ.get("TAEC_SHARED", Path(__file__).parents[2] / "../shared"))
RELEASED = SHARED / "data/mmlongbench"
released = pytest.mark.skipif(not RELEASED.is_dir(), reason="MMLongBench-Doc is not there")


def read(annotations: Path | None, documents: Path | None, questions: str = "all", limit: int | None = None) -> Benchmark:
    values = {"name": "mmlongbench", "annotations": annotations, "documents": documents, "questions": questions, "limit": limit}
    return build(Settings.model_validate(values))


@released
def test_the_first_release_has_the_papers_counts() -> None:
    benchmark = read(RELEASED / "samples.json", RELEASED / "documents", "answerable")
    facts = benchmark.facts
    assert str(facts["release"]).startswith("first")
    assert (facts["rows"], facts["answerable"], facts["documents_named"]) == (1091, 847, 135)
    assert (facts["documents"], facts["rows_present"], facts["answerable_present"]) == (32, 274, 210)
    assert (len(benchmark.questions), len(benchmark.documents)) == (210, 32)
    assert any("817 of 1091 questions are left out" in warning for warning in benchmark.warnings)
    everything = read(RELEASED / "samples.json", RELEASED / "documents").questions
    assert (len(everything), len({question.id for question in everything})) == (274, 274)


@released
def test_another_release_is_said_to_be_another() -> None:
    benchmark = read(RELEASED / "samples-2025-09-24.json", RELEASED / "documents")
    assert "third" in benchmark.warnings[0]
    assert "1082" in benchmark.warnings[0]


def row(**changes: str) -> dict[str, str]:
    base = {"doc_id": "d.v2.pdf", "doc_type": "Report", "question": "Why?", "answer": "so", "evidence_pages": "[1]"}
    return base | {"evidence_sources": "['Chart']", "answer_format": "Str"} | changes


def write(folder: Path, rows: list[dict[str, str]]) -> Path:
    (folder / "documents").mkdir(exist_ok=True)
    pages = [Image.new("RGB", (20, 20), "white") for _ in range(3)]
    pages[0].save(folder / "documents" / "d.v2.pdf", save_all=True, append_images=pages[1:])
    (folder / "samples.json").write_text(json.dumps(rows))
    return folder / "samples.json"


def test_the_traps_of_the_file(tmp_path: Path) -> None:
    rows = [
        row(question=" spaced \n", evidence_pages="[3, 1, 1]", answer="['5.3%', 2]", answer_format="List"),
        row(question=" spaced \n", answer="Not answerable", answer_format="None", evidence_pages="[]", evidence_sources="[]"),
        row(question="Zero?", evidence_pages="[0]", answer="92", answer_format="List"),
        row(question="Typo?", evidence_pages="[2, 1418]", answer="['a@b.edu']"),
        row(doc_id="d.pdf"),
        row(question="Bare?", evidence_pages="[]", evidence_sources="['Chart', 'Table']", answer="not a list", answer_format="List"),
    ]
    benchmark = read(write(tmp_path, rows), tmp_path / "documents")
    by_id = {question.id: question for question in benchmark.questions}
    assert sorted(by_id) == [f"mmlongbench-{index:04d}" for index in (0, 1, 2, 3, 5)]
    listed, none, zero, typo, bare = (by_id[key] for key in sorted(by_id))
    assert (listed.text, listed.items, listed.references) == ("spaced", ("5.3%", "2"), ("5.3%, 2",))
    assert (listed.gold, listed.hop) == ({"d.v2.pdf_p1", "d.v2.pdf_p3"}, "multi_hop")
    assert (none.answerable, none.gold, none.hop, none.sources) == (False, frozenset(), "", ())
    assert (zero.gold, zero.items, zero.hop) == (frozenset(), ("92",), "single_hop")
    assert (typo.gold, typo.items, typo.references) == ({"d.v2.pdf_p2"}, (), ("['a@b.edu']",))
    assert (bare.items, bare.hop, bare.sources) == (("not a list",), "", ("Chart", "Table"))
    assert benchmark.facts["repeated_questions"] == 1
    assert benchmark.facts["release"] == "unknown"
    release, left_out, lacking = benchmark.warnings
    assert "6 questions" in release
    assert "1 documents" in left_out
    assert "rows 2, 3 " in lacking
    assert len(read(tmp_path / "samples.json", tmp_path / "documents", "answerable").questions) == 4
    assert len(read(tmp_path / "samples.json", tmp_path / "documents", limit=2).questions) == 2


def test_without_paths_both_overrides_are_named() -> None:
    values = OmegaConf.to_container(OmegaConf.load(Path(__file__).parents[2] / "conf/benchmark/mmlongbench.yaml"))
    with pytest.raises(UsageError) as refusal:
        build(Settings.model_validate(values))
    assert "benchmark.annotations=" in refusal.value.faults[0]
    assert "benchmark.documents=" in refusal.value.faults[1]


@pytest.mark.parametrize("content", ["", "{}", '[{"doc_id": 1}]', "[]"])
def test_a_file_that_is_not_the_released_one_is_refused(tmp_path: Path, content: str) -> None:
    file = write(tmp_path, [])
    file.write_text(content)
    with pytest.raises(UsageError, match=r"released samples\.json"):
        read(file, tmp_path / "documents")


def test_rows_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    rows = [row(), row(evidence_pages="[1"), row(evidence_sources="'Chart'")]
    with pytest.raises(UsageError) as refusal:
        read(write(tmp_path, rows), tmp_path / "documents")
    assert [fault.split("samples.json ")[1].split(":")[0] for fault in refusal.value.faults] == ["row 1", "row 2"]


def test_missing_files_are_refused(tmp_path: Path) -> None:
    file = write(tmp_path, [row()])
    with pytest.raises(UsageError, match="cannot be read"):
        read(tmp_path / "gone.json", tmp_path / "documents")
    for folder in (tmp_path / "gone", tmp_path):
        with pytest.raises(UsageError, match="none of the 1 documents"):
            read(file, folder)
