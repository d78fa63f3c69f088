"""Run folders with rows that were made here, under real configurations: what a run would have left, without one."""

from collections.abc import Sequence
from pathlib import Path

from omegaconf import OmegaConf

from taec.experiment.compose import configurations
from taec.records.lines import replace_file
from taec.records.manifest import CollectionFacts, JudgeFacts, Manifest, RetrieverFacts, write_manifest
from taec.records.provenance import CodeState, Environment
from taec.records.rows import Row

RETRIEVER = RetrieverFacts(name="listed", pages=9, digest="d1", fingerprint="f1f1f1f1f1f1f1f1")
JUDGE = JudgeFacts(name="rules", rules="1", batch="b1")


def saved_run(folder: Path, rows: Sequence[Row], *overrides: str, **facts: object) -> Path:
    """A run folder at `folder`; `facts` replace the manifest's own."""
    (config,) = configurations(["tracking=none", *overrides])
    folder.mkdir(parents=True)
    manifest = Manifest(
        run_id=f"run-{folder.name}",
        configuration=config.digest,
        system=config.label,
        prompts="0" * 16,
        retriever=RETRIEVER,
        collection=CollectionFacts(digest="c1", pages=9, captions_sha256="s1"),
        benchmark={"name": "sample", "rows": 308},
        backbone={"name": "reader", "max_searches": config.resolved["backbone"]["max_searches"]},
        judge=JUDGE,
    )
    code, environment = (
        CodeState(version="1", fingerprint="c0de", commit=None, dirty=None),
        Environment(python="3", platform="x", libraries={}),
    )
    manifest = manifest.begin(code, environment, ("x",))
    replace_file(folder / "config.yaml", [OmegaConf.to_yaml(config.resolved).rstrip()])
    write_manifest(folder, manifest.model_copy(update=facts).end("complete"))
    replace_file(folder / "rows.jsonl", [row.model_dump_json() for row in rows])
    return folder
