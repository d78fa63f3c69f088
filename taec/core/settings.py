"""The base of every typed settings class: what a configuration may hold is exactly what is declared."""

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Validated configuration of one option. Unknown keys are errors; values cannot change after validation."""

    model_config = ConfigDict(extra="forbid", frozen=True)
