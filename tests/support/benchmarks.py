"""Benchmarks read as a run reads them: the values of their YAML with some of them changed."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from PIL import Image

from taec.benchmarks.base import Benchmark
from taec.core.questions import Question
from taec.experiment.registry import option

CONF = Path(__file__).parents[2] / "conf/benchmark"


def values(name: str, select: Mapping[str, object] | None = None, **changes: object) -> dict[str, object]:
    """The configured values of a benchmark, with some changed."""
    configured = _configured(name)
    return {**configured, **changes, "select": {**configured["select"], **(select or {})}}


@cache
def _configured(name: str) -> dict[str, Any]:
    merged = OmegaConf.to_container(OmegaConf.merge(OmegaConf.load(CONF / "_select.yaml"), OmegaConf.load(CONF / f"{name}.yaml")))
    assert isinstance(merged, dict)
    del merged["defaults"]
    return {str(key): value for key, value in merged.items()}


def read(name: str, select: Mapping[str, object] | None = None, **changes: object) -> Benchmark:
    """The benchmark that these values describe."""
    module = option("benchmark", name)
    found: Benchmark = module.build(module.Settings.model_validate(values(name, select, **changes)))
    return found


def by_id(benchmark: Benchmark) -> dict[str, Question]:
    return {question.id: question for question in benchmark.questions}


def counts(benchmark: Benchmark, place: str) -> dict[str, int]:
    """The counts of `file`, `present` or `asked`; labels apart."""
    found = benchmark.facts[place]
    assert isinstance(found, dict)
    return {name: value for name, value in found.items() if isinstance(value, int)}


def labels(benchmark: Benchmark, by: str, place: str = "file") -> object:
    found = benchmark.facts[place]
    assert isinstance(found, dict)
    return found[by]


def write_pdf(path: Path, pages: int, shade: int = 255) -> Path:
    """A PDF of blank pages; another shade makes another file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    first, *more = [Image.new("L", (20, 20), shade) for _ in range(pages)]
    first.save(path, "PDF", save_all=True, append_images=more)
    return path


def write_image(path: Path, shade: int = 255) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", (8, 8), shade).save(path)
    return path


def write_json(path: Path, rows: object) -> Path:
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def write_lines(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def write_parquet(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), path)
    return path


def write_separated(path: Path, rows: Sequence[Mapping[str, object]], delimiter: str) -> Path:
    """CSV or TSV as a table library writes it."""
    import csv

    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path
