"""Whether an answer says one reference: each function gives the verdict with the rule that decided."""

from collections.abc import Collection, Mapping, Sequence

from taec.judges.base import Verdict
from taec.judges.lists import parts
from taec.judges.quantities import Quantity, joined, rounded, same, strong
from taec.judges.references import Reading, Reference, Span, overlaps
from taec.judges.words import ARTICLES, FUNCTION_WORDS

_NEGATIONS = frozenset(["not", "no", "without", "except", "neither", "nor", "never", "不", "非"])
_ALTERNATIVES = frozenset({"or", "或"})
_BOTH = frozenset({"both", "either", "neither"})
_COMPARISONS = frozenset({"than", "versus", "vs", "unlike", "instead"})
_COMPARISON_REACH = 4
"""Words after a comparison that belong to what is compared with (`higher than the one at White Plains`)."""


def match_number(wanted: Sequence[Quantity], units: Collection[str], rounding: float, said: Reading, asked: Reading) -> Verdict:
    """The first quantity that the question does not name, or the first few where the reference is a sequence, must be the reference.

    `units` are all that any reference states: a missing unit is forgiven, another is not. A year is compared with years, an amount
    with amounts. After a calculation only its result counts. A quantity joined to another as an alternative or a range is a hedge.
    """
    named = {one.value for one in asked.quantities} - {one.value for one in wanted}
    result = said.text.canonical.rfind("=")
    everything = strong([one for one in said.quantities if one.start > result] or said.quantities)
    pool = [one for one in everything if one.value not in named]
    pool = [one for one in pool if one.is_year == wanted[0].is_year] or pool
    if len(pool) < len(wanted):
        return Verdict(False, "no_number")
    chosen = pool[: len(wanted)]
    for reference, answer in zip(wanted, chosen, strict=True):
        foreign = answer.unit and units and answer.unit not in units
        if foreign or not (same(reference, answer) or rounded(reference, answer, rounding)):
            return Verdict(False, "other_number")
    hedged = _has_alternative(chosen, everything, said.text.canonical)
    return Verdict(not hedged, "hedged" if hedged else "number")


def match_date(reference: Reference, others: Sequence[Reference], said: Reading, asked: Reading) -> Verdict | None:
    """The first date that the question does not name must state the reference and contradict no fuller spelling of it.

    None where the answer holds no date at all.
    """
    wanted = reference.reading.dates[0]
    pool = [date for date in said.dates if date.states(wanted) or not any(named.states(date) for named in asked.dates)]
    if not pool:
        return None
    first = pool[0]
    fuller = [other.reading.dates[0] for other in others if other.reading.dates[0].agrees(wanted)]
    if not first.states(wanted) or not all(first.agrees(other) for other in fuller):
        return Verdict(False, "other_date")
    hedged = len(pool) > 1 and not pool[1].agrees(first) and joined(said.text.canonical, first.end, pool[1].start)
    return Verdict(not hedged, "hedged" if hedged else "date")


def match_text(reference: Reference, part_words: int, said: Reading, asked: Reading) -> Verdict:
    """The reference's words must stand in the answer side by side, claimed: not negated, compared with, or one of several alternatives.

    A single letter or digit is too little to be looked for in a longer answer.
    """
    words = reference.text.words
    verdict = Verdict(False, "no_match")
    if len(reference.text.key) == 1 and reference.text.key.isascii():
        return verdict
    asked_for_one = bool(asked.text.find(words))
    both = asked_for_one and not _BOTH.isdisjoint(said.text.words)
    for first, last in said.text.find(words):
        span = said.text.tokens[first].start, said.text.tokens[last - 1].end
        reach = said.text.words[max(0, first - _COMPARISON_REACH) : first]
        before = [word for word in reach if word not in ARTICLES][-1:]
        cut = _short_parts(span, part_words, said)
        joining = _ALTERNATIVES | {"and"} if asked_for_one or cut else _ALTERNATIVES
        if both or not joining.isdisjoint([*before, *said.text.words[last : last + 1]]):
            verdict = Verdict(False, "hedged")
        elif not _NEGATIONS.isdisjoint(before) or not _COMPARISONS.isdisjoint(reach):
            verdict = Verdict(False, "negated")
        elif _enumerated(span, cut, asked):
            verdict = Verdict(False, "enumerated")
        else:
            return Verdict(True, "contained")
    return verdict


def _has_alternative(chosen: Sequence[Quantity], everything: Sequence[Quantity], canonical: str) -> bool:
    """Whether a quantity of another value, comparable to the chosen ones, is joined to them from before or behind."""
    first, last = everything.index(chosen[0]), everything.index(chosen[-1])
    pairs = [(everything[first - 1], chosen[0])] if first else []
    pairs += [(chosen[-1], everything[last + 1])] if last + 1 < len(everything) else []
    for left, right in pairs:
        comparable = left.is_year == right.is_year and (left.unit == right.unit or not left.unit or not right.unit)
        if comparable and not same(left, right) and joined(canonical, left.end, right.start):
            return True
    return False


def _short_parts(span: Span, part_words: int, said: Reading) -> dict[Span, list[str]]:
    """The words of each part of an answer that is nothing but short parts, {} for any other; the reference at `span` is not cut."""
    words = {
        part: [token.text for token in said.text.tokens if overlaps((token.start, token.end), [part])] for part in parts(said.text, [span])
    }
    return words if all(len(part) <= part_words for part in words.values()) else {}


def _enumerated(span: Span, cut: Mapping[Span, Sequence[str]], asked: Reading) -> bool:
    """Whether three or more short parts stand side by side, and one before the reference says something too."""
    known = FUNCTION_WORDS | set(asked.text.words)
    return len(cut) > 2 and any(word not in known for part, words in cut.items() if part[1] <= span[0] for word in words)
