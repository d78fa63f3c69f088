import json
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
from taec.retrievers.vectors import COMPLETE, IDS, PARTIAL, kept_vectors, open_vectors

IDS_OF_TEN = [f"näme, with a comma.pdf_p{number}" for number in range(10)]


class Counting:
    """Embeds page `p<n>` as a row of n, and remembers what it was asked for; killed before the batch that begins with `deadly`."""

    def __init__(self, deadly: str = "") -> None:
        self.asked: list[str] = []
        self._deadly = deadly

    def __call__(self, page_ids: Sequence[str]) -> Vectors:
        if page_ids[0].endswith(f"_p{self._deadly}"):
            os.kill(os.getpid(), signal.SIGKILL)
        self.asked += page_ids
        return np.array([[float(page_id.rpartition("_p")[2])] * 3 for page_id in page_ids], np.float32)


def _killed(folder: Path) -> None:
    kept_vectors(folder, IDS_OF_TEN, 3, 2, Counting(deadly="6"), untold)


def test_a_killed_build_goes_on_where_it_was(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_killed, args=(tmp_path / "index",))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert open_vectors(tmp_path / "index", IDS_OF_TEN, 3) is None
    with (tmp_path / "index" / PARTIAL).open("ab") as file:
        file.write(b"torn")
    embed, told = Counting(), []
    vectors = kept_vectors(tmp_path / "index", IDS_OF_TEN, 3, 3, embed, lambda *seen: told.append(seen))
    assert embed.asked == IDS_OF_TEN[6:]
    assert vectors.tolist() == [[n] * 3 for n in range(10)]
    assert [seen[1:] for seen in told] == [(6, 10), (9, 10), (10, 10)]
    assert not (tmp_path / "index" / PARTIAL).exists()


def test_a_complete_index_is_mapped_read_only_and_nothing_is_embedded(tmp_path: Path) -> None:
    kept_vectors(tmp_path, IDS_OF_TEN, 3, 4, Counting(), untold)
    embed = Counting()
    vectors = kept_vectors(tmp_path, IDS_OF_TEN, 3, 4, embed, untold)
    assert embed.asked == []
    assert isinstance(vectors.base, np.memmap)
    assert not vectors.flags.writeable


@pytest.mark.parametrize("change", ["fewer pages", "other order", "other dimensions", "short file", "no ids", "ids of fewer"])
def test_counts_and_ids_have_to_agree(tmp_path: Path, change: str) -> None:
    kept_vectors(tmp_path, IDS_OF_TEN, 3, 4, Counting(), untold)
    ids, dimensions = IDS_OF_TEN, 3
    match change:
        case "fewer pages":
            ids = IDS_OF_TEN[:9]
        case "other order":
            ids = IDS_OF_TEN[::-1]
        case "other dimensions":
            dimensions = 2
        case "short file":
            (tmp_path / COMPLETE).write_bytes((tmp_path / COMPLETE).read_bytes()[:-5])
        case "no ids":
            (tmp_path / IDS).unlink()
        case _:
            (tmp_path / IDS).write_text(json.dumps(IDS_OF_TEN[:9]))
    assert open_vectors(tmp_path, ids, dimensions) is None


def test_what_an_embedder_gives_is_checked_and_what_was_right_stays(tmp_path: Path) -> None:
    def short(page_ids: Sequence[str]) -> Vectors:
        return Counting()(page_ids)[:, : 2 if page_ids[0].endswith("_p4") else 3]

    with pytest.raises(InfrastructureError, match=r"shape \(4, 2\), not 3 dimensions"):
        kept_vectors(tmp_path, IDS_OF_TEN, 3, 4, short, untold)
    embed = Counting()
    kept_vectors(tmp_path, IDS_OF_TEN, 3, 4, embed, untold)
    assert embed.asked == IDS_OF_TEN[4:]


def test_another_partial_file_is_begun_anew(tmp_path: Path) -> None:
    kept_vectors(tmp_path, IDS_OF_TEN, 3, 4, Counting(), untold)
    (tmp_path / COMPLETE).rename(tmp_path / PARTIAL)
    embed = Counting()
    assert kept_vectors(tmp_path, IDS_OF_TEN[1:], 3, 4, embed, untold).tolist() == [[n] * 3 for n in range(1, 10)]
    assert embed.asked == IDS_OF_TEN[1:]
