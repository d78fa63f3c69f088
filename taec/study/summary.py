"""What came out of a study, in words and as data: `summary.md` and `summary.json` in its folder."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from taec.analysis.paired import Difference
from taec.analysis.statistics import summarise
from taec.analysis.tables import Grid, runs_table
from taec.records.lines import replace_file
from taec.records.provenance import code_state
from taec.study.claims import Counts, counts
from taec.study.objectives import NAMES
from taec.study.settings import Objective
from taec.study.storage import location
from taec.study.study import Study
from taec.study.trial import is_pruned
from taec.study.winners import Reported, front, losses, values_of

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial

FIRST = 10
"""Trials that the table shows; the storage has them all."""


@dataclass(frozen=True)
class Findings:
    """A finished study: its trials, the winners among them, and how those and the defaults did on the report questions.

    `shared` are questions that are both tuned and reported on.
    """

    study: Study
    trials: "Sequence[FrozenTrial]"
    winners: "Sequence[FrozenTrial]"
    reported: Sequence[Reported]
    shared: int

    @property
    def counts(self) -> Counts:
        return counts(self.trials)

    @property
    def complete(self) -> "list[FrozenTrial]":
        """Finished and not given up, best first."""
        found = [trial for trial in self.trials if trial.state.name == "COMPLETE"]
        return sorted(found, key=lambda trial: (losses(self.study, trial), trial.number))

    @property
    def ties(self) -> int:
        """Trials that share the best value."""
        best = self.complete[:1]
        return sum(trial.values == best[0].values for trial in self.complete) if best else 0


def write_summary(findings: Findings) -> None:
    """`summary.md` and `summary.json`."""
    folder = findings.study.folder
    replace_file(folder / "summary.md", markdown(findings).splitlines())
    replace_file(folder / "summary.json", [json.dumps(data(findings), indent=1, ensure_ascii=False)])


def markdown(findings: Findings) -> str:
    """The whole as a page."""
    study, so_far = findings.study, findings.counts
    state = code_state()
    pruning = f"{so_far.pruned} were given up early" if is_pruned(study) else "none is given up early"
    parts = [
        f"# Study {study.name}",
        f"`{study.command}`",
        f"Code {state.fingerprint}{f', commit {state.commit}' if state.commit else ''}. Trials in `{location(study)}`.",
        f"{so_far.finished} trials of {study.total} are finished ({pruning}), {so_far.failed} failed. "
        f"Sampler {study.settings.sampler.name}, seed {study.settings.sampler.seed}. "
        f"Tuned with `{' '.join(study.settings.tune) or 'the base'}`, reported with `{' '.join(study.settings.report) or 'the base'}`.",
        "## Verdict",
        "\n".join(f"- {line}" for line in verdict(findings)),
        "## On the questions of the report",
        report_table(findings).markdown(),
        "## What the winners change",
        changes_table(findings).markdown(),
        "## Trials",
        trials_table(findings).markdown(),
    ]
    return "\n\n".join(parts) + "\n"


def verdict(findings: Findings) -> Iterator[str]:
    """What a reader has to know first, in sentences."""
    study = findings.study
    if not findings.complete:
        yield "No trial was finished: there is nothing to report."
        return
    if findings.shared:
        yield (
            f"{findings.shared} questions were both tuned and reported on: the report is no estimate of anything new. Give tune and report "
            "questions of their own."
        )
    if len(study.settings.objectives) == 1 and findings.ties > 1:
        yield f"{findings.ties} of {len(findings.complete)} whole trials share the best value; the earliest of them is reported."
    if any(reported.config.digest == study.report.digest for reported in findings.reported[1:]) and len(study.settings.objectives) == 1:
        yield "No trial was better than the defaults on the questions that were tuned on: keep the defaults."
    for reported in findings.reported[1:]:
        if reported.against and reported.config.digest != study.report.digest:
            yield from (_compared(reported.label, objective, difference, reported) for objective, difference in reported.against.objectives)
    if not findings.reported:
        yield "Nothing was run on the report questions (winners=0): no value here is more than the best of many tries."
        return
    yield (
        f"The value a winner had while tuning is the best of {findings.counts.finished} tries on the same questions, and too good for that "
        "reason; what counts is the report."
    )


def _compared(label: str, objective: Objective, difference: Difference | None, reported: Reported) -> str:
    if difference is None:
        return f"{label}, {objective}: unknown."
    side = "better" if (difference.value > 0) == (objective == "accuracy") else "WORSE"
    told = f"is {side} than the defaults" if difference.is_clear else "is NOT distinguishable from the defaults"
    basis = f"{difference.n} questions, 95 % interval, {difference.method}"
    found = f"{label} {told} in {objective}: {_signed(objective, difference)} ({basis})"
    test = reported.against.accuracy if reported.against else None
    if objective == "accuracy" and test:
        found += f"; {test.gained} questions gained, {test.lost} lost, exact McNemar p = {test.p:.3f}"
    return f"{found}."


def _signed(objective: Objective, difference: Difference) -> str:
    if objective == "accuracy":
        return f"{100 * difference.value:+.1f} points [{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"
    return f"{difference.value:+,.4g} [{difference.low:+,.4g}, {difference.high:+,.4g}] {NAMES[objective]}"


def report_table(findings: Findings) -> Grid:
    """The defaults and the winners, as every table of runs."""
    return runs_table([(each.label, summarise(each.rows)) for each in findings.reported], "Defaults and winners")


def changes_table(findings: Findings) -> Grid:
    """Every searched key: the default, and each winner's value."""
    study = findings.study
    columns = ["key", "default", *(f"trial {trial.number}" for trial in findings.winners)]
    chosen = [values_of(trial) for trial in findings.winners]
    rows = [[key, str(study.defaults.get(key, "–")), *(str(values.get(key, "–")) for values in chosen)] for key in study.settings.space]
    return Grid("Values", columns, rows, ["– where a key does not apply."])


def trials_table(findings: Findings) -> Grid:
    """The best trials on the tuning questions; with several objectives the front."""
    study = findings.study
    single = len(study.settings.objectives) == 1
    shown = findings.complete[:FIRST] if single else front(study, findings.complete)
    columns = ["trial", *(NAMES[objective] for objective in study.settings.objectives), "questions", *study.settings.space]
    rows = [
        [
            str(trial.number),
            *(f"{value:.4f}" if abs(value) < 10 else f"{value:,.0f}" for value in trial.values),
            str(trial.user_attrs.get("questions", "")),
            *(str(values_of(trial).get(key, "–")) for key in study.settings.space),
        ]
        for trial in shown
    ]
    title = f"Best {len(rows)} of {len(findings.complete)} whole trials while tuning" if single else "The front while tuning"
    return Grid(title, columns, rows)


def data(findings: Findings) -> dict[str, object]:
    """The same as plain data."""
    study = findings.study
    return {
        "study": study.name,
        "command": study.command,
        "storage": location(study),
        "code": code_state().model_dump(mode="json"),
        "counts": asdict(findings.counts),
        "total": study.total,
        "objectives": study.settings.objectives,
        "ties": findings.ties,
        "questions_tuned_and_reported_on": findings.shared,
        "winners": [{"trial": trial.number, "tune": trial.values, "values": dict(values_of(trial))} for trial in findings.winners],
        "defaults": dict(study.defaults),
        "report": [
            {
                "run": each.config.run_name,
                "label": each.label,
                "summary": asdict(summarise(each.rows)),
                "against_defaults": asdict(each.against) | {"distinguishable": each.against.is_clear} if each.against else None,
            }
            for each in findings.reported
        ],
        "verdict": list(verdict(findings)),
    }
