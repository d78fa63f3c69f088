"""A question's own content words as requirements (specification, section 3, variant `keywords`)."""

import re
from collections.abc import Iterator

from taec.core.text import CJK, folded

_FUNCTION_WORDS = """
a about above according across after against all also although among an and any are as at be because been before being below between
both but by can could did do does down during each either else every for from further had has have having he her here him his how i if
in into is it its itself just many may me might more most much must my neither no nor not of off on once one only or other others our
out over own per please respectively same shall she should since so some such than that the their them then there these they this those
through to together too two under until up upon us was we were what when where whether which while who whom whose why will with within
without would yet you your
"""
_QUESTION_WORDS = """
describe described find give given gives include including indicate indicated indicates involving list listed lists mention mentioned
mentions name named names number page pages provide provided record recorded report reported said say says see show showing shown shows
stand stands state stated states take tell use used using
"""
_NAMING_NOTHING = frozenset(_FUNCTION_WORDS.split())
_ASKING = frozenset(_QUESTION_WORDS.split())
_QUOTED = re.compile(
    r"\"([^\"]{2,60})\"|“([^”]{2,60})”|「([^」]{1,40})」|『([^』]{1,40})』|《([^》]{1,40})》|(?<!\w)['‘]([^'’]{2,60})['’](?!\w)"
)
_LATIN = rf"[^\W_{CJK}]"
_PIECE = re.compile(
    rf"(?P<number>(?<!{_LATIN})[$€£¥]?\d+(?:[.,:/–-]\d+)*%?(?!-?{_LATIN})[年月日]?)度?|(?P<initials>(?:[A-Z]\.){{2,}})"
    rf"|(?P<word>{_LATIN}+(?:[-/.&+]{_LATIN}+|['’](?!s\b){_LATIN}+)*)|(?P<cjk>[{CJK}]+)"
)
_CJK_STOPS = re.compile(
    "请问|根据|按照|关于|以及|还有|其中|分别|各自|多少|什么|哪[些个一里种年]?|几个?|如何|怎样|怎么|为什么|为何|何时|谁|是否|有没有|"
    "[这那][个些]|[一总共]共|[的是了吗呢吧在和与及或对从被把里由有为请]"
)
_STATE = re.compile("[A-Z]{2}")
_QUOTE, _NAME, _NUMBER, _OTHER = range(4)


def content_words(question: str, limit: int = 4) -> tuple[str, ...]:
    """At most `limit` keyword phrases of the question, those that look rarest first.

    A phrase has to occur in a caption as it stands, so words stay together only where they belong together: quoted phrases, and
    runs of capitalised words and words with digits parted by single spaces ("Piper PA-28-140"), of which a bare number can be
    the end ("Cessna 152", "FY 2013") and a state too ("Madill, OK"). Other words stand alone. Chinese is cut at question
    words and particles. Function words, words of asking ("listed", "stated") and repeats in any case are dropped.

    Order: quoted phrases, names, bare numbers, other words; within a kind the longer first, then as in the question.
    """
    found: dict[str, tuple[int, str]] = {}
    for kind, phrase in (*_quoted(question), *_phrases(_QUOTED.sub(" , ", question))):
        found.setdefault(folded(phrase), (kind, phrase))
    ranked = sorted(found.values(), key=lambda entry: (entry[0], -len(entry[1])))
    return tuple(phrase for _, phrase in ranked[: max(0, limit)])


def _quoted(question: str) -> Iterator[tuple[int, str]]:
    for match in _QUOTED.finditer(question):
        if phrase := next(group for group in match.groups() if group is not None).strip(" .,;:?!\n"):
            yield _QUOTE, phrase


def _phrases(text: str) -> Iterator[tuple[int, str]]:
    """Names, numbers and words of `text` with their kind, in order; a name still growing waits in `name`."""
    name, end = "", 0
    for match in _PIECE.finditer(text):
        gap, end = text[end : match.start()], match.end()
        kind = _kind(match)
        piece = match["number"] or match.group()
        if name and ((gap == " " and kind in (_NAME, _NUMBER)) or (gap == ", " and _STATE.fullmatch(piece))):
            name += gap + piece
            if kind == _NAME and gap == " ":
                continue
            kind = None
        if name:
            yield _NAME, name
        name = piece if kind == _NAME else ""
        if match["cjk"]:
            yield from ((_OTHER, part) for part in _CJK_STOPS.split(piece) if len(part) > 1)
        elif kind in (_NUMBER, _OTHER):
            yield kind, piece
    if name:
        yield _NAME, name


def _kind(match: re.Match[str]) -> int | None:
    """What a piece looks like; None for one that names nothing. A capital at the start of a sentence makes no name."""
    if match["number"]:
        return _NUMBER
    piece, before = match.group(), match.string[: match.start()].rstrip()
    plain = piece.casefold()
    opens = not before or (before[-1] in ".?!" and not before[-2:-1].isupper())
    if (plain in _NAMING_NOTHING and not (piece.isupper() and len(piece) > 1)) or plain.endswith(("n't", "n’t")):
        return None
    if plain in _ASKING and (opens or piece.islower()):
        return None
    if any(letter.isdigit() for letter in piece) or (piece[0].isupper() and not opens) or any(letter.isupper() for letter in piece[1:]):
        return _NAME
    return _OTHER if len(piece) > 1 else None
