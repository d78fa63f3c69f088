"""GPT-4.1 as judge (paper, appendix B)."""

from typing import Literal

from taec.backbones import text
from taec.judges import model


class Settings(model.Settings):
    """Values and their provenance stand in `conf/judge/gpt_4_1.yaml`."""

    name: Literal["gpt_4_1"]


def build(settings: Settings) -> model.ModelJudge:
    """The judge. Raises UsageError where its key is missing."""
    return model.ModelJudge(settings.name, text.build(settings.model, "judge.model"), settings.attempts)
