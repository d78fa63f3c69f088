"""Captions from text layers: one plain text a page, and whether a text layer is text at all."""

import re
import unicodedata
from collections.abc import Sequence

_BROKEN_WORD = re.compile(r"(\w*)\x02\s*(\w*)")
_WORD = re.compile(r"\w+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_LEADERS = re.compile(r"([^\w\s])(?:\s*\1){2,}")
_LATIN = re.compile(r"[A-Za-z]{4,}")
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)

NO_CHARACTERS = 0.1
"""Share of characters without a meaning (control, private use, unassigned, U+FFFD) from which a text layer is none. Ours, measured on
2,960 pages of sample, MMLongBench-Doc and the federal reports: .008 at most."""
LETTERS = 0.5
"""Share of letters and digits, dot leaders aside, below which it is none. Ours, on the same pages: .69 at least."""
WITHOUT_VOWEL = 0.4
"""Share of Latin words of four letters or more without a vowel from which the letters stand for others. Ours, on the same pages: .14 at
most; a shifted alphabet has .5 and more."""
ENOUGH_WORDS = 20
"""Such words that a page needs for that to say anything (ours)."""


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
    plain = "".join(character for character in unicodedata.normalize("NFD", text) if unicodedata.category(character) != "Mn")
    words = _LATIN.findall(plain)
    return len(words) >= ENOUGH_WORDS and sum(not _VOWEL.search(word) for word in words) > WITHOUT_VOWEL * len(words)
