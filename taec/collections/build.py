"""Building a collection once, whatever happens in between: pages, their captions, and last the list of contents that makes it complete."""

import hashlib
import json
import os
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from filelock import FileLock

from taec.backbones.ocr import ENGINE
from taec.collections import described, links
from taec.collections.captioning import Captioned, Captioning
from taec.collections.findings import findings
from taec.collections.kept import KeptCaptions
from taec.collections.pages import Refused, RenderRules
from taec.collections.passwords import passwords
from taec.collections.reading import ReadText
from taec.collections.rendered import RenderedDocument
from taec.collections.rendering import Rendered, Source, folder_of, render_missing
from taec.collections.settings import CollectionSettings
from taec.collections.store import CAPTIONS, CONTENTS, LINKS, Collection, Contents, StoredDocument, StoredPage, Work, read_contents
from taec.core.errors import InfrastructureError, UsageError
from taec.core.pages import page_id
from taec.core.progress import Stage
from taec.documents.base import Document
from taec.documents.identity import digests

FORMAT = 2
"""Part of every digest; raised when the files of a collection change their meaning."""


def build_collection(
    documents: Sequence[Document], cache: Path, settings: CollectionSettings, read_text: ReadText, progress: Stage
) -> Collection:
    """The collection of `documents`, in that order, from `cache` or built now; of two processes one builds and one waits.

    `progress` is told a stage, how much of it is done and the total. A document or page that cannot be read goes into the
    collection's report. Raises UsageError naming every missing or ambiguous file, and InfrastructureError where the disk, a
    rendering process or a model's endpoint fails: then finished pages and captions stay. Processes are spawned, so a script that
    calls this needs the usual `if __name__ == "__main__"`.
    """
    sources = _sources(documents, cache, settings)
    digest = _digest(sources, settings)
    folder, store = cache / "collections" / digest[:16], cache / "pages"
    work = Work(0, 0)
    try:
        if not _is_complete(folder, store, sources, settings):
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder.with_suffix(".lock")):
                if not _is_complete(folder, store, sources, settings):
                    work = _build(folder, store, sources, settings, digest, read_text, progress)
    except OSError as error:
        raise InfrastructureError(f"The collection in {folder} cannot be written: {error}") from error
    return Collection(folder, work)


def rules_of(settings: CollectionSettings) -> RenderRules:
    """The part of the settings that rendering takes."""
    render = settings.render
    return RenderRules(render.pixels, render.quality, render.memory, render.seconds)


def _sources(documents: Sequence[Document], cache: Path, settings: CollectionSettings) -> list[Source]:
    sources: dict[str, Source] = {}
    faults = [] if documents else ["There is no document to build a collection from."]
    secrets = passwords(settings.passwords, [document.name for document in documents if not document.images])
    for document, digest in zip(documents, digests(documents, _memory(cache)), strict=True):
        name, path = document.name, document.path
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
            faults.append(f"{name!r} is no name that a page id can be made from. Rename it.")
        elif name in sources:
            faults.append(f"{path} and {sources[name].document.path} have the same name; page ids are made from it. Rename one.")
        elif isinstance(digest, OSError):
            faults.append(f"{path} cannot be read: {digest.strerror or digest}.")
        else:
            sources[name] = Source(document, digest, secrets.get(name))
    if faults:
        raise UsageError(*faults)
    return list(sources.values())


def _memory(cache: Path) -> Path | None:
    """The file that remembers digests of documents, none where the cache is no folder yet."""
    return cache / "files.sqlite" if cache.is_dir() else None


def _digest(sources: Sequence[Source], settings: CollectionSettings) -> str:
    identity = {
        "format": FORMAT,
        "ocr": ENGINE,
        "settings": settings.identity(),
        "prompt": described.PROMPT_HASH if settings.captions.source == "model" else "",
        "documents": [[source.document.name, source.sha256] for source in sources],
    }
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def _is_complete(folder: Path, store: Path, sources: Sequence[Source], settings: CollectionSettings) -> bool:
    """Whether the collection is there with all its pages, and nothing that it lacks could be had now."""
    if not (folder / CONTENTS).exists():
        return False
    contents, rules = read_contents(folder), rules_of(settings)
    known = {document.name: document for document in contents.documents}
    for source in sources:
        document = known[source.document.name]
        if any(trouble.kind == "locked" for trouble in document.troubles) and source.password is not None:
            return False
        if any(trouble.kind == "limit" for trouble in document.troubles) and contents.limits != (rules.memory, rules.seconds):
            return False
        if document.pages and not (folder_of(store, source.sha256, rules) / "document.json").exists():
            return False
    return True


def _build(
    folder: Path, store: Path, sources: Sequence[Source], settings: CollectionSettings, digest: str, read_text: ReadText, progress: Stage
) -> Work:
    if settings.captions.source == "model":
        described.build(settings.captions)  # first: a missing key should not come up after an hour of rendering
    rules = rules_of(settings)
    kept = KeptCaptions(store.parent / "captions.sqlite")
    try:
        with Captioning(settings, kept, read_text, progress) as captioning:
            rendered = render_missing(store, sources, rules, progress, captioning.add)
            captioned = captioning.finished()
    finally:
        kept.close()
    pages = [captioned.get(folder_of(store, source.sha256, rules), []) for source in sources]
    documents = [_stored(*each, store, rules) for each in zip(sources, rendered.documents, pages, strict=True)]
    lines = [
        json.dumps({"page": page_id(source.document.name, page.page.number), "caption": page.caption}, ensure_ascii=False)
        for source, each in zip(sources, pages, strict=True)
        for page in each
    ]
    written = "".join(f"{line}\n" for line in lines).encode()
    _write(folder / CAPTIONS, written)
    _write(folder / LINKS, json.dumps(_links(sources, rendered), ensure_ascii=False).encode())
    numbers = [[page.number for page in document.pages] for document in documents]
    contents = Contents(
        format=FORMAT,
        digest=hashlib.sha256(json.dumps([digest, numbers]).encode()).hexdigest(),
        settings=settings.identity(),
        documents=documents,
        captions_sha256=hashlib.sha256(written).hexdigest(),
        limits=(rules.memory, rules.seconds),
    )
    _write(folder / CONTENTS, contents.model_dump_json(exclude_defaults=True).encode())
    return Work(rendered.made, rendered.reused)


def _stored(
    source: Source, rendered: RenderedDocument | Refused, pages: Sequence[Captioned], store: Path, rules: RenderRules
) -> StoredDocument:
    stored = StoredDocument(name=source.document.name, sha256=source.sha256, folder=folder_of(store, source.sha256, rules).name)
    if isinstance(rendered, Refused):
        return stored.refused(rendered.kind, rendered.text)
    for page in pages:
        stored.pages.append(
            StoredPage(number=page.page.number, width=page.page.width, height=page.page.height, source=page.source, turn=page.turn)
        )
    stored.troubles.extend(findings(source.document, rendered, pages))
    if not pages:
        return stored.refused("empty", "has no page that can be rendered")
    return stored


def _links(sources: Sequence[Source], rendered: Rendered) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for source, document in zip(sources, rendered.documents, strict=True):
        if not isinstance(document, RenderedDocument):
            continue
        name = source.document.name
        joined = links.joined(document.opened.outline, {page.number: page.links for page in document.pages})
        found |= {page_id(name, number): [page_id(name, target) for target in targets] for number, targets in joined.items()}
    return found


def _write(path: Path, content: bytes) -> None:
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
