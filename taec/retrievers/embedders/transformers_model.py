"""Vectors from a local model by `transformers`: Qwen3-VL-Embedding over page images or captions, or a text model over captions.

The last hidden state at the last token is the vector, as Qwen3-VL-Embedding, Qwen3-Embedding and their kin are trained. Models come from a
folder, never from a hub.
"""

import asyncio
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from taec.core.errors import InfrastructureError, UsageError
from taec.core.images import fit
from taec.core.settings import Settings as BaseSettings
from taec.retrievers.base import Corpus
from taec.retrievers.embedders.base import Vectors, unit
from taec.retrievers.local_model import device, require, silence

if TYPE_CHECKING:
    from PIL import Image
    from transformers import PreTrainedModel, ProcessorMixin

CELL = 32
"""Pixels; the grid that images are snapped to (two patches of 16), so that the processor leaves their size alone."""
Content = list[dict[str, object]]


class Settings(BaseSettings):
    """Which model, what of a page it is given, and how it is run."""

    outside_identity: ClassVar[frozenset[str]] = frozenset({"path", "device", "batch"})

    kind: Literal["transformers"]
    model: str = Field(min_length=1)
    """The model's name: what an index is known by, wherever the folder lies."""
    path: Path
    """Folder of the model and its processor or tokenizer, as downloaded."""
    inputs: Literal["caption", "image"]
    """What of a page is embedded."""
    dimensions: int = Field(ge=1)
    """Of the vectors; fewer than the model's own keep the first ones, for models that are trained to be shortened."""
    query_instruction: str
    page_instruction: str
    """Instructions: the system message where the model has a chat template, else before the text."""
    longest_text: int = Field(ge=1)
    """Characters of a caption that are embedded."""
    image_pixels: int = Field(ge=1024)
    """Area in pixels of the page that the model is given."""
    dtype: Literal["float32", "bfloat16", "float16"]
    device: str
    """`auto`, `cpu`, `cuda`, `cuda:1`, ..."""
    batch: int = Field(ge=1)
    """Pages in one pass of the model."""


class TransformersEmbedder:
    """Pages of a batch are padded on the left, so the last token is the last one of each."""

    def __init__(self, settings: Settings, model: "PreTrainedModel", processor: "ProcessorMixin", corpus: Corpus) -> None:
        self.words = f"{settings.model}-{settings.dimensions} of {settings.inputs}s"
        self.libraries: Mapping[str, str] = {"transformers": version("transformers")}
        self.content = corpus.digest if settings.inputs == "image" else ""
        self.dimensions = settings.dimensions
        self.batch = settings.batch
        self._settings = settings
        self._model = model
        self._processor = processor
        self._corpus = corpus

    def embed_pages(self, page_ids: Sequence[str]) -> Vectors:
        instruction = self._settings.page_instruction
        if self._settings.inputs == "image":
            images = [self._image(page_id) for page_id in page_ids]
            return self._run([self._written(instruction, [{"type": "image"}])] * len(images), images)
        captions = [self._corpus.captions[page_id] for page_id in page_ids]
        return self._run([self._said(instruction, caption) for caption in captions])

    async def embed_query(self, query: str) -> Vectors:
        return await asyncio.to_thread(self._run, [self._said(self._settings.query_instruction, query)])

    def _image(self, page_id: str) -> "Image.Image":
        from PIL import Image

        image = self._corpus.pages.image(page_id)
        return image.resize(fit(image.width, image.height, self._settings.image_pixels, CELL), Image.Resampling.LANCZOS)

    def _said(self, instruction: str, text: str) -> str:
        return self._written(instruction, [{"type": "text", "text": text[: self._settings.longest_text]}])

    def _written(self, instruction: str, content: Content) -> str:
        """The prompt up to where the model would begin its answer, the instruction as its system message."""
        if getattr(self._processor, "chat_template", None) is None:
            return instruction + str(content[0].get("text", ""))
        messages = [{"role": "system", "content": [{"type": "text", "text": instruction}]}, {"role": "user", "content": content}]
        return str(self._processor.apply_chat_template(messages, add_generation_prompt=True, tokenize=False))

    def _run(self, texts: list[str], images: "list[Image.Image] | None" = None) -> Vectors:
        import torch

        pictures = {} if images is None else {"images": images}
        batch = self._processor(text=[text or " " for text in texts], padding=True, return_tensors="pt", **pictures)
        with torch.inference_mode():
            states = self._model(**batch.to(self._model.device)).last_hidden_state[:, -1]
        vectors: Vectors = states[:, : self.dimensions].float().cpu().numpy()
        if vectors.shape[1] != self.dimensions:
            raise InfrastructureError(f"{self._settings.path} gives {vectors.shape[1]} dimensions; {self.dimensions} are configured.")
        return unit(vectors)


def build(settings: Settings, corpus: Corpus) -> TransformersEmbedder:
    """The model in its folder. Raises UsageError where it or its library is missing, or cannot take what it is to embed."""
    require(settings.path, "transformers", ("torch", "transformers"))
    import torch
    from transformers import AutoModel, AutoProcessor

    silence()
    try:
        model = AutoModel.from_pretrained(settings.path, local_files_only=True, dtype=getattr(torch, settings.dtype))
        processor = AutoProcessor.from_pretrained(settings.path, local_files_only=True)
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise UsageError(f"{settings.path} cannot be loaded: {str(error).splitlines()[0]}") from error
    if settings.inputs == "image" and not hasattr(processor, "image_processor"):
        raise UsageError(f"{settings.path} takes no images: its processor has none for them. Set inputs=caption of the embedder.")
    tokenizer = getattr(processor, "tokenizer", processor)
    tokenizer.padding_side = "left"
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return TransformersEmbedder(settings, model.eval().to(device(settings.device)), processor, corpus)
