"""Captions from text layers: one plain text a page, and whether a text layer is text at all."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from string import ascii_lowercase

BROKEN = "\x02"
_BROKEN_WORD = re.compile(r"(\w*+)\x02\s*(\w*)")
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
    words = _words(texts) if any(BROKEN in text for text in texts) else frozenset()

    def joined(broken: re.Match[str]) -> str:
        whole = broken[1] + broken[2]
        return whole if whole.casefold() in words else f"{broken[1]}-{broken[2]}"

    return [" ".join(_CONTROL.sub("", _BROKEN_WORD.sub(joined, text) if BROKEN in text else text).split()) for text in texts]


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word.casefold() for word in {word for text in texts for word in _WORD.findall(text)})


def is_useless(text: str) -> bool:
    """Whether a text layer holds characters that are no text, as of fonts without a table of what their glyphs mean."""
    # counted first: a page has thousands of characters and some eighty different ones
    characters = Counter(_LEADERS.sub("", "".join(text.replace(BROKEN, "").split())))
    total = characters.total()
    kinds: Counter[str] = Counter()
    for character, count in characters.items():
        kinds[unicodedata.category(character)] += count
    meaningless = sum(kinds[kind] for kind in ("Cc", "Co", "Cn", "Cs")) + characters["\ufffd"]
    if meaningless > NO_CHARACTERS * total:
        return True
    if sum(count for kind, count in kinds.items() if kind[0] in "LNM") < LETTERS * total:
        return True
    plain: Counter[str] = Counter()
    for character, count in characters.items():
        for part in unicodedata.normalize("NFD", character.casefold()):
            plain[part] += count
    latin = sum(plain[letter] for letter in ascii_lowercase)
    others = sum(count for kind, count in kinds.items() if kind[0] == "L") - latin
    return latin >= max(ENOUGH_LETTERS, others) and sum(plain[vowel] for vowel in "aeiou") < VOWELS * latin
