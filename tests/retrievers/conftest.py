from collections.abc import Callable
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from support.corpus import make_corpus

from taec.core.progress import untold
from taec.retrievers import bm25, dense, hybrid
from taec.retrievers.base import Retriever

CONF = Path(__file__).parents[2] / "conf"
MODULES = {"dense": dense, "bm25": bm25, "hybrid": hybrid}
Build = Callable[[str, dict[str, str]], Retriever]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Builds a retriever, by its name and as configured in `conf/`, over captions by page id."""

    def with_captions(name: str, captions: dict[str, str]) -> Retriever:
        with initialize_config_dir(str(CONF), version_base="1.3"):
            values = OmegaConf.to_container(compose(f"retriever/{name}")["retriever"])
        module = MODULES[name]
        return module.build(module.Settings.model_validate(values), make_corpus(captions, tmp_path / "index"), untold)

    return with_captions


@pytest.fixture(params=MODULES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)
