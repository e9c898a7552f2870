"""A ball's track from any tracker, with the camera that saw it and the surfaces around: read from JSON."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.lens import camera_matrix
from calibration.record import Record, Span, read_json
from referee.errors import BadTrack
from referee.vision.air import drag_per_mm
from referee.vision.surfaces import Surface, Terrain

DIST_COUNTS: Final = (0, 4, 5, 8, 12, 14)
"""Numbers of distortion coefficients that OpenCV's lens model comes with."""

RADIUS: Final = Span(low_mm=1.0, high_mm=500.0)
MOST_DRAG_PER_MM: Final = 5e-4
"""Of a ball four times as light for its size as one for table tennis: such floats rather than flies."""

SKEW: Final = 0.02
"""How far R times its transpose may be from the identity: four digits are enough, three aren't."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BallTrack:
    """``t_s``: (n,) ascending; ``px``: (n, 2); ``radius_px``: (n,), NaN where the tracker gave none. ``drag_per_mm``:
    how much air brakes the ball; 0 where its mass isn't named."""

    camera: CameraModel
    terrain: Terrain
    t_s: NDArray[np.float64]
    px: NDArray[np.float64]
    radius_px: NDArray[np.float64]
    drag_per_mm: float


def read_track(path: Path) -> BallTrack:
    """Read a track file; points may come in any order, and those whose ``px`` is null are left out. Raises BadTrack."""
    record = Record.of(read_json(path, BadTrack, "check the name"), str(path), BadTrack)
    camera = _camera(record.record("camera"))
    terrain = Terrain(
        surfaces=tuple(_surface(item) for item in record.records("surfaces")),
        radius_mm=record.length_mm("ball_radius_mm", RADIUS),
    )
    if not terrain.surfaces:
        raise record.fault("surfaces is empty", 'name what the ball can meet, like {"name": "table", "z_mm": 0}')
    points = [_point(item) for item in record.records("points") if item.has("px") or "px" not in item.values]
    rows = np.array(points, dtype=np.float64).reshape(-1, 4)
    # The first of several sightings at one time: a ball is in one place.
    _, first = np.unique(rows[:, 0], return_index=True)
    rows = rows[first]
    return BallTrack(
        camera=camera,
        terrain=terrain,
        t_s=rows[:, 0],
        px=rows[:, 1:3],
        radius_px=rows[:, 3],
        drag_per_mm=_drag(record, terrain.radius_mm),
    )


def _drag(record: Record, radius_mm: float) -> float:
    if not record.has("ball_mass_g"):
        return 0.0
    mass_g = record.number("ball_mass_g")
    if mass_g <= 0 or drag_per_mm(radius_mm, mass_g) > MOST_DRAG_PER_MM:
        raise record.fault(f"ball_mass_g is {mass_g:g}", "weigh the ball in grams, or leave it out for a heavy one")
    return drag_per_mm(radius_mm, mass_g)


def _camera(record: Record) -> CameraModel:
    matrix = camera_matrix(record)
    rotation = np.array(record.points("R", 3, 3))
    if (
        rotation.shape != (3, 3)
        or np.abs(rotation @ rotation.T - np.eye(3)).max() > SKEW
        or np.linalg.det(rotation) < 0
    ):
        raise record.fault("R is no rotation", "write the three rows of the matrix from world to camera")
    left, _, right = np.linalg.svd(rotation)
    return CameraModel(
        matrix=matrix,
        dist=_dist(record),
        rotation=left @ right,
        translation_mm=np.array(record.numbers("t_mm", 3)),
        width_px=round(2 * float(matrix[0, 2])),
        height_px=round(2 * float(matrix[1, 2])),
    )


def _dist(record: Record) -> NDArray[np.float64]:
    value = record.values.get("dist") or []
    if not isinstance(value, list) or len(value) not in DIST_COUNTS:
        raise record.fault("dist is no list of lens distortions", "write [k1, k2, p1, p2, k3], or [] for none")
    return np.array(record.numbers("dist", len(value))) if value else np.zeros(5)


def _surface(record: Record) -> Surface:
    polygon = record.points("polygon_mm", 2, 3) if record.has("polygon_mm") else None
    return Surface(
        name=record.text("name"),
        z_mm=record.number("z_mm"),
        polygon_mm=None if polygon is None else tuple((x, y) for x, y in polygon),
    )


def _point(record: Record) -> tuple[float, float, float, float]:
    """Time, x, y and radius of a sighting."""
    x_px, y_px = record.numbers("px", 2)
    return record.number("t"), x_px, y_px, record.number("r_px") if record.has("r_px") else float("nan")
