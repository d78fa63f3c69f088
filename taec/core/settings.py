"""The base of every typed settings class: what a configuration may hold is exactly what is declared."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Validated configuration of one option. Unknown keys are errors; values cannot change after validation."""

    outside_identity: ClassVar[frozenset[str]] = frozenset()
    """Fields that say how fast or by whose leave, not what: a run goes on where only they differ."""

    model_config = ConfigDict(extra="forbid", frozen=True)
