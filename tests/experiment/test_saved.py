from omegaconf import OmegaConf
from support.tiny import Tiny

from taec.experiment import job
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
