"""What captions by a model would take: a call for each page that is not described yet."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from taec.collections.build import rules_of
from taec.collections.captioning import to_describe
from taec.collections.described import PROMPT, USUAL_CAPTION
from taec.collections.kept import KeptCaptions
from taec.collections.rendered import RenderedDocument, read_document
from taec.collections.rendering import folder_of
from taec.documents.base import Document
from taec.documents.identity import digests
from taec.documents.pdf import page_count
from taec.experiment.config import Config
from taec.experiment.locations import cache_folder
from taec.experiment.money import Prices
from taec.systems.bounds import CHARACTERS_A_TOKEN


@dataclass(frozen=True, slots=True)
class CaptionPlan:
    """Pages, and those still to be described: a call and an image each. Tokens and dollars as expected and at most; None is unknown."""

    model: str
    pages: int
    calls: int
    tokens: tuple[float, float]
    cost: tuple[float | None, float | None]


def caption_plan(config: Config, documents: Sequence[Document]) -> CaptionPlan | None:
    """The plan for the captions of `documents`; None where no model makes them. Renders nothing: pages are counted in the files."""
    settings = config.plain.collection
    model = settings.captions.model
    if settings.captions.source != "model" or model is None:
        return None
    cache = cache_folder(config.plain.cache.folder)
    rendered, unrendered = [], 0
    memory = cache / "files.sqlite" if cache.is_dir() else None
    for document, digest in zip(documents, digests(documents, memory), strict=True):
        if isinstance(digest, OSError):
            continue
        folder = folder_of(cache / "pages", digest, rules_of(settings))
        if (found := read_document(folder)) is not None:
            rendered.append((folder, found))
        else:
            unrendered += len(document.images) or page_count(document) or 0
    calls = unrendered + _undescribed(config, [found for _, found in rendered])
    prompt = calls * (len(PROMPT) / CHARACTERS_A_TOKEN + model.limits.image_tokens)
    replies = calls * min(USUAL_CAPTION, model.request.max_tokens), calls * model.request.max_tokens
    prices = Prices(model.prices.input, model.prices.output)
    usual, most = ((prompt + reply, prices.cost(prompt, reply)) for reply in replies)
    pages = unrendered + sum(len(found.pages) for _, found in rendered)
    return CaptionPlan(model.model, pages, calls, (usual[0], most[0]), (usual[1], most[1]))


def _undescribed(config: Config, rendered: Sequence[RenderedDocument]) -> int:
    file = cache_folder(config.plain.cache.folder) / "captions.sqlite"
    kept = KeptCaptions(file) if file.is_file() else None
    try:
        return to_describe(rendered, config.plain.collection, kept)
    finally:
        if kept is not None:
            kept.close()


def caption_warnings(config: Config) -> Iterator[str]:
    """What stands in the way of describing pages, or of knowing its price."""
    captions = config.plain.collection.captions
    if captions.source != "model" or captions.model is None:
        return
    if None in (captions.model.prices.input, captions.model.prices.output):
        yield f"collection.captions: the price of {captions.model.model} is unknown; set its prices.input and prices.output"
    for variable in captions.model.variables:
        if not os.environ.get(variable):
            yield f"collection.captions: the environment variable {variable} is not set; index would refuse to start"
