"""What a layout consists of: plain facts in millimetres, independent of any camera."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["board", "box", "lane"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A hole: centre of its rim on the top face, radius, and what is printed in it."""

    name: str
    x_mm: float
    y_mm: float
    radius_mm: float
    colour: str
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A printed ArUco marker lying flat, its top edge towards north (+y)."""

    dictionary: str
    id: int
    size_mm: float
    x_mm: float
    y_mm: float
    z_mm: float

    @property
    def corners_mm(self) -> tuple[tuple[float, float, float], ...]:
        """Corners in ArUco's order: NW, NE, SE, SW, each x, y, z."""
        h = self.size_mm / 2
        signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
        return tuple((self.x_mm + sx * h, self.y_mm + sy * h, self.z_mm) for sx, sy in signs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """The marked field on a lane's top face on which the pins stand: corners SW, SE, NE, NW, each x, y, z.

    ``border_mm``: how wide the line is that runs around it, outside of the corners; 0: none. Colours are "" where the
    layout doesn't name them.
    """

    corners_mm: tuple[tuple[float, float, float], ...]
    border_mm: float
    border_colour: str
    surface_colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pins:
    """The pins of a lane: how many, how high, the radius of their belly, and in which colours."""

    count: int
    height_mm: float
    radius_mm: float
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A board, box or lane: outline, holes, balls, markers. Origin at its centre on the table top, x east, y north.

    ``hole_floor_mm``: how high above the table the floor of the holes lies. ``rows``: names of holes in a row, None
    where rows follow from where the holes are. ``lane``: None where the whole lid is the field; ``pins``: None where
    their size isn't known.
    """

    name: str
    kind: Kind
    size_mm: tuple[float, float]
    height_mm: float
    outline_mm: tuple[tuple[float, float], ...]
    hole_floor_mm: float
    ball_radius_mm: tuple[tuple[str, float], ...]
    holes: tuple[Hole, ...]
    markers: tuple[Marker, ...]
    rows: tuple[tuple[str, ...], ...] | None = None
    lane: Lane | None = None
    pins: Pins | None = None

    @property
    def corners_mm(self) -> tuple[tuple[float, float, float], ...]:
        """Corners SW, SE, NE, NW of the top face (of the square around it where it has more), each x, y, z."""
        x, y = self.size_mm[0] / 2, self.size_mm[1] / 2
        return tuple((sx * x, sy * y, self.height_mm) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
