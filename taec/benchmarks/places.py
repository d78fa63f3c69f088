"""Where released documents lie in a folder: PDFs by exact name, page images by the name and number that their file name spells."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from taec.documents.base import Document
from taec.documents.images import is_image
from taec.documents.pdf import pdf_files

SLIDE = re.compile(r".*slide[_-](\d+)[_-]\d+|(?:.*[^\d])?(\d+)", re.ASCII | re.IGNORECASE | re.DOTALL)
"""`slide_7_1024` as SlideShare names a slide of 1,024 pixels, or any name that ends in its number."""


def pdfs(folder: Path) -> dict[str, Document]:
    """PDFs in the folder and its sub-folders by exact file name; of two of the same name the one higher up."""
    if not folder.is_dir():
        return {}
    found = pdf_files(folder)
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() == ".pdf" and path.is_file():
            found.setdefault(path.name, Document(path.name, path))
    return dict(sorted(found.items()))


def page_images(folder: Path, names: Iterable[str]) -> dict[str, Document]:
    """Documents whose pages lie in the folder or its sub-folders as `{name without .pdf}_{number from 1}.jpg`, by exact name."""
    wanted = {name.removesuffix(".pdf"): name for name in names}
    pages: dict[str, dict[int, Path]] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        stem, _, number = path.stem.rpartition("_")
        if is_image(path) and stem in wanted and number.isdecimal() and number.isascii() and path.is_file():
            pages.setdefault(wanted[stem], {}).setdefault(int(number), path)
    return {name: _document(name, found) for name, found in sorted(pages.items())}


def decks(folder: Path, urls: Mapping[str, tuple[str, ...]]) -> dict[str, Document]:
    """SlideVQA's decks: each a folder of slides named as the deck is, anywhere in `folder`, or a PDF `{deck}.pdf`.

    `urls` are the annotated image addresses of each deck: its p-th slide is the file that the p-th address names, so slides that were
    never downloaded leave holes. Where the files are named otherwise, or no address is known, the number in the file's name counts.
    """
    found = {path.stem: Document(path.stem, path) for path in (document.path for document in pdfs(folder).values()) if path.stem in urls}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.name in urls and path.is_dir() and (slides := _slides(path, urls[path.name])):
            found[path.name] = _document(path.name, slides)
    return dict(sorted(found.items()))


def _slides(folder: Path, urls: tuple[str, ...]) -> dict[int, Path]:
    files = {path.name: path for path in sorted(folder.iterdir()) if is_image(path) and path.is_file()}
    addressed = {number: files[name] for number, url in enumerate(urls, start=1) if (name := basename(url)) in files}
    if addressed:
        return addressed
    numbered: dict[int, Path] = {}
    for path in files.values():
        if match := SLIDE.fullmatch(path.stem):
            numbered.setdefault(int(match[1] or match[2]), path)
    return numbered


def basename(url: str) -> str:
    """The file name that an image address ends in."""
    return url.split("?")[0].split("#")[0].rstrip("/").rpartition("/")[2]


def _document(name: str, pages: Mapping[int, Path]) -> Document:
    images = tuple(sorted(pages.items()))
    return Document(name, images[0][1].parent, images)
