"""What people print: the sheet a lens is measured with, and a layout's markers, as SVG true to size."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import BadLayout
from calibration.parts import Marker

Cells = NDArray[np.bool_]

# A4; most printers leave a border of some millimetres.
PAGE_MM: Final = (210.0, 297.0)
BORDER_MM: Final = 10.0
# The sheet: a chessboard with markers in its white squares (ChArUco), all made of cells of one size.
SQUARES: Final = (7, 5)
CELL_MM: Final = 4.0
SQUARE_CELLS: Final = 9
MARKER_CELLS: Final = 7
SHEET_DICTIONARY: Final = "DICT_5X5_50"
# White that a marker needs around it, as a share of its size.
QUIET: Final = 0.2
LETTER_MM: Final = 4.0
RULER_MM: Final = 100.0


def charuco_board() -> cv2.aruco.CharucoBoard:
    """The sheet's board in millimetres."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, SHEET_DICTIONARY))
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_CELLS * CELL_MM, MARKER_CELLS * CELL_MM, dictionary)


def charuco_svg() -> str:
    """The sheet on A4, landscape."""
    scale = 10
    size = (SQUARES[0] * SQUARE_CELLS * scale, SQUARES[1] * SQUARE_CELLS * scale)
    drawn = np.asarray(charuco_board().generateImage(size, marginSize=0, borderBits=1))
    cells = drawn[scale // 2 :: scale, scale // 2 :: scale] < 128
    width_mm, height_mm = PAGE_MM[::-1]
    x_mm = (width_mm - cells.shape[1] * CELL_MM) / 2
    text = _text(
        x_mm, height_mm - 7, f"print at 100 %: the squares are {SQUARE_CELLS * CELL_MM:g} mm wide; keep it flat"
    )
    return _page(width_mm, height_mm, [_cells(cells, x_mm, 9.0, CELL_MM), text])


def marker_svgs(markers: Sequence[Marker]) -> list[str]:
    """A layout's markers on pages of A4; raises BadLayout where one doesn't fit on a page."""
    width_mm, height_mm = PAGE_MM
    pages: list[list[str]] = [[]]
    x_mm = y_mm = BORDER_MM
    row_mm = 0.0
    for marker in markers:
        quiet_mm = QUIET * marker.size_mm
        box_mm = marker.size_mm + 2 * quiet_mm
        if box_mm > width_mm - 2 * BORDER_MM:
            wrong = f"marker {marker.id} of {marker.size_mm:g} mm is too large for a page of A4"
            raise BadLayout(wrong, "markers", "choose smaller ones, or have them printed on a larger sheet")
        if x_mm + box_mm > width_mm - BORDER_MM:
            x_mm, y_mm, row_mm = BORDER_MM, y_mm + row_mm, 0.0
        if y_mm + box_mm + 2 * LETTER_MM > height_mm - 2 * BORDER_MM:
            pages.append([])
            x_mm, y_mm, row_mm = BORDER_MM, BORDER_MM, 0.0
        pages[-1].append(_marker(marker, x_mm + quiet_mm, y_mm + quiet_mm, quiet_mm))
        x_mm += box_mm
        row_mm = max(row_mm, box_mm + 2 * LETTER_MM)
    foot_mm = height_mm - BORDER_MM
    ruler = f'<path d="M{BORDER_MM:g} {foot_mm - 6:g}h{RULER_MM:g}" stroke="black" stroke-width="0.3"/>' + _text(
        BORDER_MM, foot_mm, f"print at 100 %: this line is {RULER_MM:g} mm long"
    )
    return [_page(width_mm, height_mm, [*page, ruler]) for page in pages if page]


def _marker(marker: Marker, x_mm: float, y_mm: float, quiet_mm: float) -> str:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, marker.dictionary))
    count = dictionary.markerSize + 2
    cells = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker.id, count)) < 128
    box_mm = marker.size_mm + 2 * quiet_mm
    cut = (
        f'<rect x="{x_mm - quiet_mm:g}" y="{y_mm - quiet_mm:g}" width="{box_mm:g}" height="{box_mm:g}" '
        'fill="none" stroke="#999" stroke-width="0.2" stroke-dasharray="2 2"/>'
    )
    label = f"marker {marker.id}: {marker.size_mm:g} mm, middle at {marker.x_mm:g}, {marker.y_mm:g}"
    return (
        cut
        + _cells(cells, x_mm, y_mm, marker.size_mm / count)
        + _text(x_mm - quiet_mm, y_mm + marker.size_mm + quiet_mm + LETTER_MM, label)
    )


def _cells(cells: Cells, x_mm: float, y_mm: float, cell_mm: float) -> str:
    """Black cells as one path: no hairlines of white between neighbours of a row."""
    parts = []
    for row, line in enumerate(cells):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():
            width = (end - start) * cell_mm
            parts.append(
                f"M{x_mm + start * cell_mm:.4f} {y_mm + row * cell_mm:.4f}h{width:.4f}v{cell_mm:.4f}h{-width:.4f}z"
            )
    return f'<path d="{"".join(parts)}" fill="black" shape-rendering="crispEdges"/>'


def _text(x_mm: float, y_mm: float, words: str) -> str:
    return f'<text x="{x_mm:g}" y="{y_mm:g}" font-family="sans-serif" font-size="{LETTER_MM * 0.8:g}">{words}</text>'


def _page(width_mm: float, height_mm: float, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width_mm:g}mm" height="{height_mm:g}mm" '
        f'viewBox="0 0 {width_mm:g} {height_mm:g}">'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>", ""])
