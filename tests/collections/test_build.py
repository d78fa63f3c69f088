import json
import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from omegaconf import OmegaConf
from PIL import Image, ImageDraw

from taec.backbones.ocr import Line
from taec.collections.build import build_collection
from taec.collections.settings import CollectionSettings
from taec.collections.store import CONTENTS, Collection, Work
from taec.core.errors import InfrastructureError, UsageError
from taec.documents.base import Document

WritePdf = Callable[..., Path]
SHARED = Path(os.environ.get("TAEC_SHARED", Path(__file__).parents[2] / "../shared"))


def pdfs(paths: list[Path]) -> list[Document]:
    return [Document(path.name, path) for path in paths]


def build(paths: list[Path], cache: Path, settings: CollectionSettings) -> Collection:
    return build_collection(pdfs(paths), cache, settings, no_ocr, silent)


def no_ocr(jpegs: list[bytes]) -> list[list[Line]]:
    raise AssertionError("nothing was to be read by OCR")


def silent(stage: str, done: int, total: int) -> None:
    return None


def test_the_configured_default_is_valid() -> None:
    values = OmegaConf.to_container(OmegaConf.load(Path(__file__).parents[2] / "conf/collection/default.yaml"))
    assert CollectionSettings.model_validate(values).render.pixels == 1_500_000


def test_documents_keep_the_given_order_and_pages_their_numbers(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    documents = [write_pdf("b.pdf", ["first", "second"]), write_pdf("a.pdf", ["third"])]
    collection = build(documents, tmp_path / "cache", settings)
    assert list(collection.captions.items()) == [("b.pdf_p1", "first"), ("b.pdf_p2", "second"), ("a.pdf_p1", "third")]
    assert all(0.9 * 20_000 < page.width * page.height < 1.1 * 20_000 for page in collection.pages)
    assert collection.report.warnings == () == collection.report.documents


def test_a_known_collection_is_opened_without_work(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    documents = [write_pdf("a.pdf", ["text"])]
    first = build(documents, tmp_path / "cache", settings)
    stages: list[str] = []
    again = build_collection(pdfs(documents), tmp_path / "cache", settings, no_ocr, lambda stage, *_: stages.append(stage))
    assert stages == []
    assert (again.folder, again.captions_sha256) == (first.folder, first.captions_sha256)


def test_settings_names_and_contents_make_another_collection(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    document = write_pdf("a.pdf", ["text"])
    sharper = settings.model_copy(update={"render": settings.render.model_copy(update={"quality": 90})})
    digests = {build([document], tmp_path / "cache", settings).digest, build([document], tmp_path / "cache", sharper).digest}
    digests.add(build([document.rename(tmp_path / "b.pdf")], tmp_path / "cache", settings).digest)
    digests.add(build([write_pdf("a.pdf", ["changed"])], tmp_path / "cache", settings).digest)
    assert len(digests) == 4


@pytest.mark.parametrize("name", ["with space.pdf", "v1.2.final.pdf", "第１章 – ünï.pdf", "x_p1.pdf", "CAPS.PDF", "no\u00a0break.pdf"])
def test_names_are_kept_exactly(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings, name: str) -> None:
    collection = build([write_pdf(name, ["text"])], tmp_path / "cache", settings)
    assert list(collection.captions) == [f"{name}_p1"]
    assert collection.image(f"{name}_p1").width == collection.page(f"{name}_p1").width


def test_unreadable_documents_are_reported_and_refused_by_name(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    garbage = tmp_path / "garbage.pdf"
    garbage.write_bytes(b"%PDF-1.4\nnothing that follows\n")
    documents = [garbage, write_pdf("zero.pdf", []), write_pdf("good.pdf", ["text"]), write_pdf("flat.pdf", ["text"], [(9000, 3)])]
    collection = build(documents, tmp_path / "cache", settings)
    assert list(collection.captions) == ["good.pdf_p1"]
    with pytest.raises(UsageError) as refusal:
        collection.report.require_all_documents()
    assert [fault.split()[0] for fault in refusal.value.faults] == ["garbage.pdf", "zero.pdf", "flat.pdf"]
    assert "Success" not in str(refusal.value)


def test_a_single_bad_page_is_a_warning(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    document = write_pdf("a.pdf", ["one", "two", "three"], [(300, 200), (300, 90_000_000), (300, 200)])
    collection = build([document], tmp_path / "cache", settings)
    collection.report.require_all_documents()
    assert list(collection.captions) == ["a.pdf_p1", "a.pdf_p3"]
    assert len(collection.report.warnings) == 1
    assert "a.pdf: page 2" in collection.report.warnings[0]


def test_the_same_file_under_two_names_is_a_warning(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    documents = [write_pdf("a.pdf", ["text"]), write_pdf("b.pdf", ["text"])]
    assert "a.pdf and b.pdf" in build(documents, tmp_path / "cache", settings).report.warnings[0]


def test_every_missing_or_ambiguous_file_is_named_at_once(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    (tmp_path / "other").mkdir()
    document = write_pdf("a.pdf", ["text"])
    twin = tmp_path / "other" / "a.pdf"
    twin.write_bytes(document.read_bytes())
    with pytest.raises(UsageError) as refusal:
        build([document, tmp_path / "gone.pdf", twin, tmp_path / "line\nbreak.pdf"], tmp_path / "cache", settings)
    faults = refusal.value.faults
    assert len(faults) == 3
    assert "gone.pdf" in faults[0]
    assert "same name" in faults[1]
    with pytest.raises(UsageError):
        build([], tmp_path / "cache", settings)


def scan(path: Path, text: str) -> Path:
    """A PDF that holds a picture and no text."""
    image = Image.new("RGB", (600, 400), "white")
    ImageDraw.Draw(image).text((40, 40), text, fill="black", font_size=40)
    image.save(path)
    return path


def test_pages_without_text_are_read_by_ocr(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    read: list[bytes] = []

    def ocr(jpegs: list[bytes]) -> list[list[Line]]:
        read.extend(jpegs)
        return [[Line("read", 0.9, 0, 0, 1, 1), Line("by ocr", 0.9, 0, 1, 1, 2)] for _ in jpegs]

    eager = settings.model_copy(update={"captions": settings.captions.model_copy(update={"min_characters": 20})})
    documents = [scan(tmp_path / "scan.pdf", "scan"), write_pdf("text.pdf", ["a text layer of some length", "eighteen letters.."])]
    collection = build_collection(pdfs(documents), tmp_path / "cache", eager, ocr, silent)
    assert list(collection.captions.values()) == ["read by ocr", "a text layer of some length", "eighteen letters.."]
    assert (len(read), collection.captions_by_source["ocr"]) == (1, 1)
    for jpeg in read:
        (tmp_path / "read.jpg").write_bytes(jpeg)
        with Image.open(tmp_path / "read.jpg") as image:
            assert image.width * image.height <= eager.captions.ocr_pixels


def test_a_build_that_was_killed_goes_on_with_the_pages_that_are_missing(
    tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings
) -> None:
    documents = [write_pdf("long.pdf", [f"text {number}" for number in range(30)]), write_pdf("short.pdf", ["text"])]
    cache = tmp_path / "cache"

    def kill_in_the_middle(stage: str, done: int, total: int) -> None:
        if stage == "rendering pages" and done >= 8:
            os.killpg(0, signal.SIGKILL)

    def in_a_group_of_its_own() -> None:
        os.setpgid(0, 0)
        build_collection(pdfs(documents), cache, settings, no_ocr, kill_in_the_middle)

    process = multiprocessing.get_context("fork").Process(target=in_a_group_of_its_own)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert not list(cache.glob(f"collections/*/{CONTENTS}"))
    finished = {path: path.stat().st_mtime_ns for lines in cache.glob("pages/*/pages.jsonl") for path in noted_images(lines)}
    assert 7 <= len(finished) < 31
    long = max(cache.glob("pages/*/pages.jsonl"), key=lambda path: path.stat().st_size)
    long.write_bytes(long.read_bytes() + b'{"number": 12, "wi')
    (long.parent / "9.123.partial").write_bytes(b"half")

    collection = build_collection(pdfs(documents), cache, settings, no_ocr, silent)
    assert list(collection.captions.values()) == [*(f"text {number}" for number in range(30)), "text"]
    assert collection.work.made + collection.work.reused == 31
    assert collection.work.reused >= len(finished)
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    assert not list(cache.glob("**/*.partial"))
    assert not list(cache.glob("**/pages.jsonl"))


def noted_images(lines: Path) -> list[Path]:
    return [lines.parent / f"{json.loads(line)['number']}.jpg" for line in lines.read_text().splitlines() if line.endswith("}")]


def test_only_new_documents_are_rendered_and_collections_share_pages(
    tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings
) -> None:
    first, second = write_pdf("a.pdf", ["one", "two"]), write_pdf("b.pdf", ["three"])
    cache = tmp_path / "cache"
    assert build([first], cache, settings).work == Work(2, 0)
    both = build([first, second], cache, settings)
    assert both.work == Work(1, 2)
    renamed = build([first.rename(tmp_path / "c.pdf")], cache, settings)
    assert renamed.work == Work(0, 2)
    assert renamed.image_file("c.pdf_p2") == both.image_file("a.pdf_p2")
    assert build([second], cache, settings).captions == {"b.pdf_p1": "three"}


def test_a_document_that_vanished_from_the_store_is_rendered_again(
    tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings
) -> None:
    document = write_pdf("a.pdf", ["one", "two"])
    collection = build([document], tmp_path / "cache", settings)
    shutil.rmtree(collection.image_file("a.pdf_p1").parent)
    again = build([document], tmp_path / "cache", settings)
    assert (again.work, again.image("a.pdf_p1").mode) == (Work(2, 0), "RGB")


def test_page_images_keep_their_numbers_and_holes(tmp_path: Path, settings: CollectionSettings) -> None:
    files = [(number, tmp_path / f"slide_{number}_1024.jpg") for number in (2, 10)]
    for _, path in files:
        image = Image.new("RGB", (120, 90), "white")
        ImageDraw.Draw(image).rectangle((10, 10, 60, 60), fill="black")
        image.save(path)
    collection = build_collection([Document("deck", tmp_path, tuple(files))], tmp_path / "cache", settings, no_ocr, silent)
    assert list(collection.captions) == ["deck_p2", "deck_p10"]
    assert collection.image_file("deck_p10").read_bytes() == files[1][1].read_bytes()
    assert [trouble.kind for trouble in collection.report.troubles] == ["no text", "no text"]


def test_of_two_processes_one_builds(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    documents = [write_pdf(f"{number}.pdf", ["text"]) for number in range(3)]
    log = tmp_path / "log"

    def note(stage: str, done: int, total: int) -> None:
        with log.open("a") as file:
            file.write(f"{os.getpid()}\n")

    arguments = (pdfs(documents), tmp_path / "cache", settings, no_ocr, note)
    processes = [multiprocessing.get_context("fork").Process(target=build_collection, args=arguments) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert len(set(log.read_text().split())) == 1


def test_rendering_processes_that_are_ended_from_outside_cost_no_page(
    tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings
) -> None:
    documents = [write_pdf(f"{number}.pdf", [f"text {number}"]) for number in range(12)]

    def kill_children_once(stage: str, done: int, total: int) -> None:
        if stage == "rendering pages" and done == 3:
            for child in multiprocessing.active_children():
                child.kill()

    collection = build_collection(pdfs(documents), tmp_path / "cache", settings, no_ocr, kill_children_once)
    assert len(collection.pages) == 12
    assert collection.report.troubles == ()


def test_a_cache_that_cannot_be_written_is_an_infrastructure_error(
    tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings
) -> None:
    (tmp_path / "cache").write_text("a file where a folder is needed")
    with pytest.raises(InfrastructureError, match="cannot be written"):
        build([write_pdf("a.pdf", ["text"])], tmp_path / "cache", settings)


@pytest.mark.skipif(not (SHARED / "data/hard-pdfs").is_dir(), reason="the hard PDFs are not there")
def test_hard_pdfs_are_indexed_or_refused_by_name(tmp_path: Path, settings: CollectionSettings) -> None:
    folder = SHARED / "data/hard-pdfs"
    documents = sorted(folder.glob("*.pdf"))

    def ocr(jpegs: list[bytes]) -> list[list[Line]]:
        return [[Line("Phone", 0.9, 0, 0, 9, 1)] for _ in jpegs]

    collection = build_collection(pdfs(documents), tmp_path / "cache", settings, ocr, silent)
    facts = {entry["file"]: entry for entry in json.loads((folder / "MANIFEST.json").read_text())}
    refused = {path.name for path in documents if any(trouble.startswith(path.name) for trouble in collection.report.documents)}
    assert refused == {path.name for path in documents if "open_error" in facts.get(path.name, {}).get("pdfium_5_15_2", {})}
    assert {page.document for page in collection.pages} == {path.name for path in documents} - refused
    found = {(trouble.kind, trouble.document) for trouble in collection.report.troubles}
    assert ("blank", "no_contents.pdf") in found
    assert ("blank", "livecycle.pdf") in found
    assert ("useless text", "truetype_font_nomapping.pdf") in found
    assert collection.captions["truetype_font_nomapping.pdf_p1"] == "Phone"
    said = " ".join(collection.report.documents)
    assert "went through a text decoder" in said
    assert "cut off" in said
