"""The typed configuration of one run.

Each group is checked by the settings class of the option chosen in it; the nodes that belong to no option are declared here.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field, JsonValue, field_validator, model_validator

from taec.collections.settings import CollectionSettings
from taec.core.images import ImageRules
from taec.core.settings import Settings
from taec.experiment.store import Store
from taec.systems.base import Budgets

Positive = Annotated[int, Field(ge=1)]


class RunSettings(Settings):
    """How questions are answered; nothing here changes a row."""

    concurrency: Positive
    retry_failures: bool
    expected_fingerprint: Annotated[str, Field(pattern="^[0-9a-f]{16}$")] | None


class OutputSettings(Settings):
    """The parent of the run folders."""

    folder: Path


class CacheSettings(Settings):
    """Where what can be made again goes; null is the user's own cache folder."""

    folder: Path | None


class TrackingSettings(Settings):
    """Where a run is exported to; the same keys for every option, null where unused."""

    name: Literal["mlflow", "none"]
    folder: Path | None
    experiment: Annotated[str, Field(min_length=1)] | None

    @model_validator(mode="after")
    def _store_is_named(self) -> "TrackingSettings":
        if self.name == "mlflow" and (self.folder is None or self.experiment is None):
            raise ValueError("mlflow needs a folder and an experiment; tracking=none exports nothing")
        return self

    def store(self) -> Store | None:
        """The MLflow store, None where nothing is exported."""
        if self.folder is None or self.experiment is None or self.name == "none":
            return None
        return Store(self.folder.expanduser().resolve(), self.experiment)


class ImageSettings(Settings):
    """How a sent image is encoded."""

    quality: Annotated[int, Field(ge=1, le=95)]
    max_bytes: Annotated[int, Field(ge=1000)]
    grid: Positive


class BudgetSettings(Settings):
    """What one question may cost (paper, appendix B), and what a whole run may: `max_cost` US dollars, `max_tokens` of all its models."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"max_cost", "max_tokens"})

    name: str
    model_calls: Positive
    pages: Positive
    fresh_pixels: Annotated[int, Field(ge=1024)]
    memory_pixels: Annotated[int, Field(ge=1024)]
    image: ImageSettings
    max_cost: Annotated[float, Field(gt=0)] | None
    max_tokens: Positive | None

    def limits(self) -> Budgets:
        """The part that systems see."""
        return Budgets(self.model_calls, self.pages, self.fresh_pixels, self.memory_pixels)

    def rules(self) -> ImageRules:
        """The part that the image encoder keeps to."""
        return ImageRules(self.image.quality, self.image.max_bytes, self.image.grid)


class ServeSettings(Settings):
    """The services of the verb `serve`: address, and what they take. Port 0 is any that is free.

    The last four are a retriever's alone.
    """

    host: str
    port: Annotated[int, Field(ge=0, le=65535)]
    max_body_bytes: Annotated[int, Field(ge=1000)]
    concurrency: Positive
    queue: Annotated[int, Field(ge=0)]
    request_seconds: Annotated[float, Field(gt=0)]
    connections: Positive
    workers: Positive
    max_k: Positive
    max_query_characters: Positive
    token_env: Annotated[str, Field(min_length=1)] | None

    @property
    def is_loopback(self) -> bool:
        """Whether the address is this machine's own."""
        return ip_address(self.host).is_loopback

    @model_validator(mode="after")
    def _asks_for_a_token_elsewhere(self) -> "ServeSettings":
        try:
            if self.is_loopback or self.token_env is not None:
                return self
        except ValueError:
            raise ValueError(f"host={self.host} is no IP address; 127.0.0.1 is this machine's own") from None
        raise ValueError(
            f"host={self.host} has to be an address of this machine's own, 127.0.0.1 or ::1. A retriever is served on another one "
            "where serve.token_env names the environment variable with the token that clients give"
        )


class RetrievalSettings(Settings):
    """What the verb `retrieval` measures."""

    k: Annotated[tuple[Positive, ...], Field(min_length=1)]

    @field_validator("k", mode="before")
    @classmethod
    def _one_or_several(cls, cuts: object) -> object:
        return tuple(cuts) if isinstance(cuts, list) else (cuts,)

    @field_validator("k")
    @classmethod
    def _ascends(cls, cuts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(set(cuts)))


class PlainSettings(Settings):
    """The nodes that belong to no option."""

    documents: Path | tuple[Path, ...] | None = Field(default=None, exclude=True)  # a run has the benchmark's: not part of what is saved
    collection: CollectionSettings
    budget: BudgetSettings
    tracking: TrackingSettings
    run: RunSettings
    output: OutputSettings
    cache: CacheSettings
    serve: ServeSettings
    retrieval: RetrievalSettings

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folders and files of `documents`, none where the benchmark's own are meant."""
        named = self.documents
        return () if named is None else (named,) if isinstance(named, Path) else named


OUTSIDE_IDENTITY = frozenset({"tracking", "run", "output", "cache", "serve", "retrieval"})
"""Nodes that say where and how fast, not what: configurations that differ only there are the same run."""


@dataclass(frozen=True)
class Config:
    """A checked configuration: settings of the option chosen in each group, by kind, and the nodes that belong to no option."""

    options: Mapping[str, Settings]
    plain: PlainSettings

    @cached_property
    def resolved(self) -> dict[str, dict[str, JsonValue]]:
        """The whole as plain data, as it is saved with a run."""
        options = {kind: settings.model_dump(mode="json") for kind, settings in self.options.items()}
        return options | self.plain.model_dump(mode="json")

    @cached_property
    def digest(self) -> str:
        """12 hex digits that say what is run: sha256 of the canonical JSON of the nodes that belong to a run's identity."""
        options = {kind: settings.identity() for kind, settings in self.options.items()}
        kept = options | {node: values for node, values in self.plain.identity().items() if node not in OUTSIDE_IDENTITY}
        canonical = json.dumps(kept, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return sha256(canonical.encode()).hexdigest()[:12]

    def option(self, kind: str) -> str:
        """The name of the option chosen in a group."""
        return str(self.resolved[kind]["name"])

    def module(self, kind: str) -> str:
        """The name of the module behind the option chosen in a group: its own, unless several options share one."""
        return str(self.resolved[kind].get("module", self.option(kind)))

    @property
    def ablation(self) -> str:
        """The ablation, `none` where there is none."""
        return str(self.resolved["system"].get("ablation", "none"))

    @property
    def label(self) -> str:
        """`<system>` or `<system>-<ablation>`: what a table calls this run."""
        return self.option("system") if self.ablation == "none" else f"{self.option('system')}-{self.ablation}"

    @property
    def run_name(self) -> str:
        """`<benchmark>-<system>[-<ablation>]-<backbone>-<digest>`, the name of the run folder."""
        return "-".join([self.option("benchmark"), self.label, self.option("backbone"), self.digest])
