"""The manifest of a run: what made its rows, so that a number can be traced and made again (specification, section 9)."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Self
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from taec.core.errors import InfrastructureError, UsageError
from taec.records.lines import replace_file
from taec.records.provenance import CodeState, Environment, redacted

MANIFEST = "manifest.json"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RetrieverFacts(_Part):
    """What was searched: the index identity (name, pages, digest) and the eight-probe fingerprint."""

    name: str
    pages: int
    digest: str
    fingerprint: str


class CollectionFacts(_Part):
    """The pages behind the index: a digest over the documents and rendering, their number, and the caption file's sha256."""

    digest: str
    pages: int
    captions_sha256: str


class JudgeFacts(_Part):
    """Who judged: the judge's name, the version of its rules or the hash of its prompt, the model that was asked ("" where none was),
    and the batch judged together (the latest; each row names its own)."""

    name: str
    rules: str
    batch: str
    model: str = ""

    def is_same(self, other: "JudgeFacts") -> bool:
        """Whether verdicts of both may stand side by side."""
        return (self.name, self.rules, self.model) == (other.name, other.rules, other.model)

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(filter(None, [self.model, self.rules]))})"


class SessionFacts(_Part):
    """One process that worked on the run. `ended` and `outcome` stay empty where it was killed."""

    started: datetime
    code: CodeState
    environment: Environment
    command: tuple[str, ...]
    ended: datetime | None = None
    outcome: str = ""


class Manifest(_Part):
    """Facts of one run. `configuration` is the digest of the resolved configuration, which is the run's identity; `prompts` is the digest
    of every text that systems say to the acting model.

    A run that was continued has several `sessions`, each with the code that made its rows.
    """

    run_id: str = Field(default_factory=lambda: str(uuid4()))
    created: datetime = Field(default_factory=lambda: now())
    configuration: str
    system: str
    prompts: str
    retriever: RetrieverFacts
    collection: CollectionFacts
    benchmark: dict[str, JsonValue]
    backbone: dict[str, JsonValue]
    requirements: dict[str, JsonValue] = Field(default_factory=dict)
    judge: JudgeFacts
    sessions: tuple[SessionFacts, ...] = ()

    def begin(self, code: CodeState, environment: Environment, command: tuple[str, ...] | None = None) -> Self:
        """With a new session, started now; `command` is this process's command line unless given, secrets struck out."""
        session = SessionFacts(started=now(), code=code, environment=environment, command=redacted(command or tuple(sys.argv)))
        return self.model_copy(update={"sessions": (*self.sessions, session)})

    def end(self, outcome: str) -> Self:
        """With the latest session ended now."""
        *earlier, last = self.sessions
        return self.model_copy(update={"sessions": (*earlier, last.model_copy(update={"ended": now(), "outcome": outcome}))})

    def judged(self, judge: JudgeFacts) -> Self:
        """With the judge of the verdicts that stand now."""
        return self.model_copy(update={"judge": judge})


def now() -> datetime:
    """The time in UTC, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)


def new_batch() -> str:
    """A name for answers judged together."""
    return uuid4().hex[:12]


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `manifest.json`: the old one stays until the new one is whole on the disk."""
    replace_file(folder / MANIFEST, [manifest.model_dump_json(indent=2)])


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run folder. Raises UsageError where there is none, InfrastructureError where it cannot be read."""
    path = folder / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise UsageError(f"{folder} is not a run folder: it has no {MANIFEST}.") from None
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"])) or "the file"
        raise InfrastructureError(
            f"{path} cannot be read as a manifest ({where}: {fault['msg']}). Restore it, or move the folder away."
        ) from None
