"""Where to write the names of points so that they cover neither each other nor the points: boxes in, boxes out, no drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

GAP = 12.0
"""Distance between a marker's centre and its label in pixels."""

RISES = 14
"""Heights tried above and below each point, half a label's height apart."""

SHIFTS = 6
"""Distances tried to either side of each point, `GAP` apart."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """In pixels, `left < right` and `bottom < top`."""

    left: float
    bottom: float
    right: float
    top: float

    def overlap(self, other: "Rectangle") -> float:
        """The shared area."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(0.0, width) * max(0.0, height)

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.top - self.bottom)


def place_labels(
    points: Sequence[tuple[float, float]], sizes: Sequence[tuple[float, float]], obstacles: Sequence[Rectangle], frame: Rectangle
) -> list[Rectangle]:
    """A place for each label of the given width and height: beside its point, as near as it can be without covering anything.

    One after the other, those with the most neighbours first; a label that fits nowhere takes the place where it covers least.
    """
    taken = list(obstacles)
    places: dict[int, Rectangle] = {}
    crowd = [sum(abs(x - other) < 150 for other, _ in points) for x, _ in points]
    for at in sorted(range(len(points)), key=lambda at: -crowd[at]):
        x, y = points[at]
        candidates = _candidates(x, y, *sizes[at])
        cost = [
            sum(place.overlap(other) for other in taken) * 10 + (place.area - place.overlap(frame)) * 100 + distance
            for place, distance in candidates
        ]
        places[at] = candidates[cost.index(min(cost))][0]
        taken.append(places[at])
    return [places[at] for at in range(len(points))]


def _candidates(x: float, y: float, width: float, height: float) -> list[tuple[Rectangle, float]]:
    """Places to the right and left of a point at growing heights, with their distance in pixels (left counts as a little further)."""
    found = []
    for step, shift in product(range(RISES), range(SHIFTS)):
        for rise in (step * height / 2, -step * height / 2):
            for left, extra in ((x + GAP + shift * GAP, 0.0), (x - GAP - shift * GAP - width, 2.0)):
                place = Rectangle(left, y + rise - height / 2, left + width, y + rise + height / 2)
                found.append((place, abs(rise) + shift * GAP + extra))
    return found
