"""Sweeps: which jobs a command line means, in which order."""

import pytest

from taec.experiment.overrides import expand, parse, sweep_without_multirun

GROUPS = {"ablation": ("A", "AM", "M", "none"), "system": ("dag", "react", "taec")}


def jobs(*texts: str) -> list[tuple[str, ...]]:
    overrides, faults = parse(texts)
    assert faults == []
    return expand(overrides, GROUPS)


def test_no_override_is_one_job() -> None:
    assert jobs() == [()]


def test_the_first_sweep_varies_slowest() -> None:
    found = jobs("system=taec,dag", "a.b=3", "x=1,2")
    assert found == [(s, "a.b=3", x) for s in ("system=taec", "system=dag") for x in ("x=1", "x=2")]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("x=choice(1,2)", ["x=1", "x=2"]),
        ("x=range(1,4)", ["x=1", "x=2", "x=3"]),
        ("ablation=glob(A*)", ["ablation=A", "ablation=AM"]),
        ("ablation=glob(*,exclude=none)", ["ablation=A", "ablation=AM", "ablation=M"]),
        ("x=[1,2],[3]", ["x=[1,2]", "x=[3]"]),
        ("x='a,b'", ["x='a,b'"]),
        ("x='a b','c'", ["x='a b'", "x='c'"]),
    ],
)
def test_sweeps_of_the_basic_sweeper(text: str, values: list[str]) -> None:
    assert jobs(text) == [(value,) for value in values]


def test_of_one_key_the_last_counts() -> None:
    assert jobs("x=1", "y=2", "x=3") == [("x=3", "y=2")]


def test_no_experiment_is_the_same_as_none_named() -> None:
    assert jobs("experiment=null", "x=1") == [("x=1",)]


@pytest.mark.parametrize("text", ["x=interval(0,1)", "x=[1,", "hydra.run.dir=x", "hydra/launcher=joblib", ""])
def test_what_is_no_override_of_a_run(text: str) -> None:
    overrides, faults = parse([text, "y=1"])
    assert [override.input_line for override in overrides] == ["y=1"]
    assert len(faults) == 1
    assert faults[0].startswith(f"{text}: ")


def test_the_hint_for_several_values_is_a_command() -> None:
    texts = ["system=taec", "ablation=A,M", "x='a,b'"]
    (fault,) = sweep_without_multirun(parse(texts)[0], texts)
    assert fault.endswith("""python -m taec -m system=taec ablation=A,M 'x='"'"'a,b'"'"''""")
