"""Captions from text layers: one plain text a page, and whether a text layer is text at all."""

import re
import unicodedata
from collections.abc import Sequence

_BROKEN_WORD = re.compile(r"(\w*)\x02\s*(\w*)")
_WORD = re.compile(r"\w+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_LEADERS = re.compile(r"([^\w\s])(?:\s*\1){2,}")

NO_CHARACTERS = 0.1
"""Share of characters without a meaning (control, private use, unassigned, U+FFFD) from which a text layer is none. Ours, measured on
2,960 pages of sample, MMLongBench-Doc and the federal reports: .008 at most."""
LETTERS = 0.5
"""Share of letters and digits, dot leaders aside, below which it is none. Ours, on the same pages: .69 at least."""
VOWELS = 0.25
"""Share of vowels among Latin letters below which the letters stand for others. Ours, on those of the pages with 200 letters and more:
.31 at least; of 25 shifted alphabets 22 lie below (medians .08 to .23)."""
ENOUGH_LETTERS = 200
"""Latin letters that a page needs for that to say anything (ours)."""


def from_text_layers(texts: Sequence[str]) -> list[str]:
    """A caption for each text layer of one document: broken words joined, control characters dropped, white space made single.

    pdfium writes a hyphen at the end of a line as U+0002. The two parts are one word where the document has that word
    elsewhere ("requir-ing"), otherwise they keep the hyphen ("Government-wide").
    """
    words = {word.casefold() for text in texts for word in _WORD.findall(text)}

    def joined(broken: re.Match[str]) -> str:
        whole = broken[1] + broken[2]
        return whole if whole.casefold() in words else f"{broken[1]}-{broken[2]}"

    return [" ".join(_CONTROL.sub("", _BROKEN_WORD.sub(joined, text)).split()) for text in texts]


def is_useless(text: str) -> bool:
    """Whether a text layer holds characters that are no text, as of fonts without a table of what their glyphs mean."""
    characters = [character for character in _LEADERS.sub("", text.replace("\x02", "")) if not character.isspace()]
    if not characters:
        return False
    kinds = [unicodedata.category(character) for character in characters]
    meaningless = sum(kind in ("Cc", "Co", "Cn", "Cs") for kind in kinds) + characters.count("\ufffd")
    if meaningless > NO_CHARACTERS * len(characters):
        return True
    if sum(kind[0] in "LNM" for kind in kinds) < LETTERS * len(characters):
        return True
    plain = unicodedata.normalize("NFD", text.casefold())
    latin = [character for character in plain if "a" <= character <= "z"]
    others = sum(kind[0] == "L" for kind in kinds) - len(latin)
    return len(latin) >= max(ENOUGH_LETTERS, others) and sum(letter in "aeiou" for letter in latin) < VOWELS * len(latin)
