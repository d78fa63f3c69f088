"""Opening PDFs, and saying in words why one cannot be opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from taec.collections.pages import Refusal

REPLACEMENT = b"\xef\xbf\xbd"
"""U+FFFD in UTF-8: what text decoders write for bytes that are no text."""
MANGLED = 20
"""Occurrences from which bytes went through a text decoder: compressed data of 100 kB holds 0.006 of them by chance."""
HEAD = 1024
"""Bytes at the start and the end in which readers look for the marks of a PDF (PDF 1.7, appendix H)."""


@contextmanager
def open_document(path: Path, password: str | None = None) -> Iterator[pdfium.PdfDocument]:
    """The open PDF, with its forms. Raises Refusal where pdfium refuses it or it holds no page."""
    try:
        document = pdfium.PdfDocument(path, password=password)
    except pdfium.PdfiumError as error:
        raise _refusal(path, error, password) from error
    except OSError as error:
        raise Refusal("unreadable", f"cannot be read: {error.strerror or error}") from error
    try:
        if len(document) == 0:
            raise Refusal("empty", "has no pages")
        document.init_forms()
        yield document
    finally:
        document.close()


def is_mangled(path: Path) -> bool:
    """Whether the bytes went through a text decoder, which cannot be undone."""
    try:
        return path.read_bytes().count(REPLACEMENT) >= MANGLED
    except OSError:
        return False


def _refusal(path: Path, error: pdfium.PdfiumError, password: str | None) -> Refusal:
    if error.err_code == pdfium_c.FPDF_ERR_PASSWORD:
        if password is None:
            return Refusal("locked", f"needs a password: collection.passwords.variables='{{{path.name}: VARIABLE}}' says where it is")
        return Refusal("locked", "cannot be opened with the password given for it")
    if error.err_code == pdfium_c.FPDF_ERR_SUCCESS:
        return Refusal("empty", "has no page that can be read")
    return Refusal("damaged", f"cannot be opened: {_damage(path, error)}")


def _damage(path: Path, error: pdfium.PdfiumError) -> str:
    try:
        content = path.read_bytes()
    except OSError as trouble:
        return trouble.strerror or str(trouble)
    if not content:
        return "the file is empty"
    if b"%PDF-" not in content[:HEAD]:
        return "it is no PDF: the mark %PDF- is missing"
    if content.count(REPLACEMENT) >= MANGLED:
        return "it is damaged: its bytes went through a text decoder (U+FFFD in place of data). Fetch it again as binary"
    if b"%%EOF" not in content[-HEAD:]:
        return "it is damaged: the end is missing, as of a download that was cut off"
    if b" obj" not in content:
        return "it is no readable PDF: there is nothing in it"
    return f"it is damaged ({error})"
