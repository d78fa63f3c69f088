"""`python -m taec check backbone=...`: one tiny request with a picture and a tool, and what it shows in plain words."""

import asyncio

from taec.backbones.base import Backbone
from taec.commands.arguments import Arguments, require_none
from taec.core.errors import InfrastructureError, UsageError
from taec.experiment.checking import Finding, advice, ask, findings
from taec.experiment.compose import configurations
from taec.experiment.console import say
from taec.experiment.locations import cache_folder
from taec.experiment.money import served
from taec.experiment.registry import option

FAULTY = 1


def main(asked: Arguments) -> int:
    """Ask and tell. 0 where a run would work, 1 where it would not, 2 where the request could not be made."""
    require_none(asked)
    configs = configurations(asked.words, multirun=asked.multirun, folders=asked.folders)
    codes = [0]
    for config in configs:
        settings = config.options["backbone"]
        model = served(settings)
        say(f"backbone={config.option('backbone')}" + (f": {model.model} at {model.base_url}" if model else ""))
        try:
            backbone: Backbone = option("backbone", config.module("backbone")).build(settings, cache_folder(config.plain.cache.folder))
        except UsageError as error:
            _tell([Finding(False, fault) for fault in error.faults])
            codes.append(error.exit_code)
            continue
        try:
            reply = asyncio.run(ask(backbone, config.plain.budget.rules()))
        except InfrastructureError as error:
            found = [Finding(False, str(error).splitlines()[0], advice("", str(error)))]
        else:
            found = findings(reply, model)
        _tell(found)
        codes.append(0 if all(each.works for each in found) else FAULTY)
    return max(codes)


def _tell(found: list[Finding]) -> None:
    for each in found:
        say(f"  {'works' if each.works else 'does not work'}: {each.text}")
        if each.advice:
            say(f"    {'to know' if each.works else 'to change'}: {each.advice}")
