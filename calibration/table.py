"""A table: a layout seen by a camera. What calibration makes and everything after it reads."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np

from calibration.camera_model import CameraModel
from calibration.errors import BadCalibration, BadTable
from calibration.layout import Layout, layout_from_json, layout_to_json
from calibration.lens import camera_matrix
from calibration.record import Record, read_json
from calibration.saving import write_json
from calibration.solve import LensSpread
from hardware.frame import Frame

Seat = Literal["south", "west", "north", "east"]
Method = Literal["markers", "board", "corners", "table"]

VERSION: Final = 1
METHODS: Final[dict[str, Method]] = {"markers": "markers", "board": "board", "corners": "corners", "table": "table"}
REMEDY: Final = "make one with referee calibrate"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """``method``: how the pose was found. ``error_px``: root mean square reprojection error.

    ``uncertainty_mm``: how far off places on the board may be, one standard deviation, None where it isn't known.
    ``lens_spread``: how sure the lens is where it was estimated. ``notes``: what people should know about the
    calibration, in words.
    """

    layout: Layout
    camera: CameraModel
    method: Method
    error_px: float
    uncertainty_mm: float | None = None
    lens_spread: LensSpread | None = None
    notes: tuple[str, ...] = ()

    def side_at(self, x_mm: float, y_mm: float) -> Seat:
        """The seat whose side of the table a place lies on: the quarter between the board's diagonals."""
        across, along = x_mm / self.layout.size_mm[0], y_mm / self.layout.size_mm[1]
        if abs(across) > abs(along):
            return "east" if across > 0 else "west"
        return "north" if along > 0 else "south"

    def check_size(self, frame: Frame) -> None:
        """Raises BadCalibration when a picture's size isn't the one that the table was calibrated for."""
        camera = self.camera
        if (frame.width_px, frame.height_px) != (camera.width_px, camera.height_px):
            raise BadCalibration(
                f"pictures of {frame.width_px}x{frame.height_px}, the table was calibrated for "
                f"{camera.width_px}x{camera.height_px}",
                f"frame {frame.index}",
                "calibrate again with this camera mode",
            )


def save_table(table: Table, path: Path) -> None:
    """Write a table file, whole or not at all; raises CantSave."""
    camera = table.camera
    value = {
        "type": "table",
        "version": VERSION,
        "method": table.method,
        "error_px": table.error_px,
        "uncertainty_mm": table.uncertainty_mm,
        "lens_spread": None if table.lens_spread is None else asdict(table.lens_spread),
        "notes": list(table.notes),
        "camera": {
            "width_px": camera.width_px,
            "height_px": camera.height_px,
            "K": camera.matrix.tolist(),
            "dist": camera.dist.tolist(),
            "R": camera.rotation.tolist(),
            "t_mm": camera.translation_mm.tolist(),
        },
        "layout": layout_to_json(table.layout),
    }
    write_json(path, value)


def load_table(path: Path) -> Table:
    """Read a table file; raises BadTable, or BadLayout for the layout in it, with what to do."""
    record = Record.of(read_json(path, BadTable, REMEDY), str(path), BadTable)
    record.check_file("table", VERSION)
    method = record.text("method")
    if method not in METHODS:
        raise record.fault(f"method '{method}' is unknown", f"write one of {', '.join(METHODS)}")
    return Table(
        layout=layout_from_json(record.record("layout").values, f"{path}: layout"),
        camera=_camera(record.record("camera")),
        method=METHODS[method],
        error_px=record.number("error_px"),
        uncertainty_mm=record.number("uncertainty_mm") if record.has("uncertainty_mm") else None,
        lens_spread=_lens_spread(record.record("lens_spread")) if record.has("lens_spread") else None,
        notes=record.texts("notes") if record.has("notes") else (),
    )


def _lens_spread(record: Record) -> LensSpread:
    return LensSpread(focal_px=record.number("focal_px"), k1=record.number("k1"), k2=record.number("k2"))


def _camera(record: Record) -> CameraModel:
    rotation = np.array(record.points("R", 3, 3))
    if rotation.shape != (3, 3) or not np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-3):
        raise record.fault("R is no rotation", REMEDY)
    return CameraModel(
        matrix=camera_matrix(record),
        dist=np.array(record.numbers("dist", 5)),
        rotation=rotation,
        translation_mm=np.array(record.numbers("t_mm", 3)),
        width_px=record.whole("width_px"),
        height_px=record.whole("height_px"),
    )
