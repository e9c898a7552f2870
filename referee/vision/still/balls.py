"""Balls in one picture of a calibrated table: in holes, on the board, and beside it."""

import numpy as np

from calibration.table import Table
from hardware.frame import Frame
from referee.vision.board import BoardReader
from referee.vision.colours import colour_map, known_colours
from referee.vision.ground import Ground
from referee.vision.kinds import ball_kinds
from referee.vision.loose import Loose
from referee.vision.still.beside import balls_beside
from referee.vision.still.picture import Picture, StillBall, picture_of
from referee.vision.still.pits import balls_in_pit


class StillBalls:
    """Reads the balls of one table in single pictures."""

    def __init__(self, table: Table) -> None:
        self._kinds = ball_kinds(table.layout)
        radius_mm = float(np.median([kind.radius_mm for kind in self._kinds]))
        self._ground = Ground(table=table, radius_mm=radius_mm)
        self._colours = known_colours([kind.colour for kind in self._kinds])

    def read(self, frame: Frame) -> tuple[StillBall, ...]:
        """All balls of the layout's colours: in holes first, then on the board, then beside it."""
        picture = picture_of(frame, self._ground, self._kinds, self._colours)
        in_pits = [ball for pit in self._ground.pits for ball in balls_in_pit(picture, pit)]
        return (*self._on_board(picture), *in_pits, *balls_beside(picture))

    def _on_board(self, picture: Picture) -> list[StillBall]:
        """Balls in small holes and on the top face."""
        colours = colour_map(self._colours, picture.light)
        reader = BoardReader(self._ground, colours, self._kinds, picture.light)
        reading = reader.read(picture.frame, picture.luma)
        seated = [
            StillBall(colour=hole.colour, x_px=seat.x_px, y_px=seat.y_px, radius_px=seat.radius_px, hole=hole.hole)
            for seat, hole in zip(reader.seats, reading.holes, strict=True)
            if hole.colour is not None
        ]
        return seated + [self._on_top(ball) for ball in reading.loose if ball.hole is None]

    def _on_top(self, ball: Loose) -> StillBall:
        radius_mm = next(kind.radius_mm for kind in self._kinds if kind.name == ball.ball)
        centre = np.array([[ball.x_mm, ball.y_mm, self._ground.table.layout.height_mm + radius_mm]])
        radius_px = float(self._ground.table.camera.radius_px(centre, radius_mm)[0])
        return StillBall(colour=ball.ball, x_px=ball.x_px, y_px=ball.y_px, radius_px=radius_px)
