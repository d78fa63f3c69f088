"""PDF files of one folder, and numbers of pages."""

from pathlib import Path

import pypdfium2 as pdfium

from taec.documents.base import Document
from taec.documents.images import is_image


def pdf_files(folder: Path) -> dict[str, Document]:
    """PDFs in `folder` by exact file name, sorted by name; empty where the folder is missing."""
    if not folder.is_dir():
        return {}
    paths = [path for path in sorted(folder.iterdir()) if path.suffix.lower() == ".pdf" and path.is_file()]
    return {path.name: Document(path.name, path) for path in paths}


def page_count(source: Path | Document) -> int | None:
    """Number of pages, or None where the file cannot be opened: the collection reports why.

    Of a document of page images it is the highest page number, so that pages behind a hole count as existing; an image file has one.
    """
    if isinstance(source, Document) and source.images:
        return max(number for number, _ in source.images)
    path = source.path if isinstance(source, Document) else source
    if is_image(path):
        return 1
    try:
        document = pdfium.PdfDocument(path)
    except (pdfium.PdfiumError, OSError):
        return None
    try:
        return len(document)
    finally:
        document.close()
