from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from support.corpus import make_corpus
from support.embeddings import DIMENSIONS, EmbeddingServer, vector
from support.standin import Say

from taec.core.errors import InfrastructureError, SystemFailure, UsageError
from taec.core.progress import untold
from taec.retrievers import dense
from taec.retrievers.base import Corpus
from taec.retrievers.embedders import endpoint
from taec.retrievers.embedders.base import unit

CONF = Path(__file__).parents[3] / "conf"
CAPTIONS = {f"a.pdf_p{number}": f"page of number {number}" for number in range(1, 8)} | {"b.pdf_p1": ""}


def settings(url: str, option: str = "dense_endpoint", **changes: object) -> endpoint.Settings:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        embedder = compose(f"retriever/{option}").retriever.embedder
    values = {"base_url": url, "model": "m", "api_key_env": None, "dimensions": DIMENSIONS, "texts_in_request": 3, "concurrency": 2}
    for path, value in (values | changes).items():
        OmegaConf.update(embedder, path.replace("__", "."), value)
    return endpoint.Settings.model_validate(OmegaConf.to_container(embedder, throw_on_missing=True))


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return make_corpus(CAPTIONS, tmp_path / "index")


def embed(server: EmbeddingServer, corpus: Corpus, **changes: object) -> Sequence[Sequence[float]]:
    found: Sequence[Sequence[float]] = endpoint.build(settings(server.url, **changes), corpus).embed_pages(list(CAPTIONS)).tolist()
    return found


def test_captions_go_several_a_request_and_come_back_at_length_1(corpus: Corpus) -> None:
    with EmbeddingServer().running() as server:
        found = embed(server, corpus, page_instruction="page: ", send_dimensions=True, longest_text=6)
    texts = [f"page: {caption[:6]}" for caption in CAPTIONS.values()]
    assert np.array(found) == pytest.approx(unit(np.array([vector(text) for text in texts], np.float32)), abs=1e-5)
    assert sorted(len(seen.body["input"]) for seen in server.seen) == [2, 3, 3]
    assert {seen.path for seen in server.seen} == {"/v1/embeddings"}
    assert all(seen.body["dimensions"] == DIMENSIONS and seen.body["encoding_format"] == "float" for seen in server.seen)


async def test_an_empty_caption_is_sent_as_something_and_dimensions_only_when_asked_for(corpus: Corpus) -> None:
    with EmbeddingServer().running() as server:
        embed(server, corpus)
    assert "-" in [text for seen in server.seen for text in seen.body["input"]]
    assert not any("dimensions" in seen.body for seen in server.seen)


async def test_page_images_go_as_vllm_takes_them(corpus: Corpus) -> None:
    with EmbeddingServer().running() as server:
        embedder = endpoint.build(settings(server.url, "qwen3_vl_embedding", image_pixels=10_000), corpus)
        pages = embedder.embed_pages(["a.pdf_p1", "a.pdf_p2"])
        query = await embedder.embed_query("what is it?")
    assert pages.shape == (2, DIMENSIONS)
    assert query.shape == (1, DIMENSIONS)
    page, asked = server.seen[0].body, server.seen[-1].body
    assert [message["role"] for message in page["messages"]] == ["system", "user", "assistant"]
    assert page["messages"][0]["content"] == [{"type": "text", "text": "Represent the user's input."}]
    assert [part["type"] for part in page["messages"][1]["content"]] == ["image_url", "text"]
    assert page["messages"][2]["content"] == [{"type": "text", "text": ""}]
    assert page["continue_final_message"] is page["add_special_tokens"] is True
    assert asked["messages"][0]["content"] == [{"type": "text", "text": "Retrieve images or text relevant to the user's query."}]
    assert asked["messages"][1]["content"] == [{"type": "text", "text": "what is it?"}]


def test_an_index_of_images_follows_the_pages_and_one_of_captions_does_not_follow_the_address(corpus: Corpus, tmp_path: Path) -> None:
    redrawn = Corpus(corpus.captions, corpus.captions_sha256, tmp_path, corpus.pages, "other pages", {})

    def digest(corpus: Corpus, server: EmbeddingServer, option: str) -> str:
        chosen = dense.Settings(name="x", embedder=settings(server.url, option))
        return dense.build(chosen, corpus, untold).identity.digest

    with EmbeddingServer().running() as one, EmbeddingServer().running() as other:
        assert digest(corpus, one, "dense_endpoint") == digest(redrawn, other, "dense_endpoint")
        assert digest(corpus, one, "qwen3_vl_embedding") != digest(redrawn, one, "qwen3_vl_embedding")


@pytest.mark.parametrize(
    "answer",
    [
        Say({"data": [{"index": 0, "embedding": [1.0] * 3}]}),
        Say({"data": [{"index": 0, "embedding": [1.0] * DIMENSIONS}, {"index": 1, "embedding": [1.0] * DIMENSIONS}]}),
        Say({"data": [{"index": 1, "embedding": [1.0] * DIMENSIONS}]}),
        Say({"data": [{"index": 0, "embedding": "AAAA"}]}),
        Say({"data": [{"index": 0, "embedding": [1e999] * DIMENSIONS}]}),
        Say({"data": []}),
        Say({"data": {"index": 0}}),
        Say({"data": ["?"]}),
    ],
)
async def test_what_is_no_vector_for_each_text_is_refused(corpus: Corpus, answer: Say) -> None:
    with EmbeddingServer([answer]).running() as server:
        embedder = endpoint.build(settings(server.url), corpus)
        with pytest.raises(InfrastructureError, match=r"vectors? "):
            await embedder.embed_query("what?")


async def test_a_refused_query_fails_its_question_and_a_refused_page_stops_the_build(corpus: Corpus) -> None:
    too_long = Say({"error": {"message": "maximum context length is 10 tokens"}}, 400)
    with EmbeddingServer([too_long]).running() as server, pytest.raises(SystemFailure, match="embedding_context_overflow"):
        await endpoint.build(settings(server.url), corpus).embed_query("what?")
    refused = pytest.raises(InfrastructureError, match=r"_p\d cannot be embedded \(context_overflow\)")
    with EmbeddingServer([too_long]).running() as server, refused:
        embed(server, corpus)


async def test_an_endpoint_that_is_gone_is_nothing_a_question_could_help(corpus: Corpus) -> None:
    with EmbeddingServer().running() as server:
        embedder = endpoint.build(settings(server.url), corpus)
    with pytest.raises(InfrastructureError, match=r"cannot be embedded \(connection_error\)"):
        await embedder.embed_query("what?")


def test_a_build_that_was_stopped_embeds_what_is_missing(corpus: Corpus) -> None:
    chosen = {"texts_in_request": 1, "concurrency": 1}
    five = [Say({"data": [{"index": 0, "embedding": [1.0] * DIMENSIONS}]})] * 5
    stopped = pytest.raises(InfrastructureError, match="server_error")
    with EmbeddingServer([*five, Say({}, 500)]).running() as server, stopped:
        dense.build(dense.Settings(name="x", embedder=settings(server.url, **chosen)), corpus, untold)
    with EmbeddingServer().running() as server:
        dense.build(dense.Settings(name="x", embedder=settings(server.url, **chosen)), corpus, untold)
        assert len(server.seen) == len(CAPTIONS) - 4  # four at a time are kept
        dense.build(dense.Settings(name="x", embedder=settings(server.url, **chosen)), corpus, untold)
        assert len(server.seen) == len(CAPTIONS) - 4


async def test_it_waits_as_it_is_told(corpus: Corpus) -> None:
    limited = Say({"error": {"message": "Rate limit reached", "type": "rate_limit_error"}}, 429, {"retry-after": "0"})
    with EmbeddingServer([limited]).running() as server:
        quick = {"limits__first_backoff": 0.01, "limits__longest_backoff": 0.01}
        assert (await endpoint.build(settings(server.url, **quick), corpus).embed_query("what?")).shape == (1, DIMENSIONS)
        assert len(server.seen) == 2


def test_a_missing_key_is_told_before_anything_is_sent(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(UsageError, match="MY_KEY is not set"):
        endpoint.build(settings("http://127.0.0.1:9/v1", api_key_env="MY_KEY"), corpus)
