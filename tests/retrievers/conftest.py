import importlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from support.corpus import make_corpus

from taec.core.progress import untold
from taec.retrievers.base import Retriever

CONF = Path(__file__).parents[2] / "conf"
OFFLINE = ("dense", "bm25", "hybrid", "fusion", "late_wordllama")
Build = Callable[..., Retriever]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Builds a retriever, by its name and as configured in `conf/`, over captions by page id, and links between pages."""

    def with_captions(
        name: str, captions: dict[str, str], links: dict[str, tuple[str, ...]] | None = None, overrides: tuple[str, ...] = ()
    ) -> Retriever:
        with initialize_config_dir(str(CONF), version_base="1.3"):
            values = OmegaConf.to_container(compose(f"retriever/{name}", list(overrides))["retriever"], throw_on_missing=True)
        module = importlib.import_module(f"taec.retrievers.{values.get('module', name)}")
        built: Retriever = module.build(module.Settings.model_validate(values), make_corpus(captions, tmp_path / "index", links), untold)
        return built

    return with_captions


@pytest.fixture(params=OFFLINE)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)
