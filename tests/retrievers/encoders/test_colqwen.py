"""Real loading and running of a ColQwen2.5 checkpoint, tiny and random, against the library's own scores."""

from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from support import checkpoints
from support.corpus import make_corpus

from taec.core.errors import UsageError
from taec.core.progress import untold
from taec.retrievers import late_interaction
from taec.retrievers.base import Corpus

CONF = Path(__file__).parents[3] / "conf"
CAPTIONS = {"a.pdf_p1": "fuel pump", "a.pdf_p2": "annual revenue", "b.pdf_p1": "", "b.pdf_p2": "fuel pump"}


def settings(path: Path, **changes: object) -> late_interaction.Settings:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        node = compose("retriever/colqwen2_5").retriever
    for name, value in ({"path": str(path), "dtype": "float32", "device": "cpu", "max_visual_tokens": 40} | changes).items():
        OmegaConf.update(node.encoder, name, value)
    return late_interaction.Settings.model_validate(OmegaConf.to_container(node, throw_on_missing=True))


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return make_corpus(CAPTIONS, tmp_path / "index")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torchvision")
    pytest.importorskip("colpali_engine")
    folder = tmp_path_factory.mktemp("colqwen")
    checkpoints.colqwen2_5(folder)
    return folder


def test_a_missing_model_is_told_at_once(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no model"):
        late_interaction.build(settings(tmp_path / "nowhere"), corpus, untold)


@pytest.mark.slow
async def test_scores_are_those_of_its_own_library(corpus: Corpus, model: Path) -> None:
    import torch
    from colpali_engine.models import ColQwen2_5, ColQwen2_5_Processor

    net = ColQwen2_5.from_pretrained(model).eval()
    processor = ColQwen2_5_Processor.from_pretrained(model, max_num_visual_tokens=40)
    with torch.inference_mode():
        query = net(**processor.process_queries(["annual revenue?"]))
        pages = [net(**processor.process_images([corpus.pages.image(page_id)]))[0] for page_id in CAPTIONS]
        expected = processor.score(list(query), pages, device="cpu")[0].tolist()
    hits = await late_interaction.build(settings(model), corpus, untold).search("annual revenue?", 4)
    assert {hit.page_id: hit.score for hit in hits} == pytest.approx(dict(zip(CAPTIONS, expected, strict=True)), abs=0.003)
    # the two pages that look alike tie, in collection order
    alike = [hit for hit in hits if CAPTIONS[hit.page_id] == "fuel pump"]
    assert [hit.page_id for hit in alike] == ["a.pdf_p1", "b.pdf_p2"]


@pytest.mark.slow
async def test_the_index_is_opened_without_encoding_and_does_not_follow_the_batch(corpus: Corpus, model: Path, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    hits = await late_interaction.build(settings(model, batch=3), corpus, lambda *seen: told.append(seen)).search("pump", 4)
    assert [done for _, done, _ in told] == [0, 3, 4]
    again = late_interaction.build(settings(model, batch=1), corpus, lambda *seen: told.append(seen))
    assert len(told) == 3
    assert await again.search("pump", 4) == hits
    assert (tmp_path / "index" / f"late-{again.identity.digest[:16]}" / "tokens.f16").exists()
