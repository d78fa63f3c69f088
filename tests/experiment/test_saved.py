from pathlib import Path

from omegaconf import OmegaConf
from support.tiny import Tiny

from taec.experiment import job
from taec.experiment.compose import configurations
from taec.experiment.progress import Lines
from taec.experiment.saved import read_run


def test_a_run_that_was_saved_before_serve_knew_a_key_is_read(tiny: Tiny) -> None:
    done = job.run(tiny.config("benchmark.questions=1", "serve.port=1"), Lines(lambda line: None))
    file = done.folder / "config.yaml"
    saved = OmegaConf.load(file)
    del saved.serve.workers
    OmegaConf.save(saved, file)
    serve = read_run(done.folder).config.plain.serve
    assert (serve.port, serve.workers) == (1, done.config.plain.serve.workers)


def test_a_run_without_a_selection_is_one_that_selects_nothing(tmp_path: Path) -> None:
    (config,) = configurations(["benchmark.limit=3"])
    saved = {node: {**values} if isinstance(values, dict) else values for node, values in config.resolved.items()}
    del saved["benchmark"]["select"]
    (tmp_path / "config.yaml").write_text(OmegaConf.to_yaml(saved))
    (tmp_path / "rows.jsonl").touch()
    assert read_run(tmp_path).config.digest == config.digest
