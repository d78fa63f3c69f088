import importlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import cast

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from support import checkpoints
from support.corpus import make_corpus
from support.embeddings import DIMENSIONS, EmbeddingServer

from taec.core.progress import untold
from taec.retrievers.base import Retriever

CONF = Path(__file__).parents[2] / "conf"
OFFLINE = ("dense", "bm25", "hybrid", "fusion", "late_wordllama")
OPTIONS = (*OFFLINE, "dense_endpoint")
RANDOM = ("dense_transformers", "colqwen2_5")
"""Run on tiny random checkpoints: they can do everything but tell what a page speaks of."""
Build = Callable[..., Retriever]


@cache
def composed(name: str, overrides: tuple[str, ...]) -> dict[str, object]:
    """The values of an option, as configured in `conf/`."""
    with initialize_config_dir(str(CONF), version_base="1.3"):
        node = compose(f"retriever/{name}", list(overrides))["retriever"]
    return cast(dict[str, object], OmegaConf.to_container(node, throw_on_missing=True))


@pytest.fixture(scope="session")
def embedding_url() -> Iterator[str]:
    """Where the embeddings endpoint answers that `dense_endpoint` is pointed at."""
    with EmbeddingServer().running() as server:
        yield server.url


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of the checkpoint that an option of `RANDOM` is pointed at; skips where its libraries are absent."""

    @cache
    def made(name: str) -> Path:
        for package in ("torchvision", "transformers", *(("colpali_engine",) if name == "colqwen2_5" else ())):
            pytest.importorskip(package)
        folder = tmp_path_factory.mktemp(name)
        (checkpoints.colqwen2_5 if name == "colqwen2_5" else checkpoints.qwen3_vl)(folder)
        return folder

    return made


@pytest.fixture
def build(tmp_path: Path, embedding_url: str, checkpoint: Callable[[str], Path]) -> Build:
    """Builds a retriever, by its name and as configured in `conf/`, over captions by page id, and links between pages."""

    served = {"base_url": embedding_url, "model": "words", "dimensions": DIMENSIONS, "api_key_env": "null"}
    needed = {"dense_endpoint": tuple(f"retriever.embedder.{key}={value}" for key, value in served.items())}

    def local(name: str) -> tuple[str, ...]:
        node = "encoder" if name == "colqwen2_5" else "embedder"
        small = "max_visual_tokens=40" if name == "colqwen2_5" else "dimensions=32"
        return tuple(f"retriever.{node}.{value}" for value in (f"path='{checkpoint(name)}'", "dtype=float32", "device=cpu", small))

    def with_captions(
        name: str, captions: dict[str, str], links: dict[str, tuple[str, ...]] | None = None, overrides: tuple[str, ...] = ()
    ) -> Retriever:
        values = composed(name, (*needed.get(name, ()), *(local(name) if name in RANDOM else ()), *overrides))
        module = importlib.import_module(f"taec.retrievers.{values.get('module', name)}")
        built: Retriever = module.build(module.Settings.model_validate(values), make_corpus(captions, tmp_path / "index", links), untold)
        return built

    return with_captions


@pytest.fixture(params=[*OPTIONS, *(pytest.param(option, marks=pytest.mark.slow) for option in RANDOM)])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)
