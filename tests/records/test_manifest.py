from pathlib import Path

import pytest

from taec.core.errors import InfrastructureError, UsageError
from taec.records.manifest import MANIFEST, CollectionFacts, JudgeFacts, Manifest, RetrieverFacts, new_batch, read_manifest, write_manifest
from taec.records.provenance import PACKAGE, CodeState, code_fingerprint, code_state, environment, redacted


@pytest.fixture
def manifest() -> Manifest:
    return Manifest(
        configuration="d1",
        prompts="0123456789abcdef",
        system="taec",
        retriever=RetrieverFacts(name="dense", pages=738, digest="d2", fingerprint="f1"),
        collection=CollectionFacts(digest="d3", pages=738, captions_sha256="d4"),
        benchmark={"name": "sample", "counts": {"questions": 308}},
        backbone={"name": "reader", "temperature": None},
        judge=JudgeFacts(name="rules", rules="1", batch=new_batch()),
    )


def test_it_is_read_back_as_written(tmp_path: Path, manifest: Manifest) -> None:
    told = manifest.begin(code_state(), environment(), ("taec", "system=taec"))
    write_manifest(tmp_path, told)
    assert read_manifest(tmp_path) == told
    assert [path.name for path in tmp_path.iterdir()] == [MANIFEST]


def test_a_continued_run_shows_that_it_was(manifest: Manifest) -> None:
    first = code_state()
    changed = CodeState(version="9", fingerprint="other", commit=None, dirty=None)
    once = manifest.begin(first, environment()).end("finished")
    killed = once.begin(first, environment())
    twice = killed.begin(changed, environment()).end("finished")
    assert [session.outcome for session in twice.sessions] == ["finished", "", "finished"]
    assert [session.ended is None for session in twice.sessions] == [False, True, False]
    assert [session.code.fingerprint for session in twice.sessions] == [first.fingerprint, first.fingerprint, "other"]
    assert twice.run_id == manifest.run_id


def test_it_cannot_be_read_where_it_is_not_or_broken(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a run folder"):
        read_manifest(tmp_path)
    (tmp_path / MANIFEST).write_text('{"run_id": "x"')
    with pytest.raises(InfrastructureError, match="cannot be read as a manifest"):
        read_manifest(tmp_path)


def test_the_fingerprint_follows_names_and_content(tmp_path: Path) -> None:
    def of(files: dict[str, str]) -> str:
        package = tmp_path / str(len(list(tmp_path.iterdir())))
        for name, content in files.items():
            (package / name).parent.mkdir(parents=True, exist_ok=True)
            (package / name).write_text(content)
        return code_fingerprint(package)

    base = of({"a.py": "1", "b/c.py": "2"})
    assert of({"b/c.py": "2", "a.py": "1", "notes.txt": "anything"}) == base
    others = [of({"a.py": "1", "b/c.py": "3"}), of({"a.py": "1", "b/d.py": "2"}), of({"a.py": "12", "b/c.py": ""})]
    assert len({base, *others}) == 4
    assert len(base) == 16
    assert code_state().fingerprint == code_fingerprint(PACKAGE)


def test_secrets_on_the_command_line_are_struck_out() -> None:
    command = ["taec", "backbone.api_key=abc", "+judge.access_token=abc", "backbone.api_key_env=KEY", "budget.max_tokens=3"]
    assert redacted(command) == (
        "taec",
        "backbone.api_key=***",
        "+judge.access_token=***",
        "backbone.api_key_env=KEY",
        "budget.max_tokens=3",
    )
