"""What a question asks for, by the grammar of English questions: the kind of answer, the asked thing, the names that place it."""

import re
from dataclasses import dataclass
from typing import Literal

from taec.backbones.reading.vocabulary import DOCUMENTS, NUMBERS, OPENERS
from taec.backbones.reading.words import content, plain, split, stem

Kind = Literal["number", "money", "percent", "date", "year", "time", "duration", "phone", "person", "place", "yes_no", "name"]

_WH = re.compile(
    r"\b(what|which|who|whom|whose|when|where|how many|how much|how long|how large|how far|how old|how high|how often|how big|how)\b"
)
_HOW_KINDS: dict[str, Kind] = {
    "who": "person", "whom": "person", "whose": "person", "when": "date", "where": "place", "how many": "number", "how much": "money",
    "how long": "duration", "how old": "number", "how large": "number", "how far": "number", "how high": "number", "how big": "number",
}  # fmt: skip
_KIND_WORDS: tuple[tuple[Kind, str], ...] = (
    ("percent", r"percent(?:age)?|share|proportion"),
    ("phone", r"(?:tele)?phone number|fax number"),
    ("year", r"years?"),
    ("date", r"date|deadline|day|month|quarter"),
    ("time", r"time of day|hour"),
    ("duration", r"duration|period|length of time"),
    ("money", r"price|cost|salary|fee|amount|revenue|budget|dollars?|income|profit|expenses?|copay(?:ment)?|deductible"),
    ("number", r"number|count|total|score|value|rate|ratio|population|weight|height|width|temperature|distance|rank|size"),
    ("person", r"person|author|president|director|chairman|chairperson|ceo|manager's name"),
    ("place", r"city|country|state|location|place|region|address|county"),
)
_YES_NO = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b")
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may)"
_FOCUS_END = re.compile(
    r"\s*(?:[,:;?]|\b(?:recorded|reported|listed|given|stated|shown|printed|used|named|called|noted|according|involving|involved|"
    r"for|in|on|at|by|from|to|with|that|which|who|whose|when|where|within|among|during|under|across|per|as|than|if)\b|\b"
    + _AUXILIARY + r"\b)"
)  # fmt: skip
_DOCUMENT = "|".join(DOCUMENTS)
_DEGREES = frozenset({"how large", "how big", "how high", "how far", "how old", "how long", "how often"})
_ATTRIBUTION = re.compile(r"^.*?\b(?:expect|say|put|estimate|describe)s?\s+(?:the\s+)?")
"""Who says it, in `how large does the plan expect the harm to be`."""
_SCOPE = re.compile(
    rf"\b(?:according to|per|in|of|from|on|by|to)\s+([^,?]*?\b(?:{_DOCUMENT})\b"
    rf"(?:\s+(?:for\s+)?(?:FY\s*)?\d{{4}}(?:\s*[–-]\s*\d{{2,4}})?)?)",
    re.IGNORECASE,
)
_TITLE = re.compile(rf"((?:(?:[A-Z][\w.&’']*|FY|\d{{4}}(?:[–-]\d{{2,4}})?)\s+)+(?:{_DOCUMENT.title()}))\b")
_CODE = re.compile(r"\b(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]{4,}\b")
_DATE = re.compile(r"\b\d{1,2}/\d{1,2}/\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b")
_DOTTED = re.compile(r"\b\d+(?:\.\d+){2,}\b")
_QUOTED = re.compile(r"(?<!\w)[\"“‘']([^\"”’']{2,60})[\"”’'](?!\w)")
_PROPER = re.compile(r"\b(?:[A-Z](?:[\w&'’-]|\.(?=\w))*)(?:\s+(?:(?:of|the|and|&|for|de)\s+)?[A-Z0-9](?:[\w&'’-]|\.(?=\w))*)*")
_OPTIONS = re.compile(r":\s*(.+?)(?:,)?\s+or\s+(.+?)\s*\?")
_OPTIONS_COMMA = re.compile(r",\s*(?:the\s+)?([^,?]+?)\s+or\s+([^,?]+?)\s*\?")
_MORE = re.compile(r"\b(higher|highest|greater|greatest|larger|largest|longer|longest|more|most|bigger|heavier|older|later|latest)\b")
_LESS = re.compile(r"\b(lower|lowest|smaller|smallest|shorter|shortest|fewer|fewest|less|least|lighter|younger|earlier|earliest)\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question taken apart.

    `focus` is the asked thing as printed words ("landing gear type"); `content` the stems that carry meaning, `scope` those of
    them that only name the document; `keys` are strings that pin down where to look (codes, dates, proper names), rarest kinds
    first. `count` is how many answers are wanted (0 where one or not said); `options` the alternatives of an either-or question.
    """

    text: str
    kind: Kind
    focus: str
    content: tuple[str, ...]
    scope: frozenset[str]
    keys: tuple[str, ...]
    codes: tuple[str, ...]
    count: int = 0
    options: tuple[str, ...] = ()
    wants_more: bool | None = None

    @property
    def sought(self) -> tuple[str, ...]:
        """Content stems without those that only name the document; all of them where nothing else is left."""
        return tuple(word for word in self.content if word not in self.scope) or self.content


def ask(text: str) -> Asked:
    """Take `text` apart. Works on any string; one that is no English question has kind `name` and an empty focus."""
    focus, how = _focus(text)
    named = [re.split(r"\b(?:of|in|on|from|by)\b", match.group(1))[-1] for match in _SCOPE.finditer(text)] + _TITLE.findall(text)
    scope_words = {word for name in named for word in content(name)} - set(content(focus))
    options = _options(text)
    lowered = plain(text)
    more = True if _MORE.search(lowered) else False if _LESS.search(lowered) else None
    codes = tuple(dict.fromkeys(_CODE.findall(text)))
    return Asked(
        text=text,
        kind=_kind(lowered, focus, how, options),
        focus=focus,
        content=tuple(content(text)),
        scope=frozenset(scope_words),
        keys=_keys(text, codes),
        codes=codes,
        count=_count(focus),
        options=options,
        wants_more=more,
    )


def _focus(text: str) -> tuple[str, str]:
    """The noun phrase after the question word, and the question word."""
    lowered = plain(text)
    matches = list(_WH.finditer(lowered))
    direct = [match for match in matches if not _relative(lowered, match)]
    if not direct:
        return "", ""
    match = direct[-1] if direct[-1].group(1) != "how" else direct[0]
    rest = text[match.end() :] if len(lowered) == len(text) else lowered[match.end() :]
    rest = re.sub(rf"^\s*(?:{_AUXILIARY}\s+)?(?:(?:the|an?|its|their)\s+)?", "", rest, count=1, flags=re.IGNORECASE)
    if match.group(1) in _DEGREES:
        rest = _ATTRIBUTION.sub("", rest, count=1)
    end = _FOCUS_END.search(rest, 1) if rest else None
    return rest[: end.start()].strip(" '\"") if end else rest.strip(" ?'\""), match.group(1)


def _relative(lowered: str, match: re.Match[str]) -> bool:
    """A `which`, `who` or `when` that begins a relative or subordinate clause asks nothing."""
    before = lowered[: match.start()].rstrip()
    if not before or match.group(1).startswith("how ") or before.endswith((",", ":", ";", ".")):
        return False
    last = before.rsplit(None, 1)[-1]
    if match.group(1) in ("who", "whose", "whom", "when", "where", "how"):
        return True
    return match.group(1) == "which" and last in {"in", "on", "of", "for", "to", "from", "by", "with", "at"} and " " in before[:-3].strip()


def _kind(lowered: str, focus: str, how: str, options: tuple[str, ...]) -> Kind:
    if _YES_NO.match(lowered) and not options and not how:
        return "yes_no"
    if how == "how much" and re.search(r"\bpercent|%", lowered):
        return "percent"
    if how in _HOW_KINDS:
        if how == "how many" and re.match(r"percent", plain(focus)):
            return "number"
        return "money" if how == "how many" and re.match(r"(?:us )?dollars", plain(focus)) else _HOW_KINDS[how]
    head = plain(focus).split(" of ")[0]
    if head in ("place", "rank", "position") and re.search(r"\b(?:take|hold|occupy|rank|have)s?\b", lowered):
        return "number"
    if re.search(r"\w (?:number|code)$", head):
        return "phone" if re.search(r"phone|fax", head) else "name"
    for kind, pattern in _KIND_WORDS:
        if re.search(rf"\b(?:{pattern})$", head) or re.match(rf"(?:{pattern})\b", head):
            return kind
    return "name"


def _count(focus: str) -> int:
    first = split(focus)[:1]
    return NUMBERS.get(first[0], 0) if first else 0


def _options(text: str) -> tuple[str, ...]:
    match = _OPTIONS.search(text) or _OPTIONS_COMMA.search(text)
    if not match:
        return ()
    return tuple(
        re.sub(r"^(?:the\s+)?(?:one|ones)\s+(?:at|in|of|from|on|with|for)\s+|^(?:the|an?)\s+", "", option.strip())
        for option in match.groups()
    )


def _keys(text: str, codes: tuple[str, ...]) -> tuple[str, ...]:
    quoted = _QUOTED.findall(text)
    proper = [
        name.strip(" .'’-")
        for match in _PROPER.finditer(text)
        if (name := _without_opening(match.group(0), match.start() == 0)) and stem(plain(name)) not in ("accord", "which", "what")
    ]
    found = [*codes, *_DATE.findall(text), *_DOTTED.findall(text), *quoted, *proper]
    return tuple(dict.fromkeys(key for key in found if content(key)))


def _without_opening(name: str, opens: bool) -> str:
    """A proper name without the question's capitalised first words (`What`, `According`, `In the`)."""
    if not opens:
        return name
    words = name.split()
    while words and (plain(words[0]) in OPENERS or plain(words[0]).endswith("ing")):
        words = words[1:]
    return " ".join(words)
