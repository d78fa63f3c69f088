"""Judging short answers by rules: exact, number, date, yes or no, list, containment; and declining where nothing can be answered.

The first rule that applies decides, in the order of `RuleJudge.verdict`; `Verdict.rule` names it. What is settled here because no
benchmark settles it:

- Of several numbers or dates the first counts that the question does not name itself; joined to another by `or`, `to` or a comma it
  is a hedge, and wrong. Amounts are compared with amounts and years with years; an `Int` has to be exact.
- A text reference has to stand in the answer at token boundaries, unnegated, and not as one of several alternatives.
- A list needs all its items; a short part that holds none, and nothing of the question, is an extra item, and wrong.
- An answer longer than the question, the references and `spare_words` allow is wrong, whatever it contains.
- An answer that declines is wrong for every question that can be answered, right for every other.

References that are whole sentences are only met by their own words: such benchmarks need a model as judge.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from taec.core.questions import Question
from taec.core.settings import Settings as BaseSettings
from taec.judges.base import Judge, Verdict
from taec.judges.dates import SlashDates
from taec.judges.declines import Declines
from taec.judges.lists import judge_list, parts, split_items
from taec.judges.matching import match_date, match_number, match_text
from taec.judges.references import YES, Reading, Reference, polarity, reading, reference
from taec.judges.text import read

VERSION = "1"
"""Rises when a verdict could change; manifests carry it."""


class Settings(BaseSettings):
    """See `conf/judge/rules.yaml`, where every value is explained."""

    name: Literal["rules"]
    rounding: float = Field(ge=0, le=0.05, description="largest difference by rounding, as a share of the reference")
    spare_words: int = Field(ge=0, description="words beyond question and references that an answer may hold")
    spare_ratio: float = Field(ge=0, description="the same, in words of the longest reference")
    part_words: int = Field(ge=1, description="longest part of an enumeration in words")
    slash_dates: SlashDates = Field(description="how an ambiguous 02/03/2008 is read")
    declines: tuple[str, ...] = Field(description="phrases that decline")
    declines_alone: tuple[str, ...] = Field(description="words that decline where they are the whole answer")
    adverbs: tuple[str, ...] = Field(description="words left out before phrases are looked for")
    turns: tuple[str, ...] = Field(description="words after which an answer that declined may commit itself")
    guesses: tuple[str, ...] = Field(description="phrases by which it commits itself")


def build(settings: Settings) -> "RuleJudge":
    """The judge that these settings describe."""
    return RuleJudge(settings)


class RuleJudge(Judge):
    """Judges every item for itself, without a model."""

    name = "rules"
    version = VERSION

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._declines = Declines(settings.declines, settings.declines_alone, settings.adverbs, settings.turns, settings.guesses)

    async def judge(self, items: Sequence[tuple[Question, str]]) -> list[Verdict]:
        """One verdict an item, in order; `correct` is never None."""
        return [self.verdict(question, answer) for question, answer in items]

    def verdict(self, question: Question, answer: str) -> Verdict:
        """The verdict on one answer."""
        said, asked = self._read(answer), self._read(question.text)
        references = [reference(raw, question.answer_format, self._settings.slash_dates) for raw in _whole(question)]
        exact = any(said.text.key == known.text.key for known in references)
        declined = self._declines.declined(said.text, asked.text)
        if not question.answerable:
            return Verdict(exact or declined, "declined" if exact or declined else "not_declined")
        if exact:
            return Verdict(True, "exact")
        if references[0].kind == "yes_no":
            wanted = "yes" if references[0].text.key in YES else "no"
            return Verdict(polarity(said.text) == wanted, "yes_no")
        if declined and not any(self._declines.holds(known.text) for known in references):
            return Verdict(False, "declined")
        if self._too_long(said, asked, references):
            return Verdict(False, "too_long")
        if question.items:
            return self._list(question, said, asked)
        return self._single(references, question, said, asked)

    def _read(self, raw: str) -> Reading:
        return reading(raw, self._settings.slash_dates)

    def _too_long(self, said: Reading, asked: Reading, references: Sequence[Reference]) -> bool:
        known = set(asked.text.words).union(*(known.text.words for known in references))
        spare = sum(word not in known for word in said.text.words)
        longest = max(len(known.text.words) for known in references)
        return spare > max(self._settings.spare_words, self._settings.spare_ratio * longest)

    def _list(self, question: Question, said: Reading, asked: Reading) -> Verdict:
        aliases = (split_items(alias, len(question.items)) for alias in question.references)
        return _best([self._named(items, said, asked) for items in (question.items, *aliases) if items])

    def _named(self, items: Sequence[str], said: Reading, asked: Reading) -> Verdict:
        return judge_list([reference(item, "Str", self._settings.slash_dates) for item in items], said, asked)

    def _single(self, references: Sequence[Reference], question: Question, said: Reading, asked: Reading) -> Verdict:
        units = {one.unit for known in references if known.kind == "number" for one in known.reading.quantities} - {""}
        calendar = [known for known in references if known.kind == "date"]
        verdicts = []
        for known in references:
            found: Verdict | None = None
            if known.kind == "number":
                wanted = known.reading.quantities
                rounding = 0.0 if question.answer_format == "Int" or len(wanted) > 1 else self._settings.rounding
                found = match_number(wanted, units, rounding, said, asked)
            elif known.kind == "date":
                found = match_date(known, calendar, said, asked)
            verdicts.append(found or match_text(known, self._settings.part_words, said, asked))
        return _best(verdicts)


def _best(verdicts: Sequence[Verdict]) -> Verdict:
    """The first that is right, else that on the benchmark's own spelling."""
    return next((verdict for verdict in verdicts if verdict.correct), verdicts[0])


def _whole(question: Question) -> list[str]:
    """The references that spell the whole answer: an alias with fewer parts than the list has items spells one item at most."""
    first, *aliases = question.references
    return [first, *(alias for alias in aliases if len(parts(read(alias))) >= len(question.items))]
