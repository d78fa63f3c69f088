"""The reader's own notes: summaries as a model writes them, and what it makes of them when they come back in a later prompt.

A later prompt may keep only the first confident sentence of a summary, so that sentence carries the finding.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from taec.backbones.reading.evidence import Candidate

_STRENGTHS = (("clearly states that", 1.0), ("mentions that", 0.7), ("partially suggests that", 0.4))
"""Words of a finding and the confidence they stand for, in parts of the confidence at which the reader answers."""
_VALUE = re.compile(r"(clearly states that|mentions that|partially suggests that) the (.+?)(?: in the case of (.+?))? is [“\"](.*?)[”\"]")
_BLANK = re.compile(r"clearly shows that the field (.+?) is printed and left blank")
_LABELS = re.compile(r"has the asked field on the form of another record, beside: (.+?)\.(?:\s|$)")
_SUBJECT = re.compile(r"identifies (.+?) as (“.+?”(?: or “.+?”)*)")
_CASE = {"the subject": ""}
_QUOTED = 80
"""Characters of a query that a summary repeats."""


@dataclass(frozen=True, slots=True)
class Noted:
    """What earlier summaries say.

    Candidates, identifiers as (option or "" for the subject, code), and labels of a form like the one that is needed.
    """

    candidates: tuple[Candidate, ...]
    codes: tuple[tuple[str, str], ...]
    labels: tuple[str, ...]


def finding(candidate: Candidate, picture: int, sure: float) -> str:
    """The sentence that records a candidate, in words that tell how sure it is; `sure` is the confidence at which the reader answers."""
    if candidate.means == "blank":
        return f"Picture {picture} clearly shows that the field {candidate.about} is printed and left blank."
    words = next((words for words, part in _STRENGTHS if candidate.confidence >= part * sure), _STRENGTHS[-1][0])
    case = f" in the case of {candidate.case}" if candidate.case else ""
    return f"Picture {picture} {words} the {candidate.about}{case} is “{candidate.value}”."


def subject(codes: Sequence[str], picture: int, focus: str, case: str) -> str:
    """The sentence that records identifiers of the subject while the asked thing is still open."""
    names = " or ".join(f"“{code}”" for code in codes)
    return f"Picture {picture} identifies {case or 'the subject'} as {names}; the {focus or 'answer'} is on another page."


def likeness_of_form(labels: Sequence[str], picture: int) -> str:
    """The sentence that records what the needed form looks like, seen on a form of something else."""
    return f"Picture {picture} has the asked field on the form of another record, beside: {'; '.join(labels)}."


def nothing(query: str, missing: Sequence[str], legibility: float) -> str:
    """The sentence of a search that brought nothing, with the reason the reader can see."""
    query = query if len(query) <= _QUOTED else query[:_QUOTED].rsplit(" ", 1)[0] + " ..."
    about = f": {', '.join(missing[:4])} not found" if missing else ""
    if legibility < 0.6:
        return f"No relevant information found for '{query}': the text is unclear at this size{about}."
    return f"No relevant information found for '{query}'{about or ': the pages speak of other things'}."


def noted(summaries: Sequence[str], sure: float) -> Noted:
    """Read summaries of earlier nodes; whatever another writer put there is passed over."""
    candidates: list[Candidate] = []
    codes: list[tuple[str, str]] = []
    labels: list[str] = []
    for summary in summaries:
        labels += [label for found in _LABELS.findall(summary) for label in found.split("; ")]
        codes += [(_CASE.get(who, who), code) for who, names in _SUBJECT.findall(summary) for code in re.findall(r"“(.+?)”", names)]
        candidates += [Candidate("", sure, -1, "blank", about) for about in _BLANK.findall(summary)]
        for words, about, case, value in _VALUE.findall(summary):
            candidates.append(Candidate(value, dict(_STRENGTHS)[words] * sure, -1, "earlier", about, case=case))
    return Noted(tuple(candidates), tuple(dict.fromkeys(codes)), tuple(dict.fromkeys(labels)))
