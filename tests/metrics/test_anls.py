import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.metrics.anls import anls


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        (" Lycoming ", ("lycoming",), 1),
        ("lycomin", ("lycoming",), 7 / 8),
        ("ab", ("abcd",), 0),  # .5 itself is below the threshold
        ("abc", ("abcd",), 3 / 4),
        ("abc", ("xyz", "abcd"), 3 / 4),
        ("", ("a",), 0),
        ("a", (), 0),
    ],
)
def test_values(answer: str, references: tuple[str, ...], expected: float) -> None:
    assert anls(answer, references) == pytest.approx(expected)


@given(st.text(), st.text())
def test_a_similarity_is_symmetric_and_above_half_or_nothing(one: str, other: str) -> None:
    value = anls(one, [other])
    assert value == anls(other, [one])
    assert value == 0 or 0.5 < value <= 1
