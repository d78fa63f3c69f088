"""Which image files of a folder are pages of one document, and their numbers.

Names alike but for their digits belong together. The last run of digits that differs between them is the page number: of
`slide_10_1024.jpg` it is 10, since 1024 is the same in all; of `report_2019_3.png` it is 3, since another year is another document.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp", ".gif"})
GENERIC = frozenset({"", "slide", "slides", "page", "pages", "p", "image", "img", "scan"})
"""Stems that say nothing: pages named so belong to the document that their folder is (ours)."""
_DIGITS = re.compile(r"\d+")
_SEPARATORS = " _-.–()[]"


@dataclass(frozen=True, slots=True)
class Group:
    """Pages of one document: the part of their names before the number, and pairs of number and file, by number."""

    stem: str
    pages: tuple[tuple[int, Path], ...]


def is_image(path: Path) -> bool:
    """Whether the name is that of a page image."""
    return path.suffix.lower() in SUFFIXES


def natural(path: Path) -> tuple[tuple[int, int | str], ...]:
    """A sort key under which 2 comes before 10."""
    parts = re.split(r"(\d+)", path.name.casefold())
    return tuple((0, int(part)) if part.isdigit() else (1, part) for part in parts)


def numbered(paths: Iterable[Path]) -> tuple[list[Group], list[Path]]:
    """The groups of two images or more that numbers in their names make, and the images that are left over, in natural order.

    Of images with the same number in a group the first in natural order is a page of it and the others are left over.
    """
    alike: dict[str, list[Path]] = {}
    for path in sorted(paths, key=natural):
        alike.setdefault(_DIGITS.sub("#", path.stem), []).append(path)
    groups: list[Group] = []
    lone: list[Path] = []
    for template, members in alike.items():
        at = _page_field(template, members)
        if at is None:
            lone += members
            continue
        split: dict[tuple[str, ...], dict[int, Path]] = {}
        for path in members:
            fields = _DIGITS.findall(path.stem)
            pages = split.setdefault((*fields[:at], *fields[at + 1 :]), {})
            if pages.setdefault(int(fields[at]), path) is not path:
                lone.append(path)
        for pages in split.values():
            if len(pages) > 1:
                groups.append(Group(_stem(next(iter(pages.values())), at), tuple(sorted(pages.items()))))
            else:
                lone += pages.values()
    return groups, sorted(lone, key=natural)


def _page_field(template: str, members: Sequence[Path]) -> int | None:
    """Which run of digits is the page number: the last that differs."""
    columns = list(zip(*(_DIGITS.findall(path.stem) for path in members), strict=True))
    differing = [at for at, column in enumerate(columns) if len({int(text) for text in column}) > 1]
    return differing[-1] if "#" in template and differing else None


def _stem(path: Path, at: int) -> str:
    start = list(_DIGITS.finditer(path.stem))[at].start()
    return path.stem[:start].rstrip(_SEPARATORS)
