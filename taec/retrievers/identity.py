"""Which index a retriever searches, as one digest."""

import json
from collections.abc import Mapping
from hashlib import sha256

from pydantic import JsonValue

from taec.core.settings import Settings
from taec.retrievers.base import Corpus, IndexIdentity


def identify(settings: Settings, corpus: Corpus, libraries: Mapping[str, str], words: str, parts: tuple[str, ...] = ()) -> IndexIdentity:
    """The identity of an index built with `settings` over the captions of `corpus`.

    Of the versions of `libraries` the major number counts. `words` is what a person reads; `parts` are digests of indices that
    this one is made of.
    """
    facts: dict[str, JsonValue] = {
        "settings": settings.identity(),
        "libraries": {name: version.split(".")[0] for name, version in libraries.items()},
        "captions": corpus.captions_sha256,
        "parts": list(parts),
    }
    digest = sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
    return IndexIdentity(words, len(corpus.captions), digest)
