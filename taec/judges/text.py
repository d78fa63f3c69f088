"""One canonical spelling for questions, references and answers, so that case, width, quotes and white space never decide."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from taec.judges.words import ARTICLES, ONES, TEENS, TENS

LETTER = "a-z\u00df-\u024f\u0370-\u04ff"
"""Letters of scripts that put spaces between words."""

DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+"
SIGN = r"(?:(?<![^\s(\[/:=~,])-(?=[$€£¥]?\.?\d))?"
"""A minus sign stands at the beginning of a number that follows white space, a comma or an opening: elsewhere a dash is a dash."""

_TOKEN = re.compile(
    rf"(?P<parted>\d+(?:[.:]\d+){{2,}}|\d+:\d+)"  # 6.4.5, 14:04
    rf"|(?P<number>{SIGN}(?<![{LETTER}\d])(?:{DIGITS})(?![{LETTER}\d]))"
    rf"|(?P<mixed>[{LETTER}\d]*\d[{LETTER}\d]*)"
    rf"|(?P<word>[{LETTER}]+[+#]*)"
    r"|(?P<sign>[%$€£¥])"
    r"|(?P<other>[^\W_])"  # one token a character in scripts without spaces
)
_THIN_SPACE = re.compile("(?<=\\d)[\u00a0\u2009\u202f](?=\\d{3}(?!\\d))")
_ALIKE = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "、": ",", "。": ". "})
_SPELLINGS = [
    (re.compile(r"\bcan(?:not|'t)\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"&"), " and "),
    (re.compile(r"\bper ?cent\b"), "%"),
    (re.compile(r"[^\S\n]+"), " "),
    (re.compile(r" ?\n[\n ]*"), "\n"),
]
_LEAD_IN = re.compile(r"^(?:the )?(?:final |short |correct )?answer(?: is\b:?| ?:)\s*(?=\S)|^答案(?:是|为|:)\s*(?=\S)")
_NUMBER_WORDS = {word: str(value) for word, value in {**ONES, **TEENS, **TENS}.items()}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign with its place in the canonical text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Text:
    """A text in canonical spelling, read once."""

    canonical: str

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Words, numbers (`14,611` is `14611`, `seven` is `7`), signs and single CJK characters; punctuation and `the` are left out.

        An `a` is left out at the beginning of a text only: elsewhere it may be a name (`Group A`, `N/A`).
        """
        found = [Token(_spelled(match), match.start(), match.end()) for match in _TOKEN.finditer(self.canonical)]
        opening = 1 if found and found[0].text in ARTICLES and self.canonical[found[0].end : found[0].end + 1].isspace() else 0
        return tuple(token for token in found[opening:] if token.text != "the") or tuple(found)

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.tokens)

    @cached_property
    def key(self) -> str:
        """Equal for texts that say the same up to case, punctuation, leading articles and spaces. Two numbers never melt into one."""
        if not self.words:
            return self.canonical
        parts = [self.words[0]]
        for before, word in zip(self.words, self.words[1:], strict=False):
            parts.append(f" {word}" if before[-1].isdigit() and word[0].isdigit() else word)
        return "".join(parts)

    def find(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Token ranges `[first, last)` where `words` stand side by side."""
        size = len(words)
        if not size:
            return []
        return [(at, at + size) for at in range(len(self.words) - size + 1) if self.words[at : at + size] == tuple(words)]


@lru_cache(maxsize=4096)
def read(raw: str) -> Text:
    """The text in canonical spelling, without a lead-in such as `The answer is`."""
    text = unicodedata.normalize("NFKC", _THIN_SPACE.sub("", raw))
    text = unicodedata.normalize("NFKC", text.casefold()).translate(_ALIKE)
    for pattern, spelling in _SPELLINGS:
        text = pattern.sub(spelling, text)
    return Text(_LEAD_IN.sub("", text.strip()))


def _spelled(match: re.Match[str]) -> str:
    text = match.group()
    if match.lastgroup == "number":
        plain = text.replace(",", "")
        return plain.replace(".", "0.", 1) if plain.lstrip("-").startswith(".") else plain
    return _NUMBER_WORDS.get(text, text)
