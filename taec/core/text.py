"""What admission, cues and text retrievers share about text: scripts, tokens, sentences and the form in which captions are compared."""

import re
from functools import lru_cache

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
"""Inside of a character class: Han, kana and Hangul, scripts whose words are not set apart by spaces (or not only)."""

TOKEN = re.compile(rf"[{CJK}]|\d+(?:[.,]\d+)*|[^\W\d_{CJK}]+")
"""One CJK character, one number with its points and commas, or one word (paper, A.3: "CJK characters plus Latin words and numbers")."""

_CJK = re.compile(f"[{CJK}]")
_GAP_IN_CJK = re.compile(rf"(?<=[{CJK}])\s+(?=[{CJK}])")
_STOP = re.compile(r"[。！？]+[”’」』）]*\s*|[.!?]+[\"'”’)\]]*(?=\s|$)\s*|\s*\n\s*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'])(?:(?:[^\W\d_]\.)*[^\W\d_]|figs?|tabs?|eqs?|secs?|vols?|pp|vs|dr|mrs?|ms|prof|st|inc|ltd|co|corp|dept|approx|"
    r"est|jr|sr|etc|cf|al|jan|feb|mar|apr|aug|sept?|oct|nov|dec)\.$",
    re.IGNORECASE,
)
_NUMBER_SIGN = re.compile(r"(?:^|[\s(])nos?\.$", re.IGNORECASE)


def is_cjk(character: str) -> bool:
    """Whether one character belongs to a script of `CJK`."""
    return _CJK.match(character) is not None


@lru_cache(maxsize=2048)
def folded(text: str) -> str:
    """`text` case-folded, white space runs as one space and none between CJK characters, since text layers break lines anywhere."""
    return _GAP_IN_CJK.sub("", " ".join(text.casefold().split()))


def sentences(text: str) -> list[str]:
    """The sentences of `text`, stripped, in order; a line end is a sentence end.

    A full stop ends a sentence only before white space and then neither before a small letter nor after an abbreviation or
    initial ("U.S.", "Fig."); "No." holds only before a digit. In doubt a sentence stays long, which loses nothing.
    """
    found, start = [], 0
    for stop in _STOP.finditer(text):
        if stop.end() < len(text) and _goes_on(text[start : stop.end()].rstrip(), text[stop.end()], stop.group()):
            continue
        found.append(text[start : stop.end()].strip())
        start = stop.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def _goes_on(before: str, following: str, stop: str) -> bool:
    """Whether the stop at the end of `before` is inside a sentence that `following` continues."""
    if stop.strip() != ".":
        return False
    if "\n" in stop:
        return False
    return following.islower() or bool(_ABBREVIATION.search(before)) or (following.isdigit() and bool(_NUMBER_SIGN.search(before)))
