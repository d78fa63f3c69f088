from collections.abc import Callable
from pathlib import Path

import pytest

from taec.collections.build import build_collection
from taec.collections.settings import CollectionSettings
from taec.collections.store import CAPTIONS, CONTENTS, Collection
from taec.core.errors import InfrastructureError
from taec.documents.base import Document


@pytest.fixture
def collection(tmp_path: Path, write_pdf: Callable[..., Path], settings: CollectionSettings) -> Collection:
    documents = [write_pdf("a.pdf", ["one", "two words"]), write_pdf("b.pdf", ["x" * 30])]
    return build_collection([Document(path.name, path) for path in documents], tmp_path / "cache", settings, lambda _: [], lambda *_: None)


def test_pages_come_in_order_with_their_captions(collection: Collection) -> None:
    assert [page.id for page in collection.pages] == ["a.pdf_p1", "a.pdf_p2", "b.pdf_p1"] == list(collection.captions)
    assert collection.page("a.pdf_p2").caption == collection.captions["a.pdf_p2"] == "two words"
    assert collection.caption_length_p95 == 30


def test_an_image_is_the_stored_size_in_rgb_and_new_at_each_call(collection: Collection) -> None:
    page = collection.page("a.pdf_p1")
    image = collection.image(page.id)
    assert (image.mode, image.size) == ("RGB", (page.width, page.height))
    image.paste((0, 0, 0), (0, 0, *image.size))
    assert collection.image(page.id).getextrema() != image.getextrema()


@pytest.mark.parametrize("unknown", ["a.pdf_p3", "a.pdf", ""])
def test_an_unknown_page_is_a_key_error(collection: Collection, unknown: str) -> None:
    with pytest.raises(KeyError):
        collection.page(unknown)
    with pytest.raises(KeyError):
        collection.image(unknown)


def test_the_corpus_carries_captions_and_their_hash(collection: Collection, tmp_path: Path) -> None:
    corpus = collection.corpus(tmp_path / "index")
    assert (corpus.captions, corpus.folder) == (collection.captions, tmp_path / "index")
    assert corpus.captions_sha256 == collection.captions_sha256


def test_a_changed_captions_file_is_found(collection: Collection) -> None:
    with (collection.folder / CAPTIONS).open("a") as file:
        file.write("\n")
    with pytest.raises(InfrastructureError, match="Delete that folder"):
        Collection(collection.folder)


def test_a_damaged_list_of_contents_is_found(collection: Collection) -> None:
    (collection.folder / CONTENTS).write_text("{")
    with pytest.raises(InfrastructureError, match="Delete that folder"):
        Collection(collection.folder)


def test_a_lost_or_damaged_image_is_found(collection: Collection) -> None:
    lost, damaged = collection.image_file("a.pdf_p1"), collection.image_file("a.pdf_p2")
    lost.unlink()
    damaged.write_bytes(damaged.read_bytes()[:200])
    for page in ("a.pdf_p1", "a.pdf_p2"):
        with pytest.raises(InfrastructureError, match="Delete the folder"):
            collection.image(page)
