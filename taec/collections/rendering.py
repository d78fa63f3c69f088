"""Rendering what the store does not hold yet: documents are opened, then their pages rendered, on all cores.

A process stays with a document while it has pages left, since fonts and pictures are read once a document; when no document is
untouched it helps with the one that has most left.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeGuard

from filelock import FileLock

from taec.collections.pages import OPEN, Answer, Opened, Refused, RenderRules, StoredImage, Task
from taec.collections.processes import Death, Processes, cores
from taec.collections.rendered import RenderedDocument, note, noted, read_document, render_key, write_document
from taec.collections.workers import work
from taec.core.progress import Stage
from taec.documents.base import Document

Ready = Callable[[Path, RenderedDocument], None]
"""Told of each document once, with the folder of its pages, when they all are there."""


@dataclass(frozen=True, slots=True)
class Source:
    """A document with the digest of its content and, where it has one, its password."""

    document: Document
    sha256: str
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Rendered:
    """For each source its pages or why there are none, and how many pages were made now and how many were there."""

    documents: tuple[RenderedDocument | Refused, ...]
    made: int
    reused: int


@dataclass
class _Job:
    """A document under way."""

    task: Task
    document: Document
    pages: dict[int, StoredImage | Refused]
    opened: Opened | None = None
    left: deque[int] = field(default_factory=deque)
    under_way: int = 0
    owner: int | None = None

    def __post_init__(self) -> None:
        self._images = dict(self.document.images)

    def of(self, number: int) -> Task:
        return replace(self.task, number=number, image=self._images.get(number))


def folder_of(store: Path, source_sha256: str, rules: RenderRules) -> Path:
    """Where the pages of a document lie."""
    return store / render_key(source_sha256, rules.pixels, rules.quality)


def render_missing(store: Path, sources: Sequence[Source], rules: RenderRules, progress: Stage, ready: Ready) -> Rendered:
    """All sources rendered, those missing in `store` now; of two processes one renders and the other waits.

    Raises InfrastructureError where the disk fails or a process is ended from outside. Finished pages stay.
    """
    folders = [folder_of(store, source.sha256, rules) for source in sources]
    found = {folder: read_document(folder) for folder in folders}
    finished = {folder: document for folder, document in found.items() if _is_done(document, rules)}
    if len(finished) == len(found):
        for folder, document in finished.items():
            ready(folder, document)
        return Rendered(tuple(finished[folder] for folder in folders), 0, sum(len(document.pages) for document in finished.values()))
    store.mkdir(parents=True, exist_ok=True)
    with FileLock(store.with_suffix(".lock")):
        return _Rendering(folders, sources, rules, progress, ready).done()


def _may_do_now(page: Refused, rules: RenderRules) -> bool:
    """Whether a page passed a limit that is wider now."""
    return page.kind == "limit" and (page.limits[0] < rules.memory or page.limits[1] < rules.seconds)


def _is_done(document: RenderedDocument | None, rules: RenderRules) -> TypeGuard[RenderedDocument]:
    return document is not None and not any(_may_do_now(page, rules) for page in document.refused)


def _kept(document: RenderedDocument | None, rules: RenderRules) -> dict[int, StoredImage | Refused]:
    """The pages that stand as they are in a finished document, by number."""
    if document is None:
        return {}
    pages: list[StoredImage | Refused] = [page for page in document.refused if not _may_do_now(page, rules)]
    pages += document.pages
    return {page.number: page for page in pages}


class _Rendering:
    def __init__(self, folders: Sequence[Path], sources: Sequence[Source], rules: RenderRules, progress: Stage, ready: Ready) -> None:
        self._folders = folders
        self._rules = rules
        self._progress = progress
        self._ready = ready
        self._finished: dict[Path, RenderedDocument | Refused] = {}
        self._jobs: list[_Job] = []
        self._reused = self._made = self._tried = self._total = 0
        for folder, source in dict(zip(folders, sources, strict=True)).items():
            document = read_document(folder)
            if _is_done(document, rules):
                self._finished[folder] = document
                self._reused += len(document.pages)
                ready(folder, document)
            else:
                task = Task(len(self._jobs), OPEN, source.document.path, None, source.password, folder)
                self._jobs.append(_Job(task, source.document, _kept(document, rules) | noted(folder)))

    def done(self) -> Rendered:
        if self._jobs:
            with Processes[Task, Answer | OSError](min(cores(), self._size()), work, (self._rules,)) as processes:
                self._open(processes)
                self._render(processes)
        return Rendered(tuple(self._finished[folder] for folder in self._folders), self._made, self._reused)

    def _size(self) -> int:
        """Whether one process is enough is not known before the documents are opened; a single image needs one."""
        return sum(len(job.document.images) or 2 for job in self._jobs)

    def _open(self, processes: Processes[Task, Answer | OSError]) -> None:
        waiting = deque(job for job in self._jobs if not job.document.images)
        for job in self._jobs:
            if job.document.images:
                self._begin(job, Opened(len(job.document.images), (), False), [number for number, _ in job.document.images])
        total = len(waiting)
        answers = processes.run(lambda _: waiting.popleft().task if waiting else None)
        for done, (task, answer) in enumerate(answers, start=1):
            job = self._jobs[task.document]
            answer = self._answer(task, answer)
            if isinstance(answer, Opened):
                self._begin(job, answer, range(1, answer.pages + 1))
            else:
                assert isinstance(answer, Refused)
                self._finished[task.folder] = answer
            self._progress("opening documents", done, total)

    def _begin(self, job: _Job, opened: Opened, numbers: Sequence[int]) -> None:
        job.opened = opened
        job.task.folder.mkdir(parents=True, exist_ok=True)
        for leftover in job.task.folder.glob("*.partial"):
            leftover.unlink(missing_ok=True)
        job.left = deque(number for number in numbers if number not in job.pages)
        self._reused += len(numbers) - len(job.left)
        self._total += len(job.left)
        if not job.left:
            self._complete(job)

    def _render(self, processes: Processes[Task, Answer | OSError]) -> None:
        stage, before = "rendering pages", self._reused
        own: dict[int, _Job] = {}
        if self._total:
            self._progress(stage, before, before + self._total)
        for task, answer in processes.run(lambda at: self._next(at, own)):
            page = self._answer(task, answer)
            assert not isinstance(page, Opened)
            job = self._jobs[task.document]
            if isinstance(page, Refused):
                note(task.folder, page)
            job.pages[page.number] = page
            job.under_way -= 1
            self._made += isinstance(page, StoredImage)
            self._tried += 1
            if not job.left and not job.under_way:
                self._complete(job)
            self._progress(stage, before + self._tried, before + self._total)

    def _next(self, at: int, own: dict[int, _Job]) -> Task | None:
        job = own.get(at)
        if job is None or not job.left:
            waiting = [job for job in self._jobs if job.left]
            if not waiting:
                return None
            job = own[at] = max(waiting, key=lambda each: (each.owner is None, len(each.left)))
            if job.owner is None:
                job.owner = at
        job.under_way += 1
        # who helps takes pages from the end, so that each process goes through a run of pages
        return job.of(job.left.popleft() if job.owner == at else job.left.pop())

    def _complete(self, job: _Job) -> None:
        assert job.opened is not None
        pages = [page for _, page in sorted(job.pages.items())]
        stored = tuple(page for page in pages if isinstance(page, StoredImage))
        document = RenderedDocument(job.opened, stored, tuple(page for page in pages if isinstance(page, Refused)))
        write_document(job.task.folder, document)
        self._finished[job.task.folder] = document
        self._ready(job.task.folder, document)

    def _answer(self, task: Task, answer: Answer | OSError | Death) -> Answer:
        if isinstance(answer, OSError):
            raise answer
        if isinstance(answer, StoredImage | Opened):
            return answer
        if isinstance(answer, Refused):
            refused = answer
        elif answer.timed_out:
            refused = Refused("limit", f"takes longer than collection.render.seconds={self._rules.seconds:g}", task.number)
        else:
            what = f"ended the process that rendered it ({answer})"
            refused = Refused("limit", f"{what}, as what needs more than collection.render.memory={self._rules.memory} does", task.number)
        return replace(refused, limits=(self._rules.memory, self._rules.seconds)) if refused.kind == "limit" else refused
