"""The base of every typed settings class: what a configuration may hold is exactly what is declared."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict, JsonValue


class Settings(BaseModel):
    """Validated configuration of one option. Unknown keys are errors; values cannot change after validation."""

    outside_identity: ClassVar[frozenset[str]] = frozenset()
    """Fields that say how fast or by whose leave, not what: a run goes on where only they differ."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def identity(self) -> dict[str, JsonValue]:
        """The values that say what is run, here and in settings within these."""
        values: dict[str, JsonValue] = self.model_dump(mode="json", exclude=set(self.outside_identity))
        inner = {name: node for name in values if isinstance(node := getattr(self, name), Settings)}
        return values | {name: node.identity() for name, node in inner.items()}
