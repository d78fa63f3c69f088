"""The end of a study: winners and defaults on the report questions, the summary, and the winner as a configuration."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from taec.experiment.console import out, say
from taec.records.lines import replace_file
from taec.study.pictures import draw
from taec.study.save import save, saved_file
from taec.study.sharing import SharedParts
from taec.study.storage import open_storage, open_trials
from taec.study.study import Study
from taec.study.summary import Findings, changes_table, report_table, verdict, write_summary
from taec.study.tracking import Tracked
from taec.study.winners import report_runs, winners

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial


def finish(study: Study, trials: "Sequence[FrozenTrial]", tracked: Tracked) -> Findings:
    """Report a study that has its total, and show what came out. What was reported before is not run again.

    Of several commands over one folder one reports, and the others wait and show.
    """
    with FileLock(study.folder / ".report.lock"):
        return _finished(study, trials, tracked)


def _finished(study: Study, trials: "Sequence[FrozenTrial]", tracked: Tracked) -> Findings:
    chosen = winners(study, trials)
    parts = SharedParts()
    shared = {question.id for question in parts.benchmark(study.tune).questions} & {
        question.id for question in parts.benchmark(study.report).questions
    }
    if chosen:
        say(
            f"reporting: the defaults and {len(chosen)} of {len(trials)} trials on {len(parts.benchmark(study.report).questions)} questions"
        )
    findings = Findings(study, trials, chosen, report_runs(study, chosen, parts), len(shared))
    write_summary(findings)
    pictures = draw(study, open_trials(study, open_storage(study)))
    folders = [study.folder / "report" / each.config.run_name for each in findings.reported]
    tracked.study(list(dict.fromkeys(folders)), [*pictures, study.folder / "summary.md", study.folder / "summary.json", _described(study)])
    _show(findings)
    if file := saved_file(study):
        save(findings, file)
        say(f"saved: {file}")
        say(f"  python -m taec --config-dir {file.parents[1]} experiment={file.stem}")
    return findings


def _show(findings: Findings) -> None:
    out.print(report_table(findings).rich())
    if findings.winners:
        out.print(changes_table(findings).rich())
    for line in verdict(findings):
        say(f"- {line}")
    say(f"summary: {findings.study.folder / 'summary.md'}")


def _described(study: Study) -> Path:
    """The study's settings as they were in force, without a storage's address."""
    file = study.folder / "study.yaml"
    from omegaconf import OmegaConf

    settings = study.settings.model_dump(mode="json", exclude={"storage", "save"})
    replace_file(file, [f"# {study.command}", *OmegaConf.to_yaml(settings).rstrip().splitlines()])
    return file
