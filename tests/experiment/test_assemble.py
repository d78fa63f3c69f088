"""From a configuration to parts: what is passed on, and what is found out on the way."""

from pathlib import Path

import pytest
from support.pdf import text_pdf
from support.tiny import FILLER, Tiny

from taec.core.errors import InfrastructureError
from taec.core.images import ImageRef
from taec.experiment.assemble import assemble
from taec.experiment.locations import cache_folder, shipped


def quiet(name: str, done: int, total: int) -> None:
    pass


def test_budgets_reach_sessions_and_the_encoder(tiny: Tiny) -> None:
    services = assemble(tiny.config("budget.pages=3", "budget.model_calls=7", "budget.image.grid=56"), quiet).services
    assert (services.budgets.pages, services.budgets.model_calls, services.budgets.memory_pixels) == (3, 7, 600_000)
    sent = services.encoder.encode(ImageRef("tiny.pdf_p1", 100_000))
    assert sent.width % 56 == sent.height % 56 == 0


def test_stages_are_told(tiny: Tiny, tmp_path: Path) -> None:
    (tmp_path / "tiny.pdf").write_bytes(text_pdf([FILLER]))
    told: list[tuple[str, int, int]] = []
    assemble(tiny.config(f"benchmark.folder={tmp_path}"), lambda *stage: told.append(stage))
    assert told == [
        ("opening documents", 1, 1),
        ("rendering pages", 0, 1),
        ("rendering pages", 1, 1),
        ("indexing", 0, 1),
        ("indexing", 1, 1),
    ]


def test_gold_pages_that_the_collection_lacks_are_told(tiny: Tiny, tmp_path: Path) -> None:
    (tmp_path / "tiny.pdf").write_bytes(text_pdf([FILLER]))
    warnings = assemble(tiny.config(f"benchmark.folder={tmp_path}"), quiet).warnings
    assert warnings == ("2 gold pages are not in the collection, the first is tiny.pdf_p2",)
    assert assemble(tiny.config(), quiet).warnings == ()


def test_a_damaged_cache_is_one_clear_error(tiny: Tiny, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache/collections").touch()
    with pytest.raises(InfrastructureError, match="cannot be written"):
        assemble(tiny.config(f"cache.folder={tmp_path / 'cache'}"), quiet)


def test_folders(tmp_path: Path) -> None:
    assert (shipped("conf") / "config.yaml").is_file()
    assert cache_folder(tmp_path / "x" / ".." / "y") == tmp_path / "y"
    assert cache_folder(None).name == "taec"
    assert cache_folder(None).is_absolute()
