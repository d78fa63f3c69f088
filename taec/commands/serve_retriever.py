"""The half of `serve` that offers a retriever: its index is built or found once, here, and opened from the disk by every worker."""

import asyncio
import os
import shlex
from collections.abc import Sequence
from functools import partial

from taec.commands import serve as command
from taec.core.errors import UsageError
from taec.experiment.config import Config, ServeSettings
from taec.experiment.console import say
from taec.experiment.opening import Opening
from taec.experiment.parts import Parts
from taec.experiment.progress import display
from taec.records.provenance import code_state
from taec.retrievers.fingerprint import fingerprint
from taec.retrievers.protocol import SERVICE_VERSION, CollectionFacts, IndexFacts, ServiceLimits, Version

CLIENTS_OWN = ("retriever", "serve")
"""Groups of overrides that a client does not repeat."""


def serve(config: Config, words: Sequence[str]) -> None:
    """Serve the retriever of `config` until stopped. Raises UsageError and InfrastructureError as its parts do."""
    if config.option("retriever") == "http":
        raise UsageError("retriever=http is a service's client; serve offers retrievers of this process: retriever=dense")
    settings = config.plain.serve
    token = _token(settings)
    with command.listen(settings) as listener:
        opening, version = _built(config)
        say(f"{version.index.name}, {version.index.pages} pages, fingerprint {version.fingerprint}, at {command.address(listener)}")
        say(f"{settings.workers} workers; {command.address(listener)}/openapi.json describes it; Ctrl-C stops. To use it:")
        say(f"  {_use(config, words, command.address(listener), version)}")

        from taec.serving.limits import Limits
        from taec.serving.search import Service, make_app
        from taec.serving.workers import Patience
        from taec.serving.workers import serve as serve_by_workers

        limits = Limits(settings.max_body_bytes, settings.concurrency, settings.queue, settings.request_seconds)
        make = partial(make_app, Service(opening, version, limits, token))
        serve_by_workers(make, listener, Patience(settings.request_seconds, settings.connections), settings.workers)


def _built(config: Config) -> tuple[Opening, Version]:
    """The index, whole on the disk, and what is told of it; what this process holds of it is given back."""
    show, parts, settings = display(), Parts(), config.plain.serve
    try:
        collection, retriever = parts.collection(config, show.stage), parts.retriever(config, show.stage)
    finally:
        show.close()
    index = retriever.identity
    version = Version(
        service=SERVICE_VERSION,
        taec=code_state().version,
        index=IndexFacts(name=index.name, pages=index.pages, digest=index.digest),
        collection=CollectionFacts(digest=collection.digest, captions_sha256=collection.captions_sha256),
        fingerprint=asyncio.run(fingerprint(retriever)),
        limits=ServiceLimits(max_k=settings.max_k, max_query_characters=settings.max_query_characters),
    )
    return Opening(config.module("retriever"), config.options["retriever"], collection.folder), version


def _token(settings: ServeSettings) -> str | None:
    if settings.token_env is None:
        return None
    token = os.environ.get(settings.token_env, "").strip()
    if not token:
        raise UsageError(f"serve.token_env={settings.token_env}: that environment variable is empty; it has to hold the token.")
    return token


def _use(config: Config, words: Sequence[str], url: str, version: Version) -> str:
    """The command that uses the service: the same documents, whatever else was named for them, and no other index."""
    kept = [word for word in words if word.lstrip("+").split("=")[0].split(".")[0] not in CLIENTS_OWN]
    token = [f"retriever.token_env={config.plain.serve.token_env}"] if config.plain.serve.token_env else []
    asked = ["ask", "QUESTION"] if config.plain.documents else []
    expected = [] if asked else [f"run.expected_fingerprint={version.fingerprint}"]
    return shlex.join(["python", "-m", "taec", *asked, "retriever=http", f"retriever.url={url}", *token, *kept, *expected])
