"""A lens: what bends the rays on their way to the sensor, apart from where the camera stands."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.errors import BadLens
from calibration.record import Record, read_json
from calibration.saving import write_json

VERSION: Final = 1
REMEDY: Final = "make one with referee calibrate-lens, or leave --lens out"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lens:
    """``matrix``: (3, 3) and ``dist``: (5,) of OpenCV's model, for pictures of the given size.

    ``error_px``: root mean square reprojection error when it was measured.
    """

    matrix: NDArray[np.float64]
    dist: NDArray[np.float64]
    width_px: int
    height_px: int
    error_px: float

    def scaled(self, width_px: int, height_px: int) -> "Lens":
        """The same lens for another picture size of the same shape; raises BadLens where the shape differs."""
        across, down = width_px / self.width_px, height_px / self.height_px
        if abs(across / down - 1) > 0.01:
            measured, wanted = f"{self.width_px} x {self.height_px}", f"{width_px} x {height_px}"
            raise BadLens(f"the lens was measured at {measured} and the picture is {wanted}", "--lens", REMEDY)
        # Pixel centres have whole coordinates: the picture's border lies half a pixel outside of them.
        matrix = self.matrix.copy()
        matrix[0] *= across
        matrix[1] *= down
        matrix[0, 2] += (across - 1) / 2
        matrix[1, 2] += (down - 1) / 2
        return Lens(matrix=matrix, dist=self.dist, width_px=width_px, height_px=height_px, error_px=self.error_px)


def save_lens(lens: Lens, path: Path) -> None:
    """Write a lens file, whole or not at all."""
    value = {
        "type": "lens",
        "version": VERSION,
        "width_px": lens.width_px,
        "height_px": lens.height_px,
        "K": lens.matrix.tolist(),
        "dist": lens.dist.tolist(),
        "error_px": lens.error_px,
    }
    write_json(path, value)


def load_lens(path: Path) -> Lens:
    """Read a lens file; raises BadLens with what to do."""
    record = Record.of(read_json(path, BadLens, REMEDY), str(path), BadLens)
    record.check_file("lens", VERSION)
    return Lens(
        matrix=camera_matrix(record),
        dist=np.array(record.numbers("dist", 5)),
        width_px=record.whole("width_px"),
        height_px=record.whole("height_px"),
        error_px=record.number("error_px"),
    )


def camera_matrix(record: Record) -> NDArray[np.float64]:
    """The (3, 3) matrix under K, checked."""
    matrix = np.array(record.points("K", 3, 3))
    if matrix.shape != (3, 3) or matrix[0, 0] <= 0 or matrix[1, 1] <= 0 or matrix[2].tolist() != [0, 0, 1]:
        raise record.fault("K is no camera matrix", "write [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]")
    return matrix
