"""Small pages for the reader: OCR lines by hand for the rules, pictures drawn by Pillow for the whole of it."""

from PIL import Image, ImageDraw, ImageFont

from taec.backbones.ocr import Line
from taec.backbones.reader import Settings
from taec.core.images import EncodedImage, ImageRules, encode

SETTINGS = Settings(
    name="reader",
    ocr_workers=1,
    max_searches=4,
    answer_confidence=0.6,
    guess_confidence=0.33,
    label_match=0.6,
    anchor_match=0.8,
    prose_gain=2.5,
)

CHARACTER = 6.0
"""Width of a character of a fixture line in pixels; a line is 10 pixels high."""


def line(text: str, left: float, top: float, score: float = 0.99, height: float = 10.0) -> Line:
    return Line(text, score, left, top, left + CHARACTER * len(text) * height / 10, top + height)


def paragraph(*texts: str, left: float = 40, top: float = 40) -> list[Line]:
    return [line(text, left, top + 12 * row) for row, text in enumerate(texts)]


FORM = [
    line("Survey Vessel Register", 120, 20, height=16),
    line("Vessel Name:", 40, 60),
    line("Albatross", 140, 60),
    line("Hull Number:", 260, 60),
    line("QX77BZ312", 360, 60),
    line("Engine Type:", 40, 75),
    line("Diesel, twin", 140, 75),
    line("Gross Wt.:", 260, 75),
    line("840 t", 360, 75),
    line("Home Port:", 40, 90),
    line("Crew Capacity:", 260, 90),
    line("17", 360, 90),
    line("Launched:", 40, 105),
    line("03/14/1998", 140, 105),
    line("Owner", 260, 105),
    line("Northsea Survey", 360, 105),
    line("Association", 360, 115),
]
"""A form in two columns: `Home Port` is blank, `Owner` has lost its colon, its value goes on in a second line."""


def draw(*texts: str, size: tuple[int, int] = (448, 280)) -> EncodedImage:
    """A white page with one line of text under the other; a tab starts the second column."""
    image = Image.new("RGB", size, "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(size=15)
    for row, text in enumerate(texts):
        for column, cell in enumerate(text.split("\t")):
            pen.text((20 + 190 * column, 16 + 27 * row), cell, fill="black", font=font)
    return encode(image, size[0] * size[1], ImageRules(quality=90, max_bytes=100_000, grid=28))
