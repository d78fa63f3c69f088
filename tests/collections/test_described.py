"""Captions by a served model: each kept when it comes, none asked for twice."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.served import settings as served_settings
from support.standin import Say, Seen, Standin, say

from taec.collections.build import build_collection
from taec.collections.described import PROMPT
from taec.collections.settings import CollectionSettings
from taec.collections.store import Collection
from taec.core.errors import InfrastructureError, UsageError
from taec.documents.base import Document

WritePdf = Callable[..., Path]


def described(settings: CollectionSettings, url: str, **changes: object) -> CollectionSettings:
    model = served_settings(url, **{"api_key_env": None, **changes})
    captions = settings.captions.model_copy(update={"source": "model", "model": model, "concurrency": 1})
    return settings.model_copy(update={"captions": captions})


def build(path: Path, cache: Path, settings: CollectionSettings) -> Collection:
    return build_collection([Document(path.name, path)], cache, settings, lambda jpegs: [[] for _ in jpegs], lambda *_: None)


def test_each_page_is_described_once_for_all_collections(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    document = write_pdf("a.pdf", ["one", "two", ""])
    with Standin([say("A page about one."), say("  A page\n about two. ")]).running() as server:
        collection = build(document, tmp_path / "cache", described(settings, server.url))
        renamed = build(document.rename(tmp_path / "b.pdf"), tmp_path / "cache", described(settings, server.url))
    assert list(collection.captions.values()) == ["A page about one.", "A page about two.", ""]
    assert collection.captions_by_source == {"model": 2, "none": 1}
    assert list(renamed.captions.values()) == list(collection.captions.values())
    assert len(server.seen) == 2
    text, picture = server.seen[0].body["messages"][0]["content"]
    assert text["text"] == PROMPT
    assert picture["image_url"]["url"].startswith("data:image/jpeg;base64,")


def test_a_page_that_the_model_fails_on_keeps_its_text_and_is_told(
    tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings
) -> None:
    def answer(seen: Seen) -> Say:
        return say("described") if len(server.seen) == 1 else say("")

    with Standin(otherwise=answer).running() as server:
        collection = build(write_pdf("a.pdf", ["one", "two"]), tmp_path / "cache", described(settings, server.url))
    assert list(collection.captions.values()) == ["described", "two"]
    (trouble,) = collection.report.troubles
    assert (trouble.kind, trouble.number) == ("no description", 2)


def test_what_is_described_stays_when_the_endpoint_goes(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    document = write_pdf("a.pdf", [f"text {number}" for number in range(5)])
    gone = Say({"error": {"message": "no such key", "code": "invalid_api_key"}}, 401)
    with Standin([say("first"), say("second"), gone]).running() as server, pytest.raises(InfrastructureError):
        build(document, tmp_path / "cache", described(settings, server.url))
    with Standin(otherwise=lambda seen: say("later")).running() as server:
        collection = build(document, tmp_path / "cache", described(settings, server.url))
    assert sorted(collection.captions.values()) == ["first", "later", "later", "later", "second"]
    assert len(server.seen) == 3


def test_a_missing_key_is_told_before_anything_is_rendered(
    tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(UsageError, match=r"collection\.captions\.model\.api_key_env|NO_SUCH_KEY"):
        build(write_pdf("a.pdf", ["one"]), tmp_path / "cache", described(settings, "http://127.0.0.1:9", api_key_env="NO_SUCH_KEY"))
    assert not (tmp_path / "cache/pages").exists()


def test_keys_and_prices_do_not_make_another_collection(tmp_path: Path, write_pdf: WritePdf, settings: CollectionSettings) -> None:
    document = write_pdf("a.pdf", ["one"])
    with Standin().running() as server:
        first = build(document, tmp_path / "cache", described(settings, server.url))
        second = build(document, tmp_path / "cache", described(settings, server.url, prices={"input": 1, "cached_input": 1, "output": 1}))
    assert first.digest == second.digest
    assert "prices" not in json.loads((first.folder / "collection.json").read_text())["settings"]["captions"]["model"]
