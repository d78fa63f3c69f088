from pathlib import Path

import pytest

from taec.documents.images import natural, numbered


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (["slide_1_1024.jpg", "slide_10_1024.jpg", "slide_2_1024.jpg"], {"slide": [1, 2, 10]}),
        (["r_2019_3.png", "r_2019_12.png", "r_2020_3.png", "r_2020_4.png"], {"r_2019": [3, 12], "r_2020": [3, 4]}),
        (["2.5v2_1.jpg", "2.5v2_2.jpg", "2.8v2_1.jpg", "2.8v2_2.jpg"], {"2.5v2": [1, 2], "2.8v2": [1, 2]}),
        (["1.png", "3.png", "007.png"], {"": [1, 3, 7]}),
        (["cover.png", "end.png"], {}),
        (["scan 5.png"], {}),
    ],
)  # fmt: skip
def test_names_alike_are_pages_of_one_document(names: list[str], groups: dict[str, list[int]]) -> None:
    found, lone = numbered(map(Path, names))
    assert {group.stem: [number for number, _ in group.pages] for group in found} == groups
    assert len(lone) + sum(map(len, groups.values())) == len(names)


def test_a_number_is_given_once() -> None:
    (group,), lone = numbered(map(Path, ["p_1.png", "p_01.png", "p_2.png"]))
    assert [number for number, _ in group.pages] == [1, 2]
    assert len(lone) == 1


def test_two_comes_before_ten() -> None:
    assert sorted(map(Path, ["b", "a10", "a2"]), key=natural) == [Path("a2"), Path("a10"), Path("b")]
