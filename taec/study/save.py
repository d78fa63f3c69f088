"""A winner as a configuration of its own: an experiment that any run can take."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from omegaconf import DictConfig, OmegaConf

from taec.core.errors import UsageError
from taec.experiment.compose import Composer
from taec.experiment.config import OUTSIDE_IDENTITY
from taec.experiment.locations import shipped
from taec.experiment.overrides import parse
from taec.records.lines import replace_file
from taec.records.provenance import code_state
from taec.study.space import overrides
from taec.study.study import Study
from taec.study.summary import Findings, verdict
from taec.study.winners import values_of

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial

MARK = "# A winner of a study, written by taec sweep."


def saved_file(study: Study) -> Path | None:
    """Where the winner goes, None where it is not asked for. Raises UsageError where something else is there."""
    if study.settings.save is None:
        return None
    file = study.settings.save.expanduser().resolve() / "experiment" / f"{study.settings.name}.yaml"
    if file.exists() and MARK not in file.read_text(encoding="utf-8"):
        raise UsageError(f"save={study.settings.save}: {file} is there already, and no study wrote it. Name another folder.")
    return file


def save(findings: Findings, file: Path) -> None:
    """Write the first winner as an experiment: the base of the study and the winner's values, without what chooses questions."""
    if not findings.winners:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, [*_header(findings, file), *_body(findings.study, findings.winners[0])])


def _header(findings: Findings, file: Path) -> list[str]:
    study, winner, state = findings.study, findings.winners[0], code_state()
    tuned = ", ".join(f"{name} {value:.4g}" for name, value in zip(study.settings.objectives, winner.values, strict=True))
    return [
        "# @package _global_",
        MARK,
        f"# python -m taec --config-dir {file.parents[1].name} experiment={file.stem}",
        f"# Study {study.name}, trial {winner.number} of {findings.counts.finished}; {study.command}",
        f"# Code {state.fingerprint}{f', commit {state.commit}' if state.commit else ''}. While tuning: {tuned}.",
        *(f"# {line}" for line in verdict(findings)),
    ]


def _body(study: Study, winner: "FrozenTrial") -> Sequence[str]:
    groups = Composer(study.folders).groups
    found, _ = parse([*study.words, *overrides(values_of(winner))])
    chosen: dict[str, str] = {}
    values = OmegaConf.create({})
    for override in found:
        key = override.key_or_group
        if key == "experiment":
            inner, further = _experiment(study, str(override.get_value_element_as_str()))
            chosen = {**inner, **chosen}
            values.merge_with(further)
        elif key in groups and not isinstance(override.value(), dict):
            chosen[key] = str(override.get_value_element_as_str())
        elif key.split(".")[0] not in OUTSIDE_IDENTITY:
            OmegaConf.update(values, key, override.value(), force_add=True)
    outside = sorted(OUTSIDE_IDENTITY & {*chosen, *map(str, values)})
    for name in outside:
        chosen.pop(name, None)
        values.pop(name, None)
    listed = OmegaConf.to_yaml(OmegaConf.create({"defaults": [{f"override /{group}": name} for group, name in chosen.items()]}))
    return [*(listed.rstrip().splitlines() if chosen else []), "", *(OmegaConf.to_yaml(values).rstrip().splitlines() if values else [])]


def _experiment(study: Study, name: str) -> tuple[dict[str, str], DictConfig]:
    """An experiment that the study rests on, taken apart: an experiment cannot choose another. Its options and its values."""
    files = [folder / "experiment" / f"{name}.yaml" for folder in (*study.folders, shipped("conf"))]
    content = cast(DictConfig, OmegaConf.load(next(file for file in files if file.is_file())))
    chosen = {}
    for entry in content.pop("defaults", []):
        for group, option in entry.items() if isinstance(entry, DictConfig) else ():
            chosen[str(group).rpartition("/")[2]] = str(option)
    return chosen, content
