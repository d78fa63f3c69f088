"""PDF files of one folder, and their numbers of pages."""

from pathlib import Path

import pypdfium2 as pdfium

from taec.documents.base import Document


def pdf_files(folder: Path) -> dict[str, Document]:
    """PDFs in `folder` by exact file name, sorted by name; empty where the folder is missing."""
    if not folder.is_dir():
        return {}
    paths = [path for path in sorted(folder.iterdir()) if path.suffix.lower() == ".pdf" and path.is_file()]
    return {path.name: Document(path.name, path) for path in paths}


def page_count(path: Path) -> int | None:
    """Number of pages, or None where the file cannot be opened: the collection reports why."""
    try:
        document = pdfium.PdfDocument(path)
    except (pdfium.PdfiumError, OSError):
        return None
    try:
        return len(document)
    finally:
        document.close()
