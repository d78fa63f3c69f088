"""What a rendering process does: one task after another, within limits of memory and time.

pdfium cannot be interrupted and may abort where memory is short, so both limits end the process: the one who asked sees it go and
counts the page that it was at.
"""

import logging
import os
import resource
import signal
from contextlib import ExitStack
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image

from taec.collections.links import outline
from taec.collections.opening import open_document
from taec.collections.pages import OPEN, Answer, Opened, Refusal, Refused, RenderRules, StoredImage, Task
from taec.collections.pictures import picture
from taec.collections.render import Canvas, render_page
from taec.collections.rendered import image_name, note

XFA = (pdfium_c.FORMTYPE_XFA_FULL, pdfium_c.FORMTYPE_XFA_FOREGROUND)


def work(connection: Connection, rules: RenderRules) -> None:
    """Answer tasks until the other end is closed. Ctrl-C is for the parent to handle; a parent that is gone ends this process."""
    logging.getLogger("pypdfium2").setLevel(logging.ERROR)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    Image.MAX_IMAGE_PIXELS = None  # every image is measured before it is decoded, in more detail than Pillow does
    _limit_memory(rules.memory)
    with Renderer(rules) as renderer:
        while True:
            try:
                task: Task | None = connection.recv()
            except (EOFError, OSError):
                return
            if task is None:
                return
            signal.setitimer(signal.ITIMER_REAL, rules.seconds)
            answer = renderer.answer(task)
            signal.setitimer(signal.ITIMER_REAL, 0)
            try:
                connection.send(answer)
            except OSError:
                return


class Renderer:
    """Opens documents and renders their pages; the document last used stays open."""

    def __init__(self, rules: RenderRules) -> None:
        self._rules = rules
        self._stack = ExitStack()
        self._canvas = Canvas()
        self._path: Path | None = None
        self._document: pdfium.PdfDocument | None = None

    def __enter__(self) -> "Renderer":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def answer(self, task: Task) -> Answer | OSError:
        """What became of a task; an OSError where the store cannot be written."""
        try:
            if task.number == OPEN:
                document = self._opened(task)
                return Opened(len(document), outline(document), document.get_formtype() in XFA)
            page = self._page(task) if task.image is None else self._picture(task)
            note(task.folder, page)
            return page
        except Refusal as refusal:
            return Refused(refusal.kind, str(refusal), task.number)
        except MemoryError:
            return Refused("limit", f"needs more memory than collection.render.memory={self._rules.memory}", task.number)
        except pdfium.PdfiumError as error:
            return Refused("page" if task.number else "damaged", f"cannot be read: {error}", task.number)
        except OSError as error:
            return error

    def _opened(self, task: Task) -> pdfium.PdfDocument:
        if self._document is None or self._path != task.path:
            self._stack.close()
            self._path = self._document = None
            self._document = self._stack.enter_context(open_document(task.path, task.password))
            self._path = task.path
        return self._document

    def _page(self, task: Task) -> StoredImage:
        page = render_page(self._opened(task), task.number, self._rules, self._canvas)
        digest = _keep(page.jpeg, task)
        size = len(page.jpeg)
        return StoredImage(task.number, page.width, page.height, digest, size, page.text, page.blank, page.drawn, page.links)

    def _picture(self, task: Task) -> StoredImage:
        assert task.image is not None
        page = picture(task.image, self._rules)
        digest = _keep(page.jpeg, task)
        return StoredImage(task.number, page.width, page.height, digest, len(page.jpeg), blank=page.blank, note=page.note)


def _keep(jpeg: bytes, task: Task) -> str:
    file = task.folder / image_name(task.number)
    partial = file.with_suffix(f".{os.getpid()}.partial")
    partial.write_bytes(jpeg)
    partial.replace(file)
    return sha256(jpeg).hexdigest()


def _limit_memory(beyond: int) -> None:
    """Limit the address space to what is taken now and `beyond` bytes more, and write no core file when it is passed."""
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = pages * resource.getpagesize() + beyond
    if pages and (hard == resource.RLIM_INFINITY or limit < hard):
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
