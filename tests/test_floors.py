"""Imports run downwards only (docs/architecture.md), with no circle between packages of one floor."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TAEC = Path(__file__).parents[1] / "taec"
FLOORS = (
    ("__main__",),
    ("cli",),
    ("commands",),
    ("study", "comparison"),
    ("experiment",),
    ("systems", "judges", "collections", "serving", "analysis"),
    ("backbones", "coordination", "metrics", "retrievers", "benchmarks", "requirements", "records"),
    ("documents",),
    ("core",),
)
HEIGHT = {name: -depth for depth, names in enumerate(FLOORS) for name in names}
ONLY = {"coordination": {"core"}, "analysis": {"records", "core"}, "metrics": {"core"}, "core": set[str]()}
"""Packages that know no more than these."""


def package(file: Path) -> str:
    return file.relative_to(TAEC).parts[0].removesuffix(".py")


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"taec.{alias.name}" for alias in node.names] if node.module == "taec" else [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("taec."))


USES = {name: {other for file in TAEC.rglob("*.py") if package(file) == name for other in imported(file)} - {name} for name in HEIGHT}


def test_every_package_has_a_floor() -> None:
    assert {package(file) for file in TAEC.rglob("*.py")} - {"__init__"} == set(HEIGHT)


@pytest.mark.parametrize("name", HEIGHT)
def test_nothing_is_imported_from_above(name: str) -> None:
    assert {other for other in USES[name] if HEIGHT[other] > HEIGHT[name]} == set()
    assert {other for other in USES[name] if name in USES[other]} == set()


@pytest.mark.parametrize("name", ONLY)
def test_what_should_know_little_knows_little(name: str) -> None:
    assert USES[name] <= ONLY[name]
