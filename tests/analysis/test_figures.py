import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from taec.analysis.figures import accuracy_figure
from taec.analysis.labels import Rectangle, place_labels
from taec.analysis.statistics import Summary, summarise, wilson

FRAME = Rectangle(0, 0, 1000, 600)


def run(right: int, megabytes: float) -> Summary:
    return replace(summarise([]), n=172, accuracy=wilson(right, 172), context_bytes=megabytes * 1e6)


@pytest.mark.parametrize("costs", [[1.2], [0.0], [0.2, 1.3, 4.1], [1.1, 1.11, 1.12], [1.0] * 8])
def test_one_to_eight_runs_are_drawn_and_named(tmp_path: Path, costs: list[float]) -> None:
    runs = [(f"run {at}", run(60 + at, cost)) for at, cost in enumerate(costs)]
    png, svg = accuracy_figure(runs, tmp_path / "accuracy.v1")
    assert (png.name, svg.name) == ("accuracy.v1.png", "accuracy.v1.svg")
    with Image.open(png) as image:
        assert image.size == (1152, 736)
        assert len(image.convert("RGB").getcolors(100_000) or []) > 10
    text = svg.read_text()
    assert all(f"<!-- run {at} -->" in text for at in range(len(costs)))


def test_without_a_verdict_there_is_no_figure(tmp_path: Path) -> None:
    assert accuracy_figure([("taec", summarise([]))], tmp_path / "accuracy") == []
    assert list(tmp_path.iterdir()) == []


def test_drawing_leaves_pyplot_alone(tmp_path: Path) -> None:
    before = "matplotlib.pyplot" in sys.modules
    accuracy_figure([("taec", run(60, 1.0))], tmp_path / "accuracy")
    assert ("matplotlib.pyplot" in sys.modules) == before


@given(st.lists(st.tuples(st.floats(100, 900), st.floats(100, 500)), min_size=1, max_size=8))
def test_labels_stay_in_the_frame_and_apart(points: list[tuple[float, float]]) -> None:
    places = place_labels(points, [(60.0, 14.0)] * len(points), [], FRAME)
    for at, place in enumerate(places):
        assert place.overlap(FRAME) == pytest.approx(place.area)
        assert all(place.overlap(other) < 1e-6 for other in places[:at])
