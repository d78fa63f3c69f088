"""Requirements from the question's own content words, without a model call (specification, section 3, variant `keywords`)."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from taec.coordination.keywords import content_words
from taec.core.settings import Settings as BaseSettings
from taec.requirements.base import Slots, SlotSource


class Settings(BaseSettings):
    """What `conf/requirements/keywords.yaml` holds."""

    name: Literal["keywords"]
    limit: int = Field(ge=1, le=4, description="keyword phrases kept of a question")


class Keywords(SlotSource):
    """Names a question's requirements by its own words."""

    def __init__(self, limit: int) -> None:
        self._limit = limit

    async def slots(self, question: str) -> Slots:
        """At most `limit` phrases, rarest-looking first; a question of nothing but stop words has none."""
        return Slots(content_words(question, self._limit), "keywords")


def build(settings: Settings, cache: Path) -> Keywords:
    """The source of requirements for a run."""
    return Keywords(settings.limit)
