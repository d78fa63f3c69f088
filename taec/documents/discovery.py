"""From folders and files to documents, with a word about everything that is none.

PDFs are documents; images whose names are numbered are pages of one document; a folder below a root that holds only images without
numbers is one document in natural order; any other image is a document of one page. A name is the POSIX path below its root, so
that a flat folder gives exact file names. Hidden files and those of operating systems don't count.
"""

import os
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from taec.core.errors import UsageError
from taec.documents.base import Document
from taec.documents.identity import digests
from taec.documents.images import GENERIC, SUFFIXES, is_image, numbered
from taec.documents.troubles import Trouble

SYSTEM = frozenset({"thumbs.db", "desktop.ini", "__macosx", "$recycle.bin", "system volume information"})


@dataclass(frozen=True, slots=True)
class Discovery:
    """The documents in order of roots and names, each content once, and what was found beside them."""

    documents: tuple[Document, ...]
    troubles: tuple[Trouble, ...]


def discover(roots: Sequence[Path], memory: Path | None = None) -> Discovery:
    """The documents of all roots. `memory` is a file that remembers digests between calls.

    Raises UsageError naming each root that is not there, each name that two different documents have, and roots without any document.
    """
    faults = [f"documents={root}: there is no such file or folder" for root in roots if not root.expanduser().exists()]
    if faults:
        raise UsageError(*faults)
    troubles: list[Trouble] = []
    found = [each for root in roots for each in _documents(root.expanduser(), troubles)]
    kept = _each_once(found, memory, troubles)
    if not kept and not any(trouble.kind != "ignored" for trouble in troubles):
        places = ", ".join(map(str, roots))
        raise UsageError(f"documents={places}: there is no PDF and no page image ({', '.join(sorted(SUFFIXES))}). Name another folder.")
    return Discovery(tuple(kept), tuple(troubles))


def _documents(root: Path, troubles: list[Trouble]) -> Iterator[Document]:
    if root.is_file():
        if root.suffix.lower() == ".pdf":
            yield Document(root.name, root)
        elif is_image(root):
            yield Document(root.name, root, ((1, root),))
        else:
            troubles.append(Trouble("ignored", root.name, "is neither a PDF nor a page image"))
        return
    others: Counter[str] = Counter()
    documents: list[Document] = []
    for folder, files in _folders(root, troubles):
        named = [file for file in files if _has_name(file, root, troubles)]
        pdfs = [file for file in named if file.suffix.lower() == ".pdf"]
        images = [file for file in named if is_image(file)]
        others.update(file.suffix.lower() or "without ending" for file in named if file not in {*pdfs, *images})
        documents += [Document(_name(file, root), file) for file in pdfs]
        documents += _pictures(folder, root, images, bool(pdfs), troubles)
    troubles += [Trouble("ignored", str(root), f"holds files {suffix}: {count}") for suffix, count in sorted(others.items())]
    yield from sorted(documents, key=lambda document: PurePosixPath(document.name).parts)


def _folders(root: Path, troubles: list[Trouble]) -> Iterator[tuple[Path, list[Path]]]:
    """Each folder with its files, links followed, no folder twice."""
    seen: set[str] = set()

    def unreadable(error: OSError) -> None:
        troubles.append(Trouble("unreadable", str(error.filename), f"cannot be listed: {error.strerror}"))

    for place, folders, files in os.walk(root, followlinks=True, onerror=unreadable):
        real = os.path.realpath(place)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if _counts(name))
        yield Path(place), [Path(place, name) for name in sorted(files) if _counts(name)]


def _counts(name: str) -> bool:
    return not name.startswith((".", "~$")) and name.casefold() not in SYSTEM


def _has_name(file: Path, root: Path, troubles: list[Trouble]) -> bool:
    name = _name(file, root)
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        troubles.append(Trouble("name", ascii(name), "is no name that a page id can be made from; rename it"))
        return False
    return True


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _pictures(folder: Path, root: Path, images: Sequence[Path], beside_pdfs: bool, troubles: list[Trouble]) -> Iterator[Document]:
    """The documents that the images of one folder make."""
    groups, lone = numbered(images)
    for group in groups:
        base = folder.name if folder == root else _name(folder, root)
        says_nothing = group.stem.casefold() in GENERIC or group.stem == folder.name
        name = base if says_nothing else group.stem if folder == root else f"{base}/{group.stem}"
        pages = group.pages
        if pages[0][0] == 0:
            troubles.append(Trouble("numbering", name, "has images numbered from 0; their pages are numbered from 1"))
            pages = tuple((number + 1, file) for number, file in pages)
        yield Document(name, folder, pages)
    if len(lone) > 1 and not groups and not beside_pdfs and folder != root:
        yield Document(_name(folder, root), folder, tuple(enumerate(lone, start=1)))
        return
    for file in lone:
        yield Document(_name(file, root), file, ((1, file),))


def _each_once(found: Sequence[Document], memory: Path | None, troubles: list[Trouble]) -> list[Document]:
    kept: list[Document] = []
    by_name: dict[str, tuple[Document, str]] = {}
    by_content: dict[str, Document] = {}
    faults: list[str] = []
    for document, digest in zip(found, digests(found, memory), strict=True):
        if isinstance(digest, OSError):
            troubles.append(Trouble("unreadable", document.name, f"cannot be read: {digest.strerror or digest}"))
            continue
        namesake = by_name.get(document.name)
        if namesake and namesake[1] != digest:
            faults.append(
                f"{namesake[0].path} and {document.path} are different documents under one name, {document.name}, and page ids are made "
                "from it. Rename one, or name a folder above both: documents then have their paths below it as names."
            )
        elif digest in by_content:
            troubles.append(Trouble("duplicate", document.name, f"({document.path}) is the same as {by_content[digest].path}"))
        else:
            by_name[document.name] = document, digest
            by_content[digest] = document
            kept.append(document)
    if faults:
        raise UsageError(*faults)
    return kept
