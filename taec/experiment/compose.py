"""From overrides to checked configurations: Hydra composes, and whatever is wrong anywhere is told at once.

Hydra itself stops at the first fault. Where there is one, a job is composed in steps (options, then keys, then values), each going on
with what was right in the one before, so that one message names all faults.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import cast

from hydra import compose, initialize_config_dir
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import JsonValue

from taec.core.errors import UsageError
from taec.experiment import choices, registry
from taec.experiment.catalogue import catalogue
from taec.experiment.config import Config
from taec.experiment.keys import key_fault
from taec.experiment.locations import shipped
from taec.experiment.overrides import expand, parse, sweep_without_multirun
from taec.experiment.validation import check


def configurations(texts: Sequence[str], *, multirun: bool = False, folders: Sequence[Path] = ()) -> list[Config]:
    """One configuration a job, in the order of the sweep; jobs that would share a run folder are one.

    `folders` are searched for options after the shipped ones. Raises UsageError naming every fault of every job, each once.
    """
    faults = [f"--config-dir {folder}: there is no such folder" for folder in folders if not folder.is_dir()]
    composer = Composer([folder for folder in folders if folder.is_dir()])
    overrides, unreadable = parse(texts)
    faults += unreadable
    if not multirun:
        faults += sweep_without_multirun(overrides, texts)
    found: dict[tuple[Path, str], Config] = {}
    for job in expand(overrides, composer.groups):
        try:
            config = composer.configuration(job)
        except UsageError as error:
            faults += error.faults
        else:
            found.setdefault((config.plain.output.folder, config.run_name), config)
    if faults:
        raise UsageError(*dict.fromkeys(faults))
    return list(found.values())


class Composer:
    """Composes over the shipped configuration folder and further ones."""

    def __init__(self, folders: Sequence[Path]) -> None:
        main, further = shipped("conf"), [folder.resolve() for folder in folders]
        self.groups = catalogue([main, *further])
        self._main = main
        self.search_path = [f"hydra.searchpath=[{','.join(f'file://{folder}' for folder in further)}]"] if further else []

    def configuration(self, job: Sequence[str]) -> Config:
        """The checked configuration of one job without sweeps. Raises UsageError naming all its faults."""
        overrides, faults = parse(job)
        chosen: list[str] = []
        values: list[Override] = []
        for override in overrides:
            if choices.is_choice(override, self.groups):
                text, wrong = choices.repaired(override, self.groups)
                faults += wrong
                chosen += [text] if text else []
            else:
                values.append(override)
        if not faults and not any(override.is_add() or override.is_delete() for override in overrides):
            with suppress(UsageError, HydraException, OmegaConfBaseException, ValueError):
                return self._at_once([*chosen, *(str(override.input_line) for override in values)])
        return self._in_steps(chosen, values, faults)

    def _at_once(self, texts: Sequence[str]) -> Config:
        """The configuration where nothing is wrong, by one composition. Raises what stands against it, in the words of whoever found it."""
        composed = self._composed(texts)
        if ablation := _misplaced_ablation(composed):
            raise UsageError(ablation)
        return check(_plain(composed, resolve=True))

    def _in_steps(self, chosen: list[str], values: Sequence[Override], faults: list[str]) -> Config:
        """The configuration, or all that is wrong with it: `faults` and what comes to light after them."""
        try:
            base = self._composed(chosen)
            if ablation := _misplaced_ablation(base):
                faults.append(ablation)
                chosen = [*(text for text in chosen if not text.startswith("ablation=")), "ablation=none"]
                base = self._composed(chosen)
            known = _plain(base, resolve=False)
            wrong_keys = {str(override.input_line): fault for override in values if (fault := key_fault(override, known, self.groups))}
            faults += wrong_keys.values()
            texts = [text for override in values if (text := str(override.input_line)) not in wrong_keys]
            config = check(_plain(self._composed([*chosen, *texts]), resolve=True))
        except UsageError as error:
            raise UsageError(*faults, *error.faults) from None
        except (HydraException, OmegaConfBaseException, ValueError) as error:
            raise UsageError(*faults, _in_one_line(error)) from error
        if faults:
            raise UsageError(*faults)
        return config

    def _composed(self, texts: Sequence[str]) -> DictConfig:
        return _compose(self._main, (*texts, *self.search_path))


@lru_cache(maxsize=64)
def _compose(main: Path, texts: tuple[str, ...]) -> DictConfig:
    """Hydra's composition, not to be changed: jobs of a sweep share it. It takes 80 ms."""
    with initialize_config_dir(str(main), version_base="1.3"):
        return compose("config", list(texts), return_hydra_config=True)


def _misplaced_ablation(base: DictConfig) -> str | None:
    """An ablation of a system without the components to take out."""
    chosen = base.hydra.runtime.choices
    ablation, system = chosen.get("ablation"), chosen.get("system")
    if ablation in (None, "none") or system is None:
        return None
    if "ablation" in registry.settings_class("system", str(system)).model_fields:
        return None
    return f"ablation={ablation} needs system=taec: {system} has none of the three components"


def _plain(composed: DictConfig, *, resolve: bool) -> dict[str, JsonValue]:
    kept = OmegaConf.masked_copy(composed, [str(node) for node in composed if node != "hydra"])
    return cast(dict[str, JsonValue], OmegaConf.to_container(kept, resolve=resolve, throw_on_missing=resolve))


def _in_one_line(error: Exception) -> str:
    """Hydra spreads what it says over lines and a chain of causes; OmegaConf begins with the key that cannot be resolved."""
    if isinstance(error, OmegaConfBaseException) and error.full_key:
        first = str(error.msg or error).splitlines()[0]
        return f"{error.full_key}: {first.removeprefix('KeyError raised while resolving interpolation: ')}"
    said = (str(error), str(error.__cause__ or ""))
    return "; ".join(line.strip() for text in said for line in text.splitlines() if line.strip())
