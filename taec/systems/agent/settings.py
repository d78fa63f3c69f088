"""Typed settings of the DAG agent, shared by `dag` and `taec`. Values and their provenance stand in `conf/system/dag.yaml`."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from taec.core.settings import Settings as Base

Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]


class AdmissionSettings(Base):
    """Which of a search's candidates are placed before the model (specification, section 4)."""

    strategy: Literal["top_k", "coverage"]
    pool_factor: Count
    pool_limit: Count
    alpha: Weight
    beta: Weight
    eta: Weight
    gain: Literal["marginal", "modular"]
    filter: Literal["after_selection", "before_selection"]


class DecaySettings(Base):
    """Decay rate of a memory's energy for each node of age, by granularity."""

    page: Weight
    region: Weight
    entity: Weight


class MemorySettings(Base):
    """Which retained pictures are re-presented (specification, section 2)."""

    images: Count
    granularity: Literal["page", "region"]
    selection: Literal["newest", "energy"]
    priority: Literal["self_reported", "measured"]
    gamma: Weight
    decay: DecaySettings


class CueSettings(Base):
    """Phrases that tell what a summary says, English and Chinese."""

    no_result: tuple[str, ...]
    partial: tuple[str, ...]
    unclear: tuple[str, ...]
    confidence: tuple[str, ...]
    negations: tuple[str, ...]


class ExposureSettings(Base):
    """How the stored graph is shown (specification, section 5); `max_graph_chars` is L_t in characters, null for none."""

    strategy: Literal["full", "adaptive"]
    hints: Literal["none", "cues"]
    recent: Count
    max_graph_chars: Count | None
    cues: CueSettings


class OnsetSettings(Base):
    """Characters of text at which the memory budget starts to grow, and at which it has grown fully."""

    onset: Annotated[int, Field(ge=0)]
    full: Count

    @model_validator(mode="after")
    def _grows(self) -> "OnsetSettings":
        if self.full <= self.onset:
            raise ValueError(f"full ({self.full}) has to be above onset ({self.onset})")
        return self


class AllocationSettings(Base):
    """How the pixels of re-presented pictures are shared (specification, section 6)."""

    strategy: Literal["uniform", "proportional", "detail"]
    kappa: Share
    tau: Weight
    demand: Literal["caption_and_slots", "caption", "constant"]
    region_share: Share
    min_pixels: Count
    max_pixels: Count
    min_searches: Count
    pressure: Literal["none", "late", "early"]
    rho: Weight
    early: OnsetSettings
    late: OnsetSettings

    @model_validator(mode="after")
    def _ordered(self) -> "AllocationSettings":
        if self.max_pixels < self.min_pixels:
            raise ValueError(f"max_pixels ({self.max_pixels}) is below min_pixels ({self.min_pixels})")
        return self


class AgentSettings(Base):
    """Everything the DAG agent can be told."""

    first_search: Literal["question", "model"]
    admission: AdmissionSettings
    memory: MemorySettings
    exposure: ExposureSettings
    allocation: AllocationSettings
