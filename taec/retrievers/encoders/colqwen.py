"""ColQwen2.5 over page images, by its own library (colpali-engine); from a folder, never from a hub."""

import asyncio
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from taec.core.errors import UsageError
from taec.core.pages import PageStore
from taec.core.settings import Settings as BaseSettings
from taec.retrievers.base import Corpus
from taec.retrievers.embedders.base import Vectors
from taec.retrievers.local_model import device, require, silence

if TYPE_CHECKING:
    import torch
    from colpali_engine.models import ColQwen2_5, ColQwen2_5_Processor


class Settings(BaseSettings):
    """Which model, and how it is run."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"path", "device", "batch"})

    kind: Literal["colqwen"]
    model: str = Field(min_length=1)
    """The model's name: what an index is known by, wherever the folder lies."""
    path: Path
    """Folder of the model and its processor, as downloaded."""
    max_visual_tokens: int = Field(ge=4)
    """Most image tokens of a page, of 28 x 28 pixels each; larger pages are shrunk."""
    dtype: Literal["float32", "bfloat16", "float16"]
    device: str
    """`auto`, `cpu`, `cuda`, `cuda:1`, ..."""
    batch: int = Field(ge=1)
    """Pages in one pass of the model."""


class ColQwen:
    """128 dimensions a token; one token for each 28 x 28 pixels, and those of the prompt around the image."""

    dimensions = 128

    def __init__(self, settings: Settings, model: "ColQwen2_5", processor: "ColQwen2_5_Processor", pages: PageStore, content: str) -> None:
        self.words = f"{settings.model}-{self.dimensions} {settings.max_visual_tokens} visual tokens"
        self.libraries: Mapping[str, str] = {"colpali-engine": version("colpali-engine")}
        self.content = content
        self.batch = settings.batch
        self._model = model
        self._processor = processor
        self._pages = pages

    def encode_pages(self, page_ids: Sequence[str]) -> Sequence[Vectors]:
        return self._run(self._processor.process_images([self._pages.image(page_id) for page_id in page_ids]))

    async def encode_query(self, query: str) -> Vectors:
        return await asyncio.to_thread(self._encode_query, query)

    def _encode_query(self, query: str) -> Vectors:
        return self._run(self._processor.process_queries([query]))[0]

    def _run(self, batch: "Mapping[str, torch.Tensor]") -> list[Vectors]:
        """The model's vectors without those of the padding."""
        import torch

        moved = {name: tensor.to(self._model.device) for name, tensor in batch.items()}
        with torch.inference_mode():
            vectors = self._model(**moved).float().cpu().numpy()
        there = moved["attention_mask"].bool().cpu().numpy()
        return [np.ascontiguousarray(rows[mask]) for rows, mask in zip(vectors, there, strict=True)]


def build(settings: Settings, corpus: Corpus) -> ColQwen:
    """The model in its folder. Raises UsageError where it or its library is missing."""
    require(settings.path, "colqwen", ("torch", "torchvision", "transformers", "colpali_engine"))
    import torch
    from colpali_engine.models import ColQwen2_5, ColQwen2_5_Processor

    silence()
    try:
        model = ColQwen2_5.from_pretrained(settings.path, local_files_only=True, dtype=getattr(torch, settings.dtype))
        processor = ColQwen2_5_Processor.from_pretrained(
            settings.path, local_files_only=True, max_num_visual_tokens=settings.max_visual_tokens
        )
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"{settings.path} cannot be loaded as ColQwen2.5: {str(error).splitlines()[0]}") from error
    return ColQwen(settings, model.eval().to(device(settings.device)), processor, corpus.pages, corpus.digest)
