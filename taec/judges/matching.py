"""Whether an answer says one reference: each function gives the verdict with the rule that decided."""

from collections.abc import Collection, Sequence

from taec.judges.base import Verdict
from taec.judges.lists import parts
from taec.judges.quantities import Quantity, joined, rounded, same
from taec.judges.references import Reading, Reference, Span, overlaps
from taec.judges.words import FUNCTION_WORDS

_NEGATIONS = frozenset("not no without except neither nor never 不 非".split())
_ALTERNATIVES = frozenset({"or", "或"})
_BOTH = frozenset({"both", "either", "neither"})
_COMPARISONS = frozenset({"than", "versus", "vs", "unlike", "instead"})
_COMPARISON_REACH = 4
"""Words after a comparison that belong to what is compared with (`higher than the one at White Plains`)."""


def match_number(wanted: Sequence[Quantity], units: Collection[str], rounding: float, said: Reading, asked: Reading) -> Verdict:
    """The first quantity that the question does not name, or the first few where the reference is a sequence, must be the reference.

    `units` are all that any reference states: a missing unit is forgiven, another is not. A year is compared with years, an amount
    with amounts. A quantity joined to another as an alternative or a range is a hedge.
    """
    named = {one.value for one in asked.quantities} - {one.value for one in wanted}
    pool = [one for one in said.quantities if one.value not in named]
    pool = [one for one in pool if one.is_year == wanted[0].is_year] or pool
    if len(pool) < len(wanted):
        return Verdict(False, "no_number")
    chosen = pool[: len(wanted)]
    for reference, answer in zip(wanted, chosen, strict=True):
        foreign = answer.unit and units and answer.unit not in units
        if foreign or not (same(reference, answer) or rounded(reference, answer, rounding)):
            return Verdict(False, "other_number")
    hedged = _has_alternative(chosen, said)
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
    joining = _ALTERNATIVES | {"and"} if asked.text.find(words) else _ALTERNATIVES
    both = bool(asked.text.find(words)) and not _BOTH.isdisjoint(said.text.words)
    for first, last in said.text.find(words):
        before, beside = said.text.words[max(0, first - 1) : first], said.text.words[max(0, first - 1) : first] + said.text.words[last : last + 1]
        reach = said.text.words[max(0, first - _COMPARISON_REACH) : first]
        span = said.text.tokens[first].start, said.text.tokens[last - 1].end
        if both or not joining.isdisjoint(beside):
            verdict = Verdict(False, "hedged")
        elif not _NEGATIONS.isdisjoint(before) or not _COMPARISONS.isdisjoint(reach):
            verdict = Verdict(False, "negated")
        elif _enumerated(span, part_words, said, asked):
            verdict = Verdict(False, "enumerated")
        else:
            return Verdict(True, "contained")
    return verdict


def _has_alternative(chosen: Sequence[Quantity], said: Reading) -> bool:
    """Whether a quantity of another value, comparable to the chosen ones, is joined to them from before or behind."""
    everything = list(said.quantities)
    first, last = everything.index(chosen[0]), everything.index(chosen[-1])
    pairs = [(everything[first - 1], chosen[0])] if first else []
    pairs += [(chosen[-1], everything[last + 1])] if last + 1 < len(everything) else []
    for left, right in pairs:
        comparable = left.is_year == right.is_year and (left.unit == right.unit or not left.unit or not right.unit)
        if comparable and not same(left, right) and joined(said.text.canonical, left.end, right.start):
            return True
    return False


def _enumerated(span: Span, part_words: int, said: Reading, asked: Reading) -> bool:
    """Whether the answer is nothing but three or more short parts, of which an earlier one says something too."""
    cut = parts(said.text, [span])
    if len(cut) < 3:
        return False
    words = [[token.text for token in said.text.tokens if overlaps((token.start, token.end), [part])] for part in cut]
    if any(len(part) > part_words for part in words):
        return False
    known = FUNCTION_WORDS | set(asked.text.words)
    earlier = [part for part, place in zip(words, cut, strict=True) if place[1] <= span[0]]
    return any(word not in known for part in earlier for word in part)
