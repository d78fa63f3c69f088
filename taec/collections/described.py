"""Captions by a served model: one call a page, the page's picture and one prompt."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path

from taec.backbones import openai_chat
from taec.backbones.base import lanes
from taec.collections.kept import KeptCaptions
from taec.collections.reading import NO_BYTE_CAP, OCR_GRID, Reading, opened
from taec.collections.settings import CaptionSettings
from taec.core.chat import Message
from taec.core.errors import UsageError
from taec.core.images import ImageRules, encode
from taec.core.progress import Stage

PROMPT = """Describe this document page for a search engine.

Give its title and topic, write out its text and the numbers in its tables, and say what its figures and charts show, with labels
and values.
Write plain text in the language of the page, without an introduction."""
"""Ours: the paper says that captions come from a model and not what it was asked."""
PROMPT_HASH = sha256(PROMPT.encode()).hexdigest()[:16]
QUALITY = 90
"""JPEG quality of the picture that is sent (ours)."""
USUAL_CAPTION = 400
"""Tokens of a usual description, for `plan` (ours)."""


@dataclass(frozen=True, slots=True)
class Job:
    """A page to be described: its stored image and that file's digest."""

    file: Path
    sha256: str


def means(settings: CaptionSettings) -> str:
    """What a description depends on beside the image, as one text."""
    assert settings.model is not None
    return f"model {settings.model.model} {PROMPT_HASH} {settings.model_pixels}"


def build(settings: CaptionSettings) -> openai_chat.OpenAIChat:
    """The model. Raises UsageError where its key is missing."""
    assert settings.model is not None
    try:
        return openai_chat.build(settings.model, Path())
    except UsageError as error:
        raise UsageError(*(fault.replace("backbone.", "collection.captions.model.") for fault in error.faults)) from None


def describe(jobs: Sequence[Job], settings: CaptionSettings, kept: KeptCaptions, progress: Stage) -> dict[str, str]:
    """Describe the pages and keep each description when it comes; returns why some have none, by the image's digest.

    Raises InfrastructureError where the endpoint cannot be used: what is described stays.
    """
    return asyncio.run(_describe(jobs, settings, kept, progress))


async def _describe(jobs: Sequence[Job], settings: CaptionSettings, kept: KeptCaptions, progress: Stage) -> dict[str, str]:
    failed: dict[str, str] = {}
    waiting = list({job.sha256: job for job in jobs}.values())
    progress("describing pages", 0, len(waiting))
    async with aclosing(_answers(waiting, settings)) as answers:
        done = 0
        async for job, text, failure in answers:
            if text:
                kept.put(means(settings), job.sha256, Reading(text))
            else:
                failed[job.sha256] = failure
            done += 1
            progress("describing pages", done, len(waiting))
    return failed


async def _answers(jobs: Sequence[Job], settings: CaptionSettings) -> AsyncGenerator[tuple[Job, str, str], None]:
    model = build(settings)
    rules = ImageRules(QUALITY, NO_BYTE_CAP, OCR_GRID)

    async def ask(job: Job) -> tuple[Job, str, str]:
        picture = await asyncio.to_thread(lambda: encode(opened(job.file.read_bytes()), settings.model_pixels, rules))
        reply = await model.reply([Message.user(PROMPT, picture)], (), "none")
        return job, " ".join(reply.text.split()), reply.failure or f"the reply was {reply.outcome}"

    rest = iter(jobs)
    under_way = {asyncio.create_task(ask(job)) for job in islice(rest, settings.concurrency * lanes(model))}
    try:
        while under_way:
            done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
                if (job := next(rest, None)) is not None:
                    under_way.add(asyncio.create_task(ask(job)))
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        await model.close()
