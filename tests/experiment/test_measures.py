"""Names that MLflow takes, and what is left out."""

import re

import pytest
from support.tiny import Tiny

from taec.experiment import job
from taec.experiment.compose import configurations
from taec.experiment.measures import legal, metrics, parameters
from taec.experiment.progress import Lines

ACCEPTED = re.compile(r"^[\w.\-/ ]{1,250}$", re.ASCII)


@pytest.mark.parametrize(("name", "taken"), [("acc@5", "acc_5"), ("ablation=A,M", "ablation_A_M"), ("a/b c.d-e", "a/b c.d-e"), ("页", "_")])
def test_legal(name: str, taken: str) -> None:
    assert legal(name) == taken


def test_metrics_of_a_run(tiny: Tiny) -> None:
    done = job.run(tiny.config("benchmark.marks=[wrong,raise]", "benchmark.questions=4"), Lines(lambda line: None))
    found = metrics(done.rows)
    assert (found["accuracy"], found["questions"], found["failed"], found["searches"], found["coverage"]) == (0.5, 4, 1, 1, 1)
    assert found["context_mb_total"] == pytest.approx(sum(row.context_bytes for row in done.rows) / 1e6)
    assert "prompt_tokens" not in found
    assert all(ACCEPTED.match(name) for name in found)
    sources = [row.model_copy(update={"hop": "multi, hop" if row.question_id == "q1" else row.hop}) for row in done.rows]
    assert metrics(sources)["accuracy/hop/multi_ hop"] == 0.0


def test_parameters_are_the_scalars_that_make_the_run() -> None:
    (config,) = configurations(["ablation=A"])
    found = parameters(config.resolved)
    assert found["system.admission.strategy"] == "coverage"
    assert found["budget.image.max_bytes"] == "38000"
    assert not [name for name in found if "cues" in name or name.startswith(("run.", "output.", "tracking.", "cache."))]
    assert all(ACCEPTED.match(name) for name in found)


def test_official_metrics_are_exported(tiny: Tiny) -> None:
    rows = job.run(tiny.config("benchmark.marks=[wrong]"), Lines(lambda line: None)).rows
    assert metrics(rows)["score/anls"] == 5 / 6
