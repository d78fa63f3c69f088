from PIL import Image

from taec.backbones.ocr import Line
from taec.collections.reading import Reading, opened, read_page
from taec.collections.render import jpeg


def wide(text: str, score: float) -> list[Line]:
    return [Line(text, score, 0, 10 * at, 90, 10 * at + 8) for at in range(4)]


def tall(text: str, score: float) -> list[Line]:
    return [Line(text, score, 10 * at, 0, 10 * at + 8, 90) for at in range(4)]


def marked(turn: int) -> Image.Image:
    """A page whose dark corner says how it lies."""
    image = Image.new("RGB", (280, 420), "white")
    image.paste("black", (0, 0, 100, 100))
    return image.rotate(turn, expand=True)


def recogniser(jpegs: list[bytes]) -> list[list[Line]]:
    """Reads pages whose dark corner is at the top left, and garbage on others."""
    found = []
    for each in jpegs:
        image = opened(each)
        dark = [sum(image.getpixel(at)) < 100 for at in ((9, 9), (image.width - 9, 9), (image.width - 9, image.height - 9))]  # type: ignore[arg-type]
        upright = image.height > image.width
        found.append(wide("legible words", 0.99) if dark[0] else wide("l1 gbl", 0.5) if upright else tall("w rds", 0.9))
    return found


def test_pages_are_turned_until_they_can_be_read() -> None:
    upside_down, on_its_side, upright = (read_page(marked(turn), 100_000, 92, recogniser) for turn in (180, 90, 0))
    words = " ".join(["legible words"] * 4)
    assert upright == Reading(words, 0)
    assert on_its_side == Reading(words, 270)
    assert upside_down == Reading(words, 180)


def test_what_can_be_read_in_no_direction_stays() -> None:
    assert read_page(marked(0), 100_000, 92, lambda jpegs: [wide("?", 0.3) for _ in jpegs]) == Reading("? ? ? ?", 0)
    assert read_page(marked(0), 100_000, 92, lambda jpegs: [[] for _ in jpegs]) == Reading("", 0)


def test_the_stored_form_is_what_is_read() -> None:
    assert opened(jpeg(marked(0), 92)).size == (280, 420)
