from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from PIL import Image

from taec.backbones.ocr import Line
from taec.collections.captioning import Captioning
from taec.collections.kept import KeptCaptions
from taec.collections.pages import Opened, StoredImage
from taec.collections.rendered import RenderedDocument, image_name
from taec.collections.settings import CollectionSettings
from taec.core.progress import untold

SECONDS = 30
"""The longest that a test waits for another thread."""


@pytest.fixture
def eager(settings: CollectionSettings) -> CollectionSettings:
    """Pages without text are read."""
    return settings.model_copy(update={"captions": settings.captions.model_copy(update={"min_characters": 20})})


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptCaptions]:
    captions = KeptCaptions(tmp_path / "captions.sqlite")
    yield captions
    captions.close()


def scanned(folder: Path, pages: int) -> RenderedDocument:
    """A document of pictures."""
    folder.mkdir()
    for number in range(1, pages + 1):
        Image.new("RGB", (90, 60), "gray").save(folder / image_name(number))
    stored = (StoredImage(number, 90, 60, f"{folder.name} {number}", 1) for number in range(1, pages + 1))
    return RenderedDocument(Opened(pages, (), False), tuple(stored), ())


def read(jpegs: list[bytes]) -> list[list[Line]]:
    return [[Line("read", 0.9, 0, 0, 1, 1)] for _ in jpegs]


def test_a_document_is_read_while_the_next_is_not_there_yet(tmp_path: Path, eager: CollectionSettings, kept: KeptCaptions) -> None:
    was_read = Event()

    def reader(jpegs: list[bytes]) -> list[list[Line]]:
        was_read.set()
        return read(jpegs)

    with Captioning(eager, kept, reader, untold) as captioning:
        captioning.add(tmp_path / "a", scanned(tmp_path / "a", 1))
        assert was_read.wait(SECONDS)
        captioning.add(tmp_path / "b", scanned(tmp_path / "b", 2))
        found = captioning.finished()
    assert {folder.name: [(page.caption, page.source) for page in pages] for folder, pages in found.items()} == {
        "a": [("read", "ocr")],
        "b": [("read", "ocr")] * 2,
    }


def test_what_is_known_is_not_read_again(tmp_path: Path, eager: CollectionSettings, kept: KeptCaptions) -> None:
    document, told = scanned(tmp_path / "a", 2), []
    for _ in range(2):
        with Captioning(eager, kept, read, lambda *stage: told.append(stage)) as captioning:
            captioning.add(tmp_path / "a", document)
            assert [page.caption for page in captioning.finished()[tmp_path / "a"]] == ["read", "read"]
    assert told == [("reading pages without text", done, 2) for done in range(3)]


def test_what_the_reader_raises_ends_it(tmp_path: Path, eager: CollectionSettings, kept: KeptCaptions) -> None:
    def reader(jpegs: list[bytes]) -> list[list[Line]]:
        raise MemoryError("no engine")

    with Captioning(eager, kept, reader, untold) as captioning:
        captioning.add(tmp_path / "a", scanned(tmp_path / "a", 40))
        with pytest.raises(MemoryError, match="no engine"):
            captioning.finished()
