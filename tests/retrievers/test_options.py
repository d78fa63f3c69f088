"""Retriever options as they are chosen on the command line."""

import pytest

from taec.core.errors import UsageError
from taec.experiment.compose import configurations

NEEDED = {
    "dense_endpoint": ("retriever.embedder.model=m", "retriever.embedder.dimensions=8"),
    "dense_transformers": ("retriever.embedder.path=models/m",),
    "colqwen2_5": ("retriever.encoder.path=models/m",),
}


def digest(option: str, *overrides: str) -> str:
    (config,) = configurations([f"retriever={option}", *NEEDED.get(option, ()), *overrides])
    return config.digest


def test_a_run_is_known_by_the_model_and_not_by_where_it_is_or_how_fast() -> None:
    known = digest("qwen3_vl_embedding")
    for elsewhere in ("base_url=http://127.0.0.1:9/v1", "concurrency=1", "api_key_env=MY_KEY", "limits.burst=0.2", "timeouts.total=9"):
        assert digest("qwen3_vl_embedding", f"retriever.embedder.{elsewhere}") == known
    for other in ("model=n", "dimensions=64", "image_pixels=90000", "page_instruction=x"):
        assert digest("qwen3_vl_embedding", f"retriever.embedder.{other}") != known
    assert digest("colqwen2_5", "retriever.encoder.path=elsewhere", "retriever.chunk=9") == digest("colqwen2_5")
    assert digest("colqwen2_5", "retriever.encoder.max_visual_tokens=9") != digest("colqwen2_5")


@pytest.mark.parametrize(
    ("overrides", "fault"),
    [
        (("retriever=dense_endpoint", "retriever.embedder.model=m"), "retriever.embedder.dimensions: Missing"),
        (("retriever=qwen3_vl_embedding", "retriever.embedder.dimensions=0"), "retriever.embedder.dimensions=0: must be"),
        (("retriever=qwen3_vl_embedding", "retriever.embedder.kind=other"), "other is none of wordllama, endpoint, transformers"),
        (("retriever=dense", "retriever.embedder=other"), "other is none of wordllama, endpoint, transformers"),
        (("retriever=fusion", "retriever.parts.bm25.b=2"), "retriever.parts.bm25.b=2: must be"),
        (("retriever=fusion", "~retriever.parts.bm25"), "retriever.parts: must have at least 2"),
        (("retriever=fusion", "retriever.parts.bm25.name=x"), "retriever.parts.bm25.*x is none of|retriever.parts.bm25.name"),
    ],
)
def test_faults_are_told_by_the_path_that_was_typed(overrides: tuple[str, ...], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        configurations(overrides)
