"""The page that `--help` prints. It reads the configuration folders and imports nothing heavy."""

from collections.abc import Sequence
from pathlib import Path

from taec.commands.arguments import VERBS
from taec.experiment.catalogue import catalogue
from taec.experiment.locations import shipped

PAGE = """\
taec runs experiments on multi-step visual retrieval-augmented generation: a question goes in, a system searches page
images and answers, and a judged row comes out. TAEC and its baselines run under one protocol.

Usage: python -m taec [verb] [group=option] [key=value] [-m] [flags]

Verbs
{verbs}

Groups and their options (the default run takes those of conf/config.yaml)
{groups}

Flags
  -m, --multirun        one run for each combination of comma-separated values; may stand anywhere
  --cfg job             print the composed configuration and run nothing (--resolve: with references filled in)
  --config-dir DIR      take further options from a folder of your own
  --info                what Hydra composes from where
  -sc install=bash      print what sets up shell completion:  eval "$(python -m taec -sc install=bash)"
  --version             print the version

Examples
  python -m taec                                          the default run: a dozen questions, no key, no network
  python -m taec system=react benchmark.limit=50          another system, more questions
  python -m taec system=taec -m ablation=A,M,V            three runs and a table of them
  python -m taec track runs/*                             export finished runs to MLflow

The same command continues a run that was stopped: finished questions stay, missing ones are answered.
"""


def page(folders: Sequence[Path]) -> str:
    """The help page, with the options of further configuration folders."""
    known = catalogue([shipped("conf"), *(folder for folder in folders if folder.is_dir())])
    verbs = [f"  {verb:<14}{meaning}" for verb, meaning in VERBS.items()]
    groups = [f"  {group:<14}{', '.join(options)}" for group, options in known.items() if options]
    return PAGE.format(verbs="\n".join(verbs), groups="\n".join(groups))
