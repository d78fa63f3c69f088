"""What a study costs beside its runs: `python benchmarks/study.py [trials] [questions]` (default 60 trials of all 123).

TAEC with an instant scripted model (a search, a summary, an answer) over questions of the embedded benchmark's tune split. First a study by
the command, with its journal, MLflow export, pictures and summary and one worker process; then the same configurations one after
the other in one process that knows neither Optuna nor MLflow: once sharing between runs what a multirun shares (benchmark, collection,
index), once also what a study does (searches, requirements, pages, images). All are processes of their own, imports included; CPU time is
that of the process with its children, and says more than the clock on a machine that does other things.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
OPTIONS = ROOT / "tests/support/options"
SPACE = {
    "system.admission.alpha": {"type": "float", "low": 0.0, "high": 1.0, "step": 0.1},
    "system.admission.eta": {"type": "float", "low": 0.0, "high": 1.0, "step": 0.1},
    "system.allocation.kappa": {"type": "float", "low": 0.0, "high": 1.0},
}


def study_file(folder: Path, trials: int, questions: int) -> Path:
    file = folder / "cost.yaml"
    settings = {
        "name": "cost",
        "base": ["system=taec", "backbone=script", "benchmark=sample"],
        "space": SPACE,
        "objectives": ["accuracy"],
        "sampler": {"name": "tpe", "seed": 0, "arguments": {"multivariate": True}},
        "pruner": {"name": "none", "p": 0.05, "after": 40, "every": 5},
        "n_trials": trials,
        "tune": ["benchmark.split=tune", f"benchmark.limit={questions}"],
        "report": ["benchmark.split=report"],
        "winners": 0,
        "failures": 5,
        "workers": 1,
        "storage": None,
        "save": None,
    }
    file.write_text(yaml.safe_dump(settings))
    return file


def timed(command: list[str], folder: Path) -> tuple[float, float]:
    """Seconds and CPU seconds of a command and its children."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    path = os.pathsep.join([str(OPTIONS), str(ROOT)])
    subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - started, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def runs(folder: Path, sharing: str) -> None:
    """The runs of the study in `folder` once more, elsewhere, by themselves."""
    from taec.experiment import job
    from taec.experiment.parts import Parts
    from taec.experiment.progress import Lines
    from taec.experiment.saved import read_run
    from taec.experiment.validation import check
    from taec.study.sharing import SharedParts

    parts = SharedParts() if sharing == "study" else Parts()
    for rows in sorted(folder.glob("runs/study-*/trials/*/rows.jsonl")):
        resolved = read_run(rows.parent).config.resolved
        config = check({**resolved, "output": {"folder": str(folder / sharing)}})
        job.run(config, Lines(lambda line: None), parts)


def main(trials: int, questions: int) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        file = study_file(folder, trials, questions)
        taec = [sys.executable, "-m", "taec"]
        flags = ["--config-dir", str(OPTIONS / "conf")]
        timed([*taec, *flags, "system=vanilla", "backbone=script", "benchmark.limit=1", "tracking=mlflow", "output.folder=warm"], folder)
        study = timed([*taec, "sweep", str(file), *flags], folder)
        print(f"{trials} trials of {questions} questions: study {study[0]:.1f} s, {study[1]:.1f} s CPU", flush=True)
        for sharing in ("multirun", "study"):
            alone = timed([sys.executable, __file__, "--runs", str(folder), sharing], folder)
            assert len(list(folder.glob(f"{sharing}/*/rows.jsonl"))) == trials
            print(
                f"its runs alone, sharing as a {sharing}: {alone[0]:.1f} s, {alone[1]:.1f} s CPU; "
                f"ratio {study[0] / alone[0]:.3f} by the clock, {study[1] / alone[1]:.3f} by CPU",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--runs"]:
        runs(Path(sys.argv[2]), sys.argv[3])
    else:
        asked = [int(word) for word in sys.argv[1:]]
        main(*(asked + [60, 123][len(asked) :]))
