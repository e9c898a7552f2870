"""The board as a drawing: places in millimetres with south at the bottom, ready for the SVG template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from calibration.layout import Hole, Layout
from referee.events import SeenBoard, SeenBounce
from web.colours import colour_class

MARGIN_MM = 8.0
# Balls that lie on the board at a place nobody knows are drawn in a strip below it.
STRIP_MM = 50.0
DEFAULT_BALL_MM = 17.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ball:
    x: float
    y: float
    radius: float
    css: str
    mark: str
    words: str
    counts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class HoleDrawing:
    name: str
    x: float
    y: float
    radius: float
    css: str
    value: str
    words: str
    balls: tuple[Ball, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RingKey:
    """Which colour a ring's pattern stands for."""

    colour: str
    css: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeLabel:
    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounce:
    """A contact on the table or the board. ``number``: which one of the throw."""

    x: float
    y: float
    number: int
    surface: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDrawing:
    """``view_box``: x, y, width, height in mm, y growing southwards. ``words``: what lies there, in a sentence."""

    view_box: str
    outline: str
    holes: tuple[HoleDrawing, ...]
    loose: tuple[Ball, ...]
    labels: tuple[EdgeLabel, ...]
    bounces: tuple[Bounce, ...]
    rings: tuple[RingKey, ...]
    words: str
    is_box: bool

    @property
    def has_uncounted(self) -> bool:
        return any(not ball.counts for hole in self.holes for ball in hole.balls)


def draw_board(
    layout: Layout,
    board: SeenBoard | None,
    marks: Mapping[str, str],
    *,
    counted: Sequence[tuple[str, str]] | None = None,
    bounces: Sequence[SeenBounce] = (),
) -> BoardDrawing:
    """What lies on the board, and where the given bounces were.

    ``counted``: hole and colour of the balls that the score knows of; others are drawn hollow (None: all count).
    """
    lying: dict[str, list[str]] = {}
    for hole, colour in board.holes if board is not None else ():
        lying.setdefault(hole, []).append(colour)
    radii = dict(layout.ball_radius_mm)
    holes = tuple(
        _draw_hole(
            hole,
            # The hole of a box has no number.
            "" if layout.kind == "box" else str(hole.value),
            lying.get(hole.name, []),
            radii,
            marks,
            counted,
        )
        for hole in layout.holes
    )
    loose = _draw_loose(layout, board, radii, marks)
    dots = _draw_bounces(bounces)
    return BoardDrawing(
        view_box=_view_box(layout, loose, dots),
        outline=" ".join(f"{x:g},{-y:g}" for x, y in layout.outline_mm),
        holes=holes,
        loose=loose,
        labels=_edge_labels(layout),
        bounces=dots,
        rings=tuple(
            RingKey(colour=colour, css=colour_class(colour))
            for colour in dict.fromkeys(hole.colour for hole in layout.holes)
            if colour not in ("none", "")
        ),
        words=_board_words(lying, board),
        is_box=layout.kind == "box",
    )


def _draw_hole(
    hole: Hole,
    number: str,
    colours: Sequence[str],
    radii: Mapping[str, float],
    marks: Mapping[str, str],
    counted: Sequence[tuple[str, str]] | None,
) -> HoleDrawing:
    ring = "" if hole.colour == "none" else hole.colour
    printed = f" ({' '.join(filter(None, (number, ring)))})" if number else ""
    inside = " and ".join(colours) if colours else "empty"
    balls = []
    for index, colour in enumerate(colours):
        # Several balls of one hole lie side by side.
        shift = (index - (len(colours) - 1) / 2) * 2 * radii.get(colour, DEFAULT_BALL_MM)
        radius = min(radii.get(colour, DEFAULT_BALL_MM), hole.radius_mm) * 0.86
        ball = _ball(hole.x_mm + shift, -hole.y_mm, radius, colour, marks, f"{hole.name}: {colour} ball")
        if counted is not None and (hole.name, colour) not in counted:
            ball = replace(ball, counts=False, words=f"{ball.words}, not counted")
        balls.append(ball)
    return HoleDrawing(
        name=hole.name,
        x=hole.x_mm,
        y=-hole.y_mm,
        radius=hole.radius_mm,
        css=colour_class(hole.colour),
        value=number,
        words=f"{hole.name}{printed}: {inside}",
        balls=tuple(balls),
    )


def _draw_loose(
    layout: Layout, board: SeenBoard | None, radii: Mapping[str, float], marks: Mapping[str, str]
) -> tuple[Ball, ...]:
    if board is None:
        return ()
    south = max((-y for _, y in layout.outline_mm), default=0.0)
    balls = []
    for index, colour in enumerate(board.loose):
        radius = radii.get(colour, DEFAULT_BALL_MM)
        if index < len(board.loose_mm):
            x, y = board.loose_mm[index][0], -board.loose_mm[index][1]
        else:
            x, y = (index - (len(board.loose) - 1) / 2) * 2.6 * radius, south + STRIP_MM / 2
        balls.append(_ball(x, y, radius, colour, marks, f"{colour} ball, in no hole"))
    return tuple(balls)


def _ball(x: float, y: float, radius: float, colour: str, marks: Mapping[str, str], words: str) -> Ball:
    mark = marks.get(colour, colour[:1].upper())
    return Ball(x=x, y=y, radius=radius, css=colour_class(colour), mark=mark, words=words)


def _draw_bounces(bounces: Sequence[SeenBounce]) -> tuple[Bounce, ...]:
    return tuple(
        Bounce(
            x=bounce.mm[0],
            y=-bounce.mm[1],
            number=number,
            surface=bounce.surface,
            words=f"contact {number}, on the {bounce.surface}",
        )
        for number, bounce in enumerate(bounces, start=1)
        if bounce.mm is not None
    )


def _view_box(layout: Layout, loose: Sequence[Ball], bounces: Sequence[Bounce]) -> str:
    xs = [x for x, _ in layout.outline_mm] or [-100.0, 100.0]
    ys = [-y for _, y in layout.outline_mm] or [-100.0, 100.0]
    xs += [ball.x + side * ball.radius for ball in loose for side in (-1, 1)]
    ys += [ball.y + side * ball.radius for ball in loose for side in (-1, 1)]
    xs += [bounce.x + side * DEFAULT_BALL_MM for bounce in bounces for side in (-1, 1)]
    ys += [bounce.y + side * DEFAULT_BALL_MM for bounce in bounces for side in (-1, 1)]
    left, top = min(xs) - MARGIN_MM, min(ys) - MARGIN_MM
    return f"{left:g} {top:g} {max(xs) + MARGIN_MM - left:g} {max(ys) + MARGIN_MM - top:g}"


def _edge_labels(layout: Layout) -> tuple[EdgeLabel, ...]:
    """Letters along the south edge and numbers along the west edge, where the holes' names form such a grid."""
    columns: dict[str, list[float]] = {}
    lines: dict[str, list[float]] = {}
    for hole in layout.holes:
        column, line = hole.name[:1], hole.name[1:]
        if not (column.isalpha() and line.isdigit()):
            return ()
        columns.setdefault(column, []).append(hole.x_mm)
        lines.setdefault(line, []).append(-hole.y_mm)
    if len(columns) < 2 or any(max(places) - min(places) > 1 for places in (*columns.values(), *lines.values())):
        return ()
    west = min(x for x, _ in layout.outline_mm)
    south = max(-y for _, y in layout.outline_mm)
    first_x = min(hole.x_mm - hole.radius_mm for hole in layout.holes)
    last_y = max(-hole.y_mm + hole.radius_mm for hole in layout.holes)
    below = [EdgeLabel(text=name, x=xs[0], y=(south + last_y) / 2) for name, xs in columns.items()]
    beside = [EdgeLabel(text=name, x=(west + first_x) / 2, y=ys[0]) for name, ys in lines.items()]
    return (*below, *beside)


def _board_words(lying: Mapping[str, Sequence[str]], board: SeenBoard | None) -> str:
    if board is None:
        return "The board has not been seen yet."
    balls = [f"{colour} in {hole}" for hole, colours in sorted(lying.items()) for colour in colours]
    balls += [f"{colour} in no hole" for colour in board.loose]
    return f"The board: {', '.join(balls)}." if balls else "The board is empty."
