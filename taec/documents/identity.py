"""What a document is by its content: equal content has equal digests, whatever the names."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from taec.documents.base import Document
from taec.documents.hashes import sha256_of


def digests(documents: Sequence[Document], memory: Path | None) -> list[str | OSError]:
    """For each document the sha256 of its file, or of its images' numbers and digests, in hex; or why it cannot be read."""
    files = [file for document in documents for file in files_of(document)]
    known = sha256_of(dict.fromkeys(files), memory)
    found: list[str | OSError] = []
    for document in documents:
        if not document.images:
            found.append(known[document.path])
            continue
        lines: list[str] = []
        for number, file in document.images:
            digest = known[file]
            if isinstance(digest, OSError):
                found.append(digest)
                break
            lines.append(f"{number} {digest}")
        else:
            found.append(sha256("\n".join(lines).encode()).hexdigest())
    return found


def files_of(document: Document) -> tuple[Path, ...]:
    """The files that a document is made of."""
    return tuple(file for _, file in document.images) or (document.path,)
