from pathlib import Path

import pytest
from omegaconf import OmegaConf
from pydantic import ValidationError

from taec.requirements.base import Slots
from taec.requirements.keywords import Settings, build

OPTION = Path(__file__).parents[2] / "conf/requirements/keywords.yaml"


async def test_the_shipped_option_names_slots_without_a_call() -> None:
    source = build(Settings.model_validate(OmegaConf.to_container(OmegaConf.load(OPTION))), Path())
    assert await source.slots("What is the engine model of the Cessna 152?") == Slots(("Cessna 152", "engine", "model"), "keywords")
    assert await source.slots("What is it?") == Slots((), "keywords")


@pytest.mark.parametrize("limit", [0, 5])
def test_the_limit_has_a_range(limit: int) -> None:
    with pytest.raises(ValidationError):
        Settings(name="keywords", limit=limit)
