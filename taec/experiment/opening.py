"""Opening a retriever from the files that are there, in a process that is told no more than where they are.

This module imports little: it is what a worker of the retrieval service waits for.
"""

from dataclasses import dataclass
from pathlib import Path

from taec.collections.store import Collection
from taec.core.progress import untold
from taec.core.settings import Settings
from taec.experiment.registry import option
from taec.retrievers.base import Retriever

INDICES = "indices"
"""The folder of a collection in which retrievers keep their files."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A retriever by the module of its option, its settings, and the folder of its collection."""

    module: str
    settings: Settings
    folder: Path

    def __call__(self) -> Retriever:
        """The retriever. Raises InfrastructureError where its files are gone or damaged."""
        corpus = Collection(self.folder).corpus(self.folder / INDICES)
        retriever: Retriever = option("retriever", self.module).build(self.settings, corpus, untold)
        return retriever
