"""The command line before Hydra sees it."""

from pathlib import Path

import pytest

from taec.commands.arguments import Arguments, parse


def test_nothing_is_a_run() -> None:
    assert parse([]) == Arguments()


@pytest.mark.parametrize(
    "texts",
    [
        ["system=taec", "backbone=reader", "-m", "ablation=A,M,V"],
        ["-m", "system=taec", "backbone=reader", "ablation=A,M,V"],
        ["system=taec", "backbone=reader", "ablation=A,M,V", "--multirun"],
        ["run", "system=taec", "-m", "backbone=reader", "ablation=A,M,V"],
    ],
)
def test_multirun_may_stand_anywhere(texts: list[str]) -> None:
    found = parse(texts)
    assert (found.verb, found.multirun, found.words) == ("run", True, ["system=taec", "backbone=reader", "ablation=A,M,V"])
    assert not found.faults


@pytest.mark.parametrize("texts", [["-cd", "a", "x=1", "-cd=b"], ["--config-dir=a", "--config-dir", "b", "x=1"]])
def test_folders_add_up(texts: list[str]) -> None:
    found = parse(texts)
    assert (found.folders, found.words, found.faults) == ([Path("a"), Path("b")], ["x=1"], [])


@pytest.mark.parametrize(
    ("texts", "flags"),
    [
        (["--cfg", "job", "--resolve", "-p", "system"], {"--cfg": ["job"], "--resolve": [], "--package": ["system"]}),
        (["--info"], {"--info": ["all"]}),
        (["-i", "defaults", "x=1"], {"--info": ["defaults"]}),
        (["--info", "x=1"], {"--info": ["all"]}),
    ],
)
def test_what_hydra_shows(texts: list[str], flags: dict[str, list[str]]) -> None:
    found = parse(texts)
    assert (found.flags, found.inspects, found.faults) == (flags, True, [])


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        (["rum"], "rum: there is no such verb; did you mean 'run'? Known: run, index, plan, check, judge, serve, track, compare"),
        (["--multrun"], "--multrun: there is no such flag; did you mean '--multirun'? Known: "),
        (["--multirun=3"], "--multirun=3: there is no such flag"),
        (["--cfg", "jobs"], "--cfg takes one of job, hydra, all, not jobs"),
        (["--cfg"], "--cfg takes one of job, hydra, all"),
        (["--config-dir"], "--config-dir takes a value"),
    ],
)
def test_faults(texts: list[str], fault: str) -> None:
    (found,) = parse(texts).faults
    assert found.startswith(fault)


def test_the_words_of_track_are_its_own() -> None:
    assert parse(["track", "runs/a", "runs/b"]) == Arguments("track", ["runs/a", "runs/b"])


def test_a_deletion_is_no_verb() -> None:
    assert parse(["~ablation"]).words == ["~ablation"]
