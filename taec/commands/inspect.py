"""What Hydra shows of a configuration (`--cfg`, `--info`, `--hydra-help`, shell completion); no job ever runs through it."""

import sys
from collections.abc import Sequence
from typing import NoReturn

import hydra
from omegaconf import DictConfig

from taec.commands.arguments import Arguments, require_none
from taec.commands.completion import completion
from taec.core.errors import UsageError
from taec.experiment.compose import Composer, configurations
from taec.experiment.console import say
from taec.experiment.locations import shipped
from taec.experiment.overrides import expand, parse


def main(asked: Arguments) -> int:
    """Show what was asked for; faults of the overrides are told as a run would tell them."""
    if "--shell-completion" in asked.flags:
        return completion(asked.words, through_hydra)
    require_none(asked)
    if "--hydra-help" in asked.flags:
        return through_hydra(["--hydra-help"])
    configurations(asked.words, multirun=asked.multirun, folders=asked.folders)
    composer = Composer(asked.folders)
    jobs = expand(parse(asked.words)[0], composer.groups)
    if "--cfg" not in asked.flags and "--info" not in asked.flags:
        raise UsageError("--resolve and --package belong to --cfg: --cfg job --resolve")
    flags = _flags(asked)
    for number, job in enumerate(jobs, start=1):
        if len(jobs) > 1:
            say(f"# job {number} of {len(jobs)}: {' '.join(job)}")
        through_hydra([*flags, *(str(override.input_line) for override in parse(job)[0]), *composer.search_path])
    return 0


def _flags(asked: Arguments) -> list[str]:
    """The flags as Hydra spells them; `--info` is about one composition only."""
    if "--cfg" not in asked.flags:
        return ["--info", asked.flags["--info"][-1]]
    package = [f"--package={name}" for name in asked.flags.get("--package", [])[-1:]]
    return ["--cfg", asked.flags["--cfg"][-1], *package, *(["--resolve"] if "--resolve" in asked.flags else [])]


def through_hydra(arguments: Sequence[str]) -> int:
    """Let Hydra answer an argument list of its own kind; returns its exit code."""
    before = sys.argv
    sys.argv = [before[0], *arguments]
    try:
        hydra.main(config_path=str(shipped("conf")), config_name="config", version_base="1.3")(_never)()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    finally:
        sys.argv = before
    return 0


def _never(composed: DictConfig) -> NoReturn:
    raise AssertionError("Hydra was asked to show something, and started a job")
