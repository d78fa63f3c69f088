"""`index` as a person types it."""

import json
from pathlib import Path

import pytest
from support.pdf import text_pdf
from support.tiny import FILLER

from taec.cli import run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAEC_CACHE", str(tmp_path / "cache"))
    documents = tmp_path / "my documents"
    (documents / "sub").mkdir(parents=True)
    (documents / "a.pdf").write_bytes(text_pdf([f"first {FILLER}", f"second {FILLER}"]))
    (documents / "sub/b.pdf").write_bytes(text_pdf([f"third {FILLER}"]))
    return documents


def index(folder: Path, *words: str) -> int:
    return run(["index", f"documents={folder}", "retriever=bm25", *words])


def test_a_folder_is_indexed_and_again_only_what_is_new(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert index(folder) == 0
    told = capsys.readouterr().out
    assert "2 documents, 3 pages (3 rendered now, 0 from before); captions: 3 from text layers" in told
    assert f"python -m taec ask \"your question\" 'documents={folder}' retriever=bm25" in told
    (folder / "c.pdf").write_bytes(text_pdf([f"fourth {FILLER}"]))
    assert index(folder) == 0
    assert "3 documents, 4 pages (1 rendered now, 3 from before)" in capsys.readouterr().out
    assert index(folder) == 0
    assert "4 pages (all from before)" in capsys.readouterr().out


def test_troubles_are_listed_and_strict_refuses_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.4\n1 0 obj\n")
    assert index(folder) == 0
    told = capsys.readouterr().out
    assert "damaged: documents that cannot be opened; left out" in told
    report = json.loads(Path(next(line for line in told.splitlines() if line.startswith("report: ")).removeprefix("report: ")).read_text())
    assert [(each["kind"], each["document"]) for each in report["troubles"]] == [("damaged", "damaged.pdf")]
    assert (report["documents"], report["pages"], report["captions"]) == (2, 3, {"text_layer": 3})
    assert index(folder, "--strict") == 2
    assert "damaged: damaged.pdf cannot be opened" in capsys.readouterr().err


def test_requests_that_make_no_sense_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert index(folder / "gone") == 2
    assert run(["run", f"documents={folder}"]) == 2
    assert "benchmark=folder benchmark.documents=" in capsys.readouterr().err
    assert run(["run", "--strict"]) == 2
    assert run(["index", f"documents={folder}", "collection.passwords.variables={a.pdf: hunter2}"]) == 2
    told = capsys.readouterr().err
    assert "NAME of an environment variable" in told
    assert "hunter2" not in told


def test_plan_counts_the_pages_that_a_model_would_describe(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = "collection.captions.model"
    words = ["collection=model", f"{model}.model=m", f"{model}.api_key_env=null", f"{model}.prices={{input: 1, output: 1}}"]
    assert run(["plan", f"documents={folder}", *words]) == 0
    assert "captions by m, once for all runs: 3 calls, 3 images" in " ".join(capsys.readouterr().out.split())
