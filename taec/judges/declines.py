"""Whether an answer declines to answer."""

import re
from collections.abc import Sequence

from taec.judges.text import Text, read

_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|\n")
_SHORTEST_SENTENCE = 3
"""Words; a stop after fewer ends an abbreviation (`St. Elizabeths`) rather than a sentence."""


class Declines:
    """Recognises declining phrases, given as in `conf/judge/rules.yaml`."""

    def __init__(
        self, phrases: Sequence[str], alone: Sequence[str], adverbs: Sequence[str], turns: Sequence[str], guesses: Sequence[str]
    ) -> None:
        self._adverbs = frozenset(word for adverb in adverbs for word in read(adverb).words)
        self._phrases = [self._bare(read(phrase)) for phrase in phrases]
        self._alone = frozenset(read(word).key for word in alone)
        self._turns = [read(turn).words for turn in turns]
        self._guesses = [read(guess).words for guess in guesses]

    def holds(self, text: Text) -> bool:
        """Whether a declining phrase stands anywhere in a text."""
        return any(_holds(self._bare(text), phrase) for phrase in self._phrases)

    def declined(self, answer: Text, question: Text) -> bool:
        """Whether the answer's first sentence declines, by a phrase that is not the question's own, and no guess follows."""
        if answer.key in self._alone:
            return True
        opening = self._bare(_first_sentence(answer))
        asked = self._bare(question)
        found = any(_holds(opening, phrase) and not _holds(asked, phrase) for phrase in self._phrases)
        return found and not self._guesses_after_all(answer)

    def _guesses_after_all(self, answer: Text) -> bool:
        turns = [last for turn in self._turns for _, last in answer.find(turn)]
        return bool(turns) and any(_holds(answer.words[min(turns) :], guess) for guess in self._guesses)

    def _bare(self, text: Text) -> tuple[str, ...]:
        return tuple(word for word in text.words if word not in self._adverbs)


def _first_sentence(answer: Text) -> Text:
    for end in _SENTENCE_END.finditer(answer.canonical):
        opening = Text(answer.canonical[: end.start()])
        if len(opening.words) >= _SHORTEST_SENTENCE:
            return opening
    return answer


def _holds(words: Sequence[str], phrase: Sequence[str]) -> bool:
    size = len(phrase)
    return any(tuple(words[at : at + size]) == tuple(phrase) for at in range(len(words) - size + 1))
