from pathlib import Path

import pytest

from taec.backbones import ocr
from taec.backbones.ocr import Line, Ocr, OcrCache
from taec.core.images import EncodedImage

LINES = [Line("Umlaut äöü 数", 0.9876, 1.0, 2.5, 30.0, 12.0), Line("", 0.1, 0.0, 0.0, 1.0, 1.0)]


def test_cache_returns_what_was_put(tmp_path: Path) -> None:
    cache = OcrCache(tmp_path / "deep" / "ocr.sqlite")
    assert cache.get("key") is None
    cache.put("key", LINES)
    cache.put("none", [])
    assert cache.get("key") == LINES
    assert cache.get("none") == []


def test_cache_outlives_its_connection(tmp_path: Path) -> None:
    OcrCache(tmp_path / "ocr.sqlite").put("key", LINES)
    assert OcrCache(tmp_path / "ocr.sqlite").get("key") == LINES


def test_two_connections_share_one_file(tmp_path: Path) -> None:
    one, other = OcrCache(tmp_path / "ocr.sqlite"), OcrCache(tmp_path / "ocr.sqlite")
    one.put("a", LINES)
    other.put("b", [])
    assert (one.get("b"), other.get("a")) == ([], LINES)


def test_picture_is_read_and_then_known(tmp_path: Path, prose_page: EncodedImage) -> None:
    path = tmp_path / "ocr.sqlite"
    lines = Ocr(OcrCache(path), workers=1).read(prose_page.jpeg)
    assert "lighthouse" in " ".join(line.text for line in lines)
    assert all(0 <= line.left < line.right <= prose_page.width and 0 < line.score <= 1 for line in lines)
    again = Ocr(OcrCache(path), workers=2)
    assert again.read_all([prose_page.jpeg, prose_page.jpeg]) == [lines, lines]
    assert not hasattr(again._engines, "engine")


def test_engine_is_part_of_the_key(tmp_path: Path, prose_page: EncodedImage, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = OcrCache(tmp_path / "ocr.sqlite")
    Ocr(cache, workers=1).read(prose_page.jpeg)
    monkeypatch.setattr(ocr, "ENGINE", "another engine")
    monkeypatch.setattr(Ocr, "_recognise", lambda self, jpeg: LINES)
    assert Ocr(cache, workers=1).read(prose_page.jpeg) == LINES


def test_blank_picture_has_no_lines(tmp_path: Path, blank_page: EncodedImage) -> None:
    assert Ocr(OcrCache(tmp_path / "ocr.sqlite"), workers=1).read(blank_page.jpeg) == []
