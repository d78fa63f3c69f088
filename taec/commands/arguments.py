"""The command line taken apart before Hydra sees any of it: Hydra's own parser refuses overrides on both sides of `-m`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from taec.core.errors import UsageError
from taec.experiment.catalogue import suggestion

VERBS: Mapping[str, str] = {
    "run": "answer a benchmark's questions and judge the answers (the default)",
    "index": "render, caption and index documents=DIR (or a benchmark's), and report what is wrong with them (--strict: refuse it)",
    "plan": "say what a run would take in calls, images, tokens and money; runs nothing",
    "check": "ask the backbone one tiny question with a picture and a tool, and say what works",
    "judge": "judge or re-judge run folders in one batch (--failed: only what has no verdict)",
    "serve": "offer an embedded backbone as an OpenAI-compatible endpoint on this machine",
    "ask": 'answer one question over your own documents: ask "question" documents=DIR (--open: as a page in a browser)',
    "show": "make the page of one question of a run that is there: show RUN QUESTION_ID (--open)",
    "retrieval": "measure how well retrievers rank gold pages; no model is involved (-m retriever=dense,bm25 compares)",
    "sweep": "a study: tune configuration values with Optuna, to a total of trials (plan sweep: what it would cost)",
    "track": "export run folders to MLflow, again or for the first time",
    "compare": "say what differs between runs, in configuration, numbers and answers (or between override lists)",
}
SHORT = {
    "-m": "--multirun", "-h": "--help", "-cd": "--config-dir", "-c": "--cfg", "-i": "--info", "-p": "--package",
    "-sc": "--shell-completion",
}  # fmt: skip
SWITCHES = (
    "--multirun", "--help", "--version", "--resolve", "--hydra-help", "--shell-completion", "--failed", "--diff", "--across", "--open",
    "--strict",
)  # fmt: skip
VALUED: Mapping[str, Sequence[str]] = {
    "--config-dir": (),
    "--package": (),
    "--cfg": ("job", "hydra", "all"),
    "--info": ("all", "config", "defaults", "defaults-tree", "plugins", "searchpath"),
    "--format": ("text", "md", "json", "html"),
}
"""Flags with a value, and the values they take where those are fixed; `--info` alone means all."""
INSPECTING = ("--cfg", "--package", "--resolve", "--hydra-help", "--shell-completion", "--info")
"""Flags that Hydra answers."""
BELONGING: Mapping[str, str] = {
    "--failed": "judge --failed RUN",
    "--diff": "compare --diff RUN RUN",
    "--across": "compare --across RUN RUN",
    "--format": "compare --format html RUN RUN",
    "--open": 'ask --open "question", or show --open RUN QUESTION_ID',
    "--strict": "index --strict documents=DIR",
}
"""Flags of one verb or two, and how they are written."""


@dataclass
class Arguments:
    """What was asked for: `words` are overrides, or the operands of another verb; `flags` hold each flag's values in order."""

    verb: str = "run"
    words: list[str] = field(default_factory=list)
    flags: dict[str, list[str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def multirun(self) -> bool:
        """Whether one run for each combination of values is asked for."""
        return "--multirun" in self.flags

    @property
    def folders(self) -> list[Path]:
        """Further configuration folders."""
        return [Path(folder) for folder in self.flags.get("--config-dir", [])]

    @property
    def inspects(self) -> bool:
        """Whether something is to be shown instead of done."""
        return any(flag in self.flags for flag in INSPECTING)


def parse(texts: Sequence[str]) -> Arguments:
    """The arguments; what is wrong with them is noted, so that it can be told together with the overrides' faults."""
    found = Arguments()
    rest = list(texts)
    while rest:
        text = rest.pop(0)
        if text.startswith("-") and text != "-":
            _flag(text, rest, found)
        else:
            found.words.append(text)
    if "--shell-completion" not in found.flags:
        _verb(found)
    for flag, written in BELONGING.items():
        verbs = [word for word in written.split() if word in VERBS]
        if flag in found.flags and found.verb not in verbs:
            found.faults.append(f"{flag} belongs to {' and '.join(verbs)}: python -m taec {written}")
    return found


def _flag(text: str, rest: list[str], found: Arguments) -> None:
    """Note a flag, taking its value from the front of `rest` where it has one."""
    written, equals, value = text.partition("=")
    name = SHORT.get(written, written)
    if name not in VALUED:
        found.flags.setdefault(name, [])
        if name not in SWITCHES or equals:
            found.faults.append(f"{text}: there is no such flag; {suggestion(written, (*SWITCHES, *VALUED))}")
        return
    allowed = VALUED[name]
    if not equals and name == "--info" and (not rest or rest[0] not in allowed):
        value = "all"
    elif not equals and rest:
        value = rest.pop(0)
    if not value or (allowed and value not in allowed):
        takes = f"one of {', '.join(allowed)}" if allowed else "a value"
        found.faults.append(f"{written} takes {takes}{f', not {value}' if value else ''}")
    found.flags.setdefault(name, []).append(value)


def _verb(found: Arguments) -> None:
    """The first word is a verb unless it is an override."""
    if not found.words or "=" in found.words[0] or found.words[0].startswith(("~", "+")):
        return
    verb = found.words.pop(0)
    if verb in VERBS:
        found.verb = verb
    else:
        found.faults.append(f"{verb}: there is no such verb; {suggestion(verb, VERBS)}")


def require_none(arguments: Arguments) -> None:
    """Raises UsageError where the arguments themselves are wrong."""
    if arguments.faults:
        raise UsageError(*arguments.faults)
