"""The retriever contract, held to through a service: every implementation served, and asked by `retriever=http`."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from retrievers.test_contract import *  # noqa: F403
from support.corpus import make_corpus
from support.service import app_of, threaded, version_of

from taec.core.progress import untold
from taec.retrievers import http
from taec.retrievers.base import Retriever

Build = Callable[[str, dict[str, str]], Retriever]


@pytest.fixture
def build(build: Build, tmp_path: Path) -> Iterator[Build]:
    """Builds a retriever as the contract suite does, serves it, and gives the client."""
    with contextlib.ExitStack() as services:

        def through_a_service(name: str, captions: dict[str, str]) -> Retriever:
            inner, corpus = build(name, captions), make_corpus(captions, tmp_path / "index")
            url = services.enter_context(threaded(app_of(inner, version=version_of(inner, corpus))))
            settings = http.Settings(name="http", url=url, token_env=None, timeout=20, attempts=3, wait=0.05, longest_wait=1)
            return http.build(settings, corpus, untold)

        yield through_a_service
