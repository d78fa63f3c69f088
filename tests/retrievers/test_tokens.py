import multiprocessing
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from taec.core.errors import InfrastructureError
from taec.core.progress import untold
from taec.retrievers.embedders.base import Vectors
from taec.retrievers.tokens import ENDS, TOKENS, kept_tokens, open_tokens

PAGES = [f"ä.pdf_p{number}" for number in range(9)]


def rows(page_id: str) -> Vectors:
    """Page `p<n>` has n % 4 rows of n."""
    number = int(page_id.rpartition("_p")[2])
    return np.full((number % 4, 2), number, np.float32)


class Counting:
    def __init__(self, deadly: str = "") -> None:
        self.asked: list[str] = []
        self._deadly = deadly

    def __call__(self, page_ids: Sequence[str]) -> list[Vectors]:
        if page_ids[0].endswith(f"_p{self._deadly}"):
            os.kill(os.getpid(), signal.SIGKILL)
        self.asked += page_ids
        return [rows(page_id) for page_id in page_ids]


def _killed(folder: Path) -> None:
    kept_tokens(folder, PAGES, 2, 2, Counting(deadly="6"), untold)


def read(folder: Path) -> list[list[float]]:
    found = open_tokens(folder, PAGES, 2)
    assert found is not None
    return [row for chunk in found.chunks(5) for row in chunk.read().tolist()]


EXPECTED = [row for page_id in PAGES for row in rows(page_id).tolist()]


@pytest.mark.parametrize("torn", ["rows", "ends", "both"])
def test_a_killed_build_goes_on_where_it_was(tmp_path: Path, torn: str) -> None:
    folder = tmp_path / "index"
    process = multiprocessing.get_context("spawn").Process(target=_killed, args=(folder,))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert open_tokens(folder, PAGES, 2) is None
    if torn != "ends":
        with (folder / f"{TOKENS}.part").open("ab") as file:
            file.write(b"torn!")
    if torn != "rows":
        with (folder / f"{ENDS}.part").open("ab") as file:
            file.write(np.array([10**6], "<i8").tobytes() + b"torn")
    embed = Counting()
    kept_tokens(folder, PAGES, 2, 2, embed, untold)
    assert embed.asked == PAGES[6:]
    assert read(folder) == EXPECTED


def test_a_complete_index_is_opened_and_nothing_is_encoded(tmp_path: Path) -> None:
    kept_tokens(tmp_path, PAGES, 2, 4, Counting(), untold)
    encode = Counting()
    kept_tokens(tmp_path, PAGES, 2, 4, encode, untold)
    assert encode.asked == []


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_chunks_cover_every_page_once(tmp_path: Path, size: int) -> None:
    tokens = kept_tokens(tmp_path, PAGES, 2, 4, Counting(), untold)
    chunks = list(tokens.chunks(size))
    assert [place for chunk in chunks for place in range(chunk.first, chunk.first + len(chunk.starts) - 1)] == list(range(len(PAGES)))
    assert all(chunk.starts[-1] - chunk.starts[0] <= max(size, 3) for chunk in chunks)


@pytest.mark.parametrize("change", ["fewer pages", "other dimensions", "short rows", "short ends"])
def test_counts_have_to_agree(tmp_path: Path, change: str) -> None:
    kept_tokens(tmp_path, PAGES, 2, 4, Counting(), untold)
    if change.startswith("short"):
        file = tmp_path / (TOKENS if change == "short rows" else ENDS)
        file.write_bytes(file.read_bytes()[:-8])
    ids, dimensions = (PAGES[:8] if change == "fewer pages" else PAGES), (1 if change == "other dimensions" else 2)
    assert open_tokens(tmp_path, ids, dimensions) is None


def test_an_index_that_shrinks_under_a_search_is_an_error(tmp_path: Path) -> None:
    tokens = kept_tokens(tmp_path, PAGES, 2, 4, Counting(), untold)
    tokens.file.write_bytes(tokens.file.read_bytes()[:-4])
    with pytest.raises(InfrastructureError, match="became shorter"):
        [chunk.read() for chunk in tokens.chunks(5)]
