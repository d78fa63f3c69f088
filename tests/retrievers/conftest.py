from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from taec.retrievers import bm25, dense, hybrid
from taec.retrievers.base import Corpus, Retriever

CONF = Path(__file__).parents[2] / "conf"
MODULES = {"dense": dense, "bm25": bm25, "hybrid": hybrid}
Build = Callable[[str, dict[str, str]], Retriever]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Builds a retriever, by its name and as configured in `conf/`, over captions by page id."""

    def with_captions(name: str, captions: dict[str, str]) -> Retriever:
        with initialize_config_dir(str(CONF), version_base="1.3"):
            values = OmegaConf.to_container(compose(f"retriever/{name}")["retriever"])
        digest = sha256("\n".join(f"{page} {caption}" for page, caption in captions.items()).encode()).hexdigest()
        module = MODULES[name]
        return module.build(module.Settings.model_validate(values), Corpus(captions, digest, tmp_path / "index"))

    return with_captions


@pytest.fixture(params=MODULES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)
