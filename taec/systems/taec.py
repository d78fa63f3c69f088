"""TAEC: the DAG agent with coverage admission, adaptive exposure and detail allocation, or what an ablation leaves of them."""

from typing import Literal

from taec.systems.agent.bounds import bounds as bounds
from taec.systems.agent.loop import Agent
from taec.systems.agent.settings import AgentSettings

Ablation = Literal["none", "A", "M", "V", "AM", "AV", "MV", "no_pressure", "no_detail"]


class Settings(AgentSettings):
    """`ablation` names the file of `conf/ablation/` that set the strategies."""

    name: Literal["taec"]
    ablation: Ablation


def build(settings: Settings) -> Agent:
    """The agent with the strategies its settings name."""
    return Agent(settings)
