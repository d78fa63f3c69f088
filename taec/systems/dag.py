"""The DAG agent: the substrate without the three TAEC components (specification, sections 2 and 7)."""

from typing import Literal

from taec.systems.agent.bounds import bounds as bounds
from taec.systems.agent.loop import Agent
from taec.systems.agent.settings import AgentSettings


class Settings(AgentSettings):
    """Values and their provenance stand in `conf/system/dag.yaml`."""

    name: Literal["dag"]


def build(settings: Settings) -> Agent:
    """The agent with the strategies its settings name."""
    return Agent(settings)
