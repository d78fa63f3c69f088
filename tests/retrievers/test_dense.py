from collections.abc import Callable
from pathlib import Path

import pytest

from taec.core.errors import InfrastructureError
from taec.retrievers.base import Retriever

CAPTIONS = {"a.pdf_p1": "fuel pump", "a.pdf_p2": "annual revenue"}
Build = Callable[[str, dict[str, str]], Retriever]


async def test_the_index_is_kept_and_a_damaged_one_is_built_again(build: Build, tmp_path: Path) -> None:
    hits = await build("dense", CAPTIONS).search("pump", 2)
    (file,) = (tmp_path / "index").glob("dense-*/vectors.npy")
    kept, written = file.read_bytes(), file.stat().st_mtime_ns
    assert await build("dense", CAPTIONS).search("pump", 2) == hits
    assert file.stat().st_mtime_ns == written
    file.write_bytes(kept[:40])
    assert await build("dense", CAPTIONS).search("pump", 2) == hits
    assert file.read_bytes() == kept


def test_an_index_that_cannot_be_kept_is_an_infrastructure_error(build: Build, tmp_path: Path) -> None:
    (tmp_path / "index").write_text("a file where a folder is needed")
    with pytest.raises(InfrastructureError, match="cannot be written"):
        build("dense", CAPTIONS)


async def test_scores_are_cosines(build: Build) -> None:
    hits = await build("dense", CAPTIONS).search("fuel pump", 2)
    assert hits[0].score == pytest.approx(1, abs=1e-5)
    assert -1 <= hits[1].score < 0.9
