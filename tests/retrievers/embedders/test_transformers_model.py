"""Real loading and running of `transformers` checkpoints, tiny and random: what is checked is that vectors are those of the model."""

from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from support import checkpoints
from support.corpus import make_corpus

from taec.core.errors import InfrastructureError, UsageError
from taec.core.progress import untold
from taec.retrievers import dense
from taec.retrievers.base import Corpus
from taec.retrievers.embedders import transformers_model

CONF = Path(__file__).parents[3] / "conf"
CAPTIONS = {"a.pdf_p1": "fuel pump", "a.pdf_p2": "annual revenue of the whole company, by quarter", "b.pdf_p1": ""}


def settings(path: Path, **changes: object) -> transformers_model.Settings:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        embedder = compose("retriever/dense_transformers").retriever.embedder
    for name, value in ({"path": str(path), "dimensions": 32, "dtype": "float32", "device": "cpu"} | changes).items():
        OmegaConf.update(embedder, name, value)
    return transformers_model.Settings.model_validate(OmegaConf.to_container(embedder, throw_on_missing=True))


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return make_corpus(CAPTIONS, tmp_path / "index")


@pytest.mark.parametrize("path", ["nowhere", "."])
def test_a_folder_without_a_model_is_told_at_once(corpus: Corpus, tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError, match="holds no model"):
        transformers_model.build(settings(tmp_path / path), corpus)


@pytest.fixture(scope="module")
def images_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torchvision")
    folder = tmp_path_factory.mktemp("qwen3-vl")
    checkpoints.qwen3_vl(folder)
    return folder


@pytest.fixture(scope="module")
def text_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("qwen3")
    checkpoints.qwen3_text(folder)
    return folder


@pytest.mark.slow
async def test_the_vector_of_an_image_is_the_state_at_the_end_of_the_prompt(corpus: Corpus, images_model: Path) -> None:
    import torch
    from transformers import Qwen3VLModel, Qwen3VLProcessor

    processor, model = Qwen3VLProcessor.from_pretrained(images_model), Qwen3VLModel.from_pretrained(images_model).eval()
    prompt = (
        "<|im_start|>system\nRepresent the user's input.<|im_end|>\n"
        "<|im_start|>user\n<|vision_start|><|image_pad|><|vision_end|><|im_end|>\n<|im_start|>assistant\n"
    )
    image = corpus.pages.image("a.pdf_p1").resize((224, 256), 1)
    with torch.inference_mode():
        state = model(**processor(text=[prompt], images=[image], return_tensors="pt")).last_hidden_state[0, -1].numpy()
    found = transformers_model.build(settings(images_model), corpus).embed_pages(["a.pdf_p1"])
    assert found[0] == pytest.approx(state / np.linalg.norm(state), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("inputs", ["image", "caption"])
async def test_a_page_has_the_same_vector_in_any_batch(corpus: Corpus, images_model: Path, inputs: str) -> None:
    embedder = transformers_model.build(settings(images_model, inputs=inputs), corpus)
    together = embedder.embed_pages(list(CAPTIONS))
    alone = np.concatenate([embedder.embed_pages([page_id]) for page_id in CAPTIONS])
    assert together == pytest.approx(alone, abs=1e-4)
    assert np.linalg.norm(together, axis=1) == pytest.approx([1] * len(CAPTIONS), abs=1e-5)
    assert np.abs(alone[0] - alone[1]).max() > 1e-3


@pytest.mark.slow
async def test_text_models_without_a_chat_template_get_the_instruction_before_the_text(corpus: Corpus, text_model: Path) -> None:
    import torch
    from transformers import AutoTokenizer, Qwen3Model

    tokenizer, model = AutoTokenizer.from_pretrained(text_model), Qwen3Model.from_pretrained(text_model).eval()
    with torch.inference_mode():
        state = model(**tokenizer("find: pump", return_tensors="pt")).last_hidden_state[0, -1, :16].numpy()
    shortened = settings(text_model, inputs="caption", dimensions=16, query_instruction="find: ")
    found = await transformers_model.build(shortened, corpus).embed_query("pump")
    assert found[0] == pytest.approx(state / np.linalg.norm(state), abs=1e-4)


@pytest.mark.slow
async def test_it_serves_a_dense_index_that_is_opened_without_embedding(corpus: Corpus, images_model: Path) -> None:
    chosen = dense.Settings(name="local", embedder=settings(images_model, batch=2))
    told: list[tuple[str, int, int]] = []
    hits = await dense.build(chosen, corpus, lambda *seen: told.append(seen)).search("pump", 3)
    assert [done for _, done, _ in told] == [0, 2, 3]
    assert sorted(hit.page_id for hit in hits) == sorted(CAPTIONS)
    again = dense.build(chosen, corpus, lambda *seen: told.append(seen))
    assert len(told) == 3
    assert await again.search("pump", 3) == hits


@pytest.mark.slow
def test_what_a_model_cannot_do_is_told(corpus: Corpus, images_model: Path, text_model: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="takes no images"):
        transformers_model.build(settings(text_model), corpus)
    with pytest.raises(UsageError, match="device=cuda:99"):
        transformers_model.build(settings(images_model, device="cuda:99"), corpus)
    with pytest.raises(InfrastructureError, match="gives 32 dimensions; 64 are configured"):
        dense.build(dense.Settings(name="local", embedder=settings(images_model, dimensions=64)), corpus, untold)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UsageError, match="cannot be loaded"):
        transformers_model.build(settings(tmp_path), corpus)
