from pathlib import Path

import pytest
from PIL import Image

from taec.collections.pages import Refusal, RenderRules
from taec.collections.pictures import picture
from taec.collections.reading import opened

RULES = RenderRules(pixels=10_000, quality=92, memory=100_000_000, seconds=60.0)


def save(path: Path, image: Image.Image, **options: object) -> Path:
    image.save(path, **options)  # type: ignore[arg-type]
    return path


def test_a_jpeg_that_fits_is_kept_byte_for_byte(tmp_path: Path) -> None:
    path = save(tmp_path / "a.jpg", Image.new("RGB", (90, 60), "red"))
    assert picture(path, RULES).jpeg == path.read_bytes()


@pytest.mark.parametrize(
    ("mode", "suffix"), [("RGB", "jpg"), ("RGBA", "png"), ("L", "png"), ("1", "tif"), ("P", "gif"), ("CMYK", "jpg"), ("I;16", "png")]
)
def test_images_of_every_kind_become_pages_of_the_stored_size(tmp_path: Path, mode: str, suffix: str) -> None:
    found = picture(save(tmp_path / f"a.{suffix}", Image.new(mode, (600, 300))), RULES)
    page = opened(found.jpeg)
    assert page.size == (found.width, found.height) == (141, 71)


def test_transparent_is_white_and_orientation_is_kept_to(tmp_path: Path) -> None:
    clear = picture(save(tmp_path / "a.png", Image.new("RGBA", (50, 50), (0, 0, 0, 0))), RULES)
    assert (opened(clear.jpeg).getpixel((9, 9)), clear.blank) == ((255, 255, 255), True)
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = picture(save(tmp_path / "b.jpg", Image.new("RGB", (80, 40), "red"), exif=exif), RULES)
    assert (turned.width, turned.height) == (40, 80)


def test_sizes_are_looked_at_before_anything_is_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)  # as in a rendering process
    path = save(tmp_path / "bomb.png", Image.new("1", (20_000, 20_000)))
    with pytest.raises(Refusal, match="20,000 x 20,000") as refusal:
        picture(path, RULES)
    assert refusal.value.kind == "limit"
    with pytest.raises(Refusal, match="9,000 x 2 pixels"):
        picture(save(tmp_path / "line.png", Image.new("L", (9_000, 2))), RULES)


def test_damaged_images_are_refused_by_name(tmp_path: Path) -> None:
    path = save(tmp_path / "cut.png", Image.effect_noise((80, 80), 50))
    path.write_bytes(path.read_bytes()[:500])
    for name, content in (("cut.png", path.read_bytes()), ("none.png", b"text"), ("empty.jpg", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(Refusal, match=name):
            picture(tmp_path / name, RULES)


def test_further_pictures_of_a_file_are_told(tmp_path: Path) -> None:
    path = save(tmp_path / "a.tif", Image.new("RGB", (50, 50)), save_all=True, append_images=[Image.new("RGB", (50, 50))])
    assert "first of 2" in picture(path, RULES).note
