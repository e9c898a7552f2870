"""Balls that lie on the table beside the board, told from printed cloth and cups by their size, outline and shading."""

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.blobs import sizes_on_table
from referee.vision.colours import KNOWN_COLOURS, BallColour, colour_map
from referee.vision.still.discs import PAINTED, best_apart, paint_of, weigh_discs
from referee.vision.still.picture import Picture, StillBall, filled
from referee.vision.still.shading import shading

COVERED: Final = 0.6
"""Share of a coloured region that balls in it must cover: between touching balls little is left, of a cup, a stripe or
a sheet of paper nearly all."""

COLOURED: Final = 0.65
"""Share of a ball's disc that has its colour by the usual measure: gloss and deep shade take the rest."""

SHADED: Final = 0.15
"""Change of luma over a ball's radius, against its middle: a ball turns from the light, print on the table doesn't."""

UPRIGHT: Final = 0.6
"""Length of a standing thing in the picture, against one across the view, from which light from above is seen as light
from the picture's upper side."""


def balls_beside(picture: Picture) -> list[StillBall]:
    """The balls on the table around the board."""
    table, ground = picture.ground.table, picture.ground
    corners = [[x, y, z] for x, y in table.layout.outline_mm for z in (0.0, ground.board_z_mm)]
    hull = cv2.convexHull(table.camera.to_px(np.array(corners)).astype(np.float32)).reshape(-1, 2)
    view = 1 - filled(hull.astype(np.float64), picture.luma.shape)
    # What lies around a board may have any colour: those that no ball has take what is nearer to them.
    colours = colour_map(KNOWN_COLOURS, picture.light)
    labels = colours.label(picture.luma, picture.frame.u, picture.frame.v) * view
    found: list[StillBall] = []
    for colour in picture.colours:
        region = (labels == 1 + KNOWN_COLOURS.index(colour)).astype(np.uint8)
        if region.any():
            found += _filling(region, _of_colour(picture, view, region, colour))
    return found


def _of_colour(
    picture: Picture, view: NDArray[np.uint8], region: NDArray[np.uint8], colour: BallColour
) -> list[StillBall]:
    """Discs of one colour with a ball's size and shading, with their middles in a region, 1 within."""
    cells = np.argwhere(region)[:, ::-1].astype(np.float64)
    paint = paint_of(picture.frame, picture.luma, colour.hue_deg)
    scores, radii, names = [], [], []
    least = PAINTED * colour.min_saturation
    for kind in picture.kinds:
        if kind.colour != colour.name:
            continue
        sizes = sizes_on_table(picture.ground.table, kind.radius_mm)
        radius = sizes[cells[:, 1].astype(int), cells[:, 0].astype(int)].astype(np.float64) / 2
        evidence = weigh_discs(paint, view, cells, np.maximum(radius, 0.5))
        scores.append(np.where((radius > 1.0) & (evidence.level >= least), evidence.score, 0.0))
        radii.append(radius)
        names += [kind.name] * len(cells)
    score, radius = np.concatenate(scores), np.concatenate(radii)
    centres = np.tile(cells, (len(scores), 1))
    found = []
    for k in best_apart(score, centres, radius):
        (x_px, y_px), radius_px = (2 * centres[k] + 0.5).tolist(), 2 * float(radius[k])
        ball = StillBall(colour=names[k], x_px=x_px, y_px=y_px, radius_px=radius_px)
        if _is_shaded(picture, ball):
            found.append(ball)
    return found


def _filling(region: NDArray[np.uint8], balls: list[StillBall]) -> list[StillBall]:
    """Those of the balls whose part of a region, 1 within, is nothing but balls."""
    _, parts = cv2.connectedComponents(region, ltype=cv2.CV_32S)
    covered = np.zeros_like(region)
    for ball in balls:
        middle = (round(ball.x_px / 2), round(ball.y_px / 2))
        cv2.circle(covered, middle, math.ceil(ball.radius_px / 2), 1, -1)
    area = np.bincount(parts.ravel())
    share = np.bincount(parts.ravel(), weights=covered.ravel(), minlength=len(area)) / area
    return [
        ball
        for ball in balls
        if share[parts[round(ball.y_px / 2 - 0.25), round(ball.x_px / 2 - 0.25)]] >= COVERED
        and _coloured(region, ball) >= COLOURED
    ]


def _coloured(region: NDArray[np.uint8], ball: StillBall) -> float:
    """Share of a ball's disc that lies in a region, 1 within."""
    disc = np.zeros_like(region)
    cv2.circle(disc, (round(ball.x_px / 2), round(ball.y_px / 2)), round(0.9 * ball.radius_px / 2), 1, -1)
    return float(np.count_nonzero(disc & region)) / np.count_nonzero(disc)


def _is_shaded(picture: Picture, ball: StillBall) -> bool:
    """Whether a disc is lighter where it would face upwards if it were a ball."""
    surface = shading(picture.luma, ball.x_px / 2 - 0.25, ball.y_px / 2 - 0.25, ball.radius_px / 2)
    if surface is None:
        return False
    slope = surface[:2]
    ground = picture.ground
    place = ground.table.camera.to_mm(np.array([[ball.x_px, ball.y_px]]), ground.table_z_mm)[0]
    foot, head = ground.table.camera.to_px(np.stack([place, place + np.array([0.0, 0.0, ground.radius_mm])]))
    up = (head - foot) / ball.radius_px
    is_lit_from_above = float(np.hypot(*up)) < UPRIGHT or float(slope @ up) > 0
    return float(np.hypot(*slope)) >= SHADED and is_lit_from_above
