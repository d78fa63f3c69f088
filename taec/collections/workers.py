"""Rendering documents side by side.

Rendering takes processes, since pdfium is not thread-safe. A document is rendered into a temporary folder that takes its final
name when it is complete: a build that was killed goes on with the documents that are missing.
"""

import multiprocessing
import os
import shutil
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from taec.collections.render import DocumentTrouble, PageTrouble, RenderRules, open_document, render_page
from taec.collections.store import PAGES, StoredDocument, StoredPage, document_folder
from taec.core.errors import InfrastructureError
from taec.core.progress import Stage


@dataclass(frozen=True, slots=True)
class Source:
    """A document file by its exact name."""

    path: Path
    name: str
    sha256: str


class RenderedDocument(BaseModel):
    """`document.json` beside a document's images: what was stored, and the text layer of each stored page."""

    document: StoredDocument
    texts: list[str]


def render_missing(folder: Path, sources: Sequence[Source], rules: RenderRules, progress: Stage) -> None:
    """Render what `folder` does not hold yet. Raises InfrastructureError where a process is lost."""
    for leftover in (folder / PAGES).glob("*.partial"):
        shutil.rmtree(leftover, ignore_errors=True)
    missing = [position for position in range(len(sources)) if not details_file(folder, position).exists()]
    if not missing:
        return
    stage, done = "rendering documents", len(sources) - len(missing)
    progress(stage, done, len(sources))
    # the largest first, so that no process is left with a long one at the end
    missing.sort(key=lambda position: -sources[position].path.stat().st_size)
    workers = min(os.cpu_count() or 1, len(missing))
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _end_with_parent)
    try:
        jobs = [pool.submit(render_document, sources[position], document_folder(folder, position), rules) for position in missing]
        for job in as_completed(jobs):
            job.result()
            done += 1
            progress(stage, done, len(sources))
    except BrokenProcessPool as error:
        unfinished = ", ".join(sources[position].name for position in missing if not details_file(folder, position).exists())
        raise InfrastructureError(
            f"A process that renders documents crashed or was ended from outside, perhaps for want of memory. Not done: {unfinished}."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """Set up a rendering process: Ctrl-C is for the parent to handle, and a parent that was killed takes its children along."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def render_document(source: Source, folder: Path, rules: RenderRules) -> None:
    """Render all pages of `source` into `folder`, which appears when it is complete."""
    partial = folder.with_name(f"{folder.name}.{os.getpid()}.partial")
    partial.mkdir()
    stored = StoredDocument(name=source.name, sha256=source.sha256)
    texts: list[str] = []
    try:
        with open_document(source.path) as document:
            for number in range(1, len(document) + 1):
                try:
                    page = render_page(document, number, rules)
                except PageTrouble as trouble:
                    stored.page_troubles.append(str(trouble))
                    continue
                (partial / f"{number}.jpg").write_bytes(page.jpeg)
                stored.pages.append(StoredPage(number=number, width=page.width, height=page.height))
                texts.append(page.text)
        if not stored.pages:
            raise DocumentTrouble(f"{source.name} has no page that can be rendered: {'; '.join(stored.page_troubles)}")
    except DocumentTrouble as trouble:
        stored.trouble = str(trouble)
    (partial / "document.json").write_bytes(RenderedDocument(document=stored, texts=texts).model_dump_json().encode())
    partial.rename(folder)


def details_file(folder: Path, position: int) -> Path:
    """The RenderedDocument of the document at `position` (from 0); it is there when all of its images are."""
    return document_folder(folder, position) / "document.json"
