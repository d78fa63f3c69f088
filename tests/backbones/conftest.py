from collections.abc import Callable
from pathlib import Path

import pytest
from support.pages import FORM, SETTINGS, draw
from support.tiny import tiny, tiny_cache

from taec.backbones.reader import Reader, build
from taec.backbones.reading.layout import Sheet
from taec.core.images import EncodedImage

__all__ = ["tiny", "tiny_cache"]


@pytest.fixture
def form() -> Sheet:
    return Sheet(FORM)


@pytest.fixture(scope="session")
def make_reader(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Reader]:
    """Readers that share one cache folder, so that a picture is recognised once in a test run."""
    cache: Path = tmp_path_factory.mktemp("ocr")
    return lambda: build(SETTINGS, cache)


@pytest.fixture(scope="session")
def record_page() -> EncodedImage:
    return draw(
        "Vessel Register QX77BZ312", "Vessel Name:\tAlbatross", "Engine Type:\tDiesel", "Home Port:", "Crew Number:\t17", "Owner:\tNorthsea"
    )


@pytest.fixture(scope="session")
def prose_page() -> EncodedImage:
    return draw("Harbour notes", "The lighthouse was built in 1887", "by engineer Maria Holt.", "It is 42 metres tall.")


@pytest.fixture(scope="session")
def blank_page() -> EncodedImage:
    return draw(size=(112, 140))
