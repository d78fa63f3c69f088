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
        self._guesses = [_padded(read(guess).words) for guess in guesses]

    def holds(self, text: Text) -> bool:
        """Whether a declining phrase stands anywhere in a text."""
        bare = self._bare(text)
        return any(phrase in bare for phrase in self._phrases)

    def declined(self, answer: Text, question: Text) -> bool:
        """Whether the answer's first sentence declines, by a phrase that is not the question's own, and no guess follows."""
        if answer.key in self._alone:
            return True
        opening = self._bare(_first_sentence(answer))
        asked = self._bare(question)
        found = any(phrase in opening and phrase not in asked for phrase in self._phrases)
        return found and not self._guesses_after_all(answer)

    def _guesses_after_all(self, answer: Text) -> bool:
        turns = [last for turn in self._turns for _, last in answer.find(turn)]
        if not turns:
            return False
        rest = _padded(answer.words[min(turns) :])
        return any(guess in rest for guess in self._guesses)

    def _bare(self, text: Text) -> str:
        return _padded([word for word in text.words if word not in self._adverbs])


def _first_sentence(answer: Text) -> Text:
    for end in _SENTENCE_END.finditer(answer.canonical):
        opening = Text(answer.canonical[: end.start()])
        if len(opening.words) >= _SHORTEST_SENTENCE:
            return opening
    return answer


def _padded(words: Sequence[str]) -> str:
    """Words as one string with a space around each, so that a run of words is found as a substring: words hold no spaces."""
    return f" {' '.join(words)} "
