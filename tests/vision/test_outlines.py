"""Outlines of many layers, traced at once, are those that each layer has alone."""

import cv2
import numpy as np

from referee.vision.outlines import Outlines, Tracer

SHAPE = (40, 60)


def layer(*boxes: tuple[int, int, int, int]) -> np.ndarray:
    """A picture with rectangles: left, top, width, height."""
    picture = np.zeros(SHAPE, np.uint8)
    for left, top, width, height in boxes:
        picture[top : top + height, left : left + width] = 1
    return picture


def traced(*layers: np.ndarray, value: int = 1, tracer: Tracer | None = None) -> Outlines | None:
    tracer = tracer or Tracer(SHAPE)
    cells = [np.flatnonzero(picture) for picture in layers]
    numbers = np.repeat(np.arange(len(layers)), [len(own) for own in cells])
    values = np.full(len(numbers), value, np.uint8)
    return tracer.traced(np.concatenate(cells), numbers, values, 6)


def test_regions_have_the_outlines_that_they_have_alone() -> None:
    # The second begins in the first row, where the first ends in the last; regions lie rows apart, and side by side.
    layers = [
        layer((5, 34, 8, 6), (30, 2, 5, 5)),
        layer((4, 0, 9, 4), (40, 6, 4, 9), (20, 6, 3, 3)),
        layer(),
        layer((0, 9, 6, 6)),
    ]
    found = traced(*layers)
    assert found is not None
    alone = [
        (number, contour.reshape(-1, 2).tolist())
        for number, picture in enumerate(layers)
        for contour in cv2.findContours(picture, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    ]
    outlines = np.split(found.points, found.starts[1:])
    assert list(zip(found.layers.tolist(), (outline.tolist() for outline in outlines), strict=True)) == alone
    assert [[*outline.min(axis=0), *outline.max(axis=0)] for outline in outlines] == found.boxes.T.tolist()


def test_what_is_drawn_of_a_region_is_in_its_box() -> None:
    found = traced(layer((3, 5, 7, 4)), layer((10, 20, 5, 6)), value=2)
    assert found is not None
    assert [found.drawn(k).tolist() for k in range(2)] == [[[2] * 7] * 4, [[2] * 5] * 6]


def test_short_outlines_are_left_out() -> None:
    found = traced(layer((3, 5, 2, 2), (20, 5, 4, 4)))
    assert found is not None
    assert found.boxes.T.tolist() == [[20, 5, 23, 8]]
    assert traced(layer((3, 5, 2, 2))) is None
    assert traced(layer()) is None


def test_nothing_is_left_on_the_sheet_of_what_was_traced_before() -> None:
    tracer, small = Tracer(SHAPE), layer((8, 3, 5, 5))
    for before in (layer((0, 0, 30, 30)), layer((2, 2, 9, 9), (20, 2, 9, 20)), layer()):
        traced(before, tracer=tracer)
        found, alone = traced(small, tracer=tracer), traced(small)
        assert found is not None
        assert alone is not None
        assert found.points.tolist() == alone.points.tolist()
