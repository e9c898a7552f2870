"""From things seen at known places to the camera: pose and, as far as the view tells, the lens.

One view of a flat object says little about some of the unknowns (a camera that looks straight down can't tell its
focal length from its height). Each unknown therefore has a prior from what cameras are like, and the most probable
camera is found (maximum a posteriori, Levenberg-Marquardt with Cauchy weights). The start is a scan over focal
lengths with the two poses that each allows (IPPE, Collins and Bartoli 2014).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.lens import Lens

Array = NDArray[np.float64]

# Focal length in picture widths: 0.8 is a horizontal field of view of 64 degrees; 35 to 120 degrees lie within two
# standard deviations.
USUAL_FOCAL: Final = 0.8
FOCAL_SPREAD: Final = 0.4
# Sensors are centred behind lenses to a part of this share of the width, one standard deviation.
CENTRE_SPREAD: Final = 0.005
# The radial terms of lenses of webcams, phones and Pi cameras: the first one, and by how much the second one, which
# takes back a part of it far out, differs from its usual share of the first; one standard deviation each.
K1_SPREAD: Final = 0.1
K2_SHARE: Final = -0.1
K2_SPREAD: Final = 0.05
# Beyond this many standard deviations a measurement loses its say.
CAUCHY: Final = 3.0
PLAIN: Final = 1e6
SCAN: Final = tuple(float(f) for f in np.geomspace(0.25, 2.0, 13))
STARTS: Final = 5
# Objects this flat are handled as flat at first; the fit then takes every height as it is.
FLAT_MM: Final = 1.0
POSE: Final = 6
LENS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sighting:
    """A group of n points of the object seen in the picture.

    A point is at ``base_mm`` + scale * ``spread_mm``, each (n, 3); the scale, one for the group, is 1 within
    ``scale_spread`` (0: exactly). ``seen_px``: (n, 2). ``across``: (n, 2) unit vectors along which alone the place is
    known (points of an edge), or None. ``sigma_px``: one standard deviation. ``share``: what one point counts, less
    than 1 where neighbours err together.
    """

    base_mm: Array
    spread_mm: Array
    seen_px: Array
    sigma_px: float
    scale_spread: float = 0.0
    share: float = 1.0
    across: Array | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """The most probable camera; ``scales``: of each sighting; ``cost``: half the sum of squares, priors included."""

    camera: CameraModel
    scales: tuple[float, ...]
    cost: float

    def errors_px(self, number: int, sighting: Sighting) -> Array:
        """How far the points of a sighting (by its place in the list) are seen from where they should be, (n,)."""
        away = sighting.seen_px - self.camera.to_px(sighting.base_mm + self.scales[number] * sighting.spread_mm)
        if sighting.across is None:
            return np.asarray(np.hypot(away[:, 0], away[:, 1]), dtype=np.float64)
        return np.asarray(np.abs((away * sighting.across).sum(axis=1)), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class LensSpread:
    """How far off an estimated focal length and the radial terms may be, one standard deviation each."""

    focal_px: float
    k1: float
    k2: float


def solve(sightings: Sequence[Sighting], width_px: int, height_px: int, lens: Lens | None) -> View | None:
    """The most probable camera for what is seen, None where no camera above the table sees it so."""
    starts = _starts(sightings, width_px, height_px, lens)
    views = [refine(sightings, start, lens_is_known=lens is not None) for start in starts]
    above = [view for view in views if view.camera.centre_mm[2] > 0]
    return min(above, key=lambda view: view.cost, default=None)


def refine(sightings: Sequence[Sighting], start: CameraModel, *, lens_is_known: bool) -> View:
    """Improve a camera; with a known lens only its pose."""
    problem = _Problem(sightings, start, lens_is_known=lens_is_known)
    unknowns, cost = problem.minimise()
    camera = problem.camera(unknowns)
    return View(camera=camera, scales=tuple(float(s) for s in problem.scales(unknowns)), cost=cost)


def uncertainty_mm(sightings: Sequence[Sighting], view: View, places_mm: Array, *, lens_is_known: bool) -> float:
    """How far off places of one height, (n, 3), may be in a view: one standard deviation of the worst."""
    problem = _Problem(sightings, view.camera, lens_is_known=lens_is_known)
    return problem.uncertainty_mm(np.array(view.scales), places_mm)


def lens_spread(sightings: Sequence[Sighting], view: View) -> LensSpread:
    """How sure the lens is that was estimated together with a view."""
    problem = _Problem(sightings, view.camera, lens_is_known=False)
    spread = problem.spread(np.array(view.scales))[POSE : POSE + LENS]
    return LensSpread(focal_px=float(view.camera.focal_px * spread[0]), k1=float(spread[3]), k2=float(spread[4]))


def _starts(sightings: Sequence[Sighting], width_px: int, height_px: int, lens: Lens | None) -> list[CameraModel]:
    """The most promising pinhole cameras above the table, best first."""
    points = np.concatenate([s.base_mm + s.spread_mm for s in sightings if s.across is None])
    seen = np.concatenate([s.seen_px for s in sightings if s.across is None])
    centre = ((width_px - 1) / 2, (height_px - 1) / 2)
    found: list[tuple[float, CameraModel]] = []
    for share in SCAN if lens is None else (0.0,):
        focal = share * width_px
        pinhole = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]])
        matrix, dist = (pinhole, np.zeros(5)) if lens is None else (lens.matrix, lens.dist)
        for rotation, translation_mm in _poses(points, seen, matrix, dist):
            camera = CameraModel(
                matrix=matrix,
                dist=dist,
                rotation=rotation,
                translation_mm=translation_mm,
                width_px=width_px,
                height_px=height_px,
            )
            if camera.centre_mm[2] > 0 and camera.depth_mm(points).min() > 0:
                found.append((float(((camera.to_px(points) - seen) ** 2).mean()), camera))
    found.sort(key=lambda entry: entry[0])
    return [camera for _, camera in found[:STARTS]]


def _poses(points_mm: Array, seen_px: Array, matrix: Array, dist: Array) -> list[tuple[Array, Array]]:
    """Rotations (3, 3) and translations (3,) that may show points, (n, 3), at pixels, (n, 2)."""
    # OpenCV wants flat objects at height 0.
    level_mm = np.array([0.0, 0.0, points_mm[:, 2].mean()])
    is_flat = float(np.ptp(points_mm[:, 2])) < FLAT_MM
    method = cv2.SOLVEPNP_IPPE if is_flat else cv2.SOLVEPNP_SQPNP
    points = (points_mm - level_mm) * (1, 1, 0 if is_flat else 1)
    try:
        _, rvecs, tvecs, _ = cv2.solvePnPGeneric(points, seen_px, matrix, dist, flags=method)
    except cv2.error:
        return []
    rotations = [np.asarray(cv2.Rodrigues(rvec)[0], dtype=np.float64) for rvec in rvecs]
    translations = [np.asarray(tvec, dtype=np.float64).ravel() for tvec in tvecs]
    return [(r, t - r @ level_mm) for r, t in zip(rotations, translations, strict=True)]


class _Problem:
    """Unknowns: rotation vector, translation, log focal, centre x and y, k1, k2, then a scale for each sighting."""

    def __init__(self, sightings: Sequence[Sighting], start: CameraModel, *, lens_is_known: bool) -> None:
        self._sightings = sightings
        self._start = start
        rvec = np.asarray(cv2.Rodrigues(start.rotation)[0], dtype=np.float64).ravel()
        lens = [math.log(start.focal_px), start.matrix[0, 2], start.matrix[1, 2], *start.dist[:2]]
        self._first = np.concatenate([rvec, start.translation_mm, lens, np.ones(len(sightings))])
        free = np.ones(len(self._first), dtype=bool)
        free[POSE : POSE + LENS] = not lens_is_known
        free[POSE + LENS :] = [s.scale_spread > 0 for s in sightings]
        self._free = np.flatnonzero(free)
        width, height = start.width_px, start.height_px
        centre = CENTRE_SPREAD * width
        self._usual = np.array([math.log(USUAL_FOCAL * width), (width - 1) / 2, (height - 1) / 2, 0.0, 0.0])
        self._spread = np.array([FOCAL_SPREAD, centre, centre, K1_SPREAD, K2_SPREAD])
        self._lens_is_known = lens_is_known
        counts = [len(s.seen_px) * (2 if s.across is None else 1) for s in sightings]
        shares = [np.full(count, s.share) for count, s in zip(counts, sightings, strict=True)]
        priors = len(sightings) + LENS
        self._shares = np.concatenate([*shares, np.ones(priors)])
        self._tolerance = np.concatenate([np.full(sum(counts), CAUCHY), np.full(priors, PLAIN)])

    def scales(self, unknowns: Array) -> Array:
        return unknowns[POSE + LENS :]

    def camera(self, unknowns: Array) -> CameraModel:
        start = self._start
        matrix, dist = start.matrix, start.dist
        if not self._lens_is_known:
            log_focal, x, y, k1, k2 = unknowns[POSE : POSE + LENS]
            focal = math.exp(log_focal)
            matrix = np.array([[focal, 0, x], [0, focal, y], [0, 0, 1]])
            dist = np.array([k1, k2, 0, 0, 0])
        return CameraModel(
            matrix=matrix,
            dist=dist,
            rotation=np.asarray(cv2.Rodrigues(unknowns[:3])[0], dtype=np.float64),
            translation_mm=unknowns[3:POSE].copy(),
            width_px=start.width_px,
            height_px=start.height_px,
        )

    def minimise(self) -> tuple[Array, float]:
        """Levenberg-Marquardt; returns the unknowns and half the sum of squares, outliers counting less."""
        unknowns, damping = self._first, 1e-3
        residuals = self._residuals(unknowns)
        cost = self._cost(residuals)
        for _ in range(60):
            jacobian = self._jacobian(unknowns)
            weights = self._shares / (1 + (residuals / self._tolerance) ** 2)
            normal = jacobian.T @ (jacobian * weights[:, None])
            slope = jacobian.T @ (weights * residuals)
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), slope)
            tried = unknowns.copy()
            tried[self._free] -= step
            now = self._residuals(tried)
            cost_now = self._cost(now)
            if cost_now < cost:
                gain, unknowns, residuals, cost = cost - cost_now, tried, now, cost_now
                damping = max(damping / 5, 1e-9)
                if gain < 1e-9 * (1 + cost):
                    break
            else:
                damping *= 5
                if damping > 1e9:
                    break
        return unknowns, cost

    def uncertainty_mm(self, scales: Array, places_mm: Array) -> float:
        """How far the rays through places may miss them: the unknowns' covariance carried to their plane."""
        unknowns = np.concatenate([self._first[: POSE + LENS], scales])
        height_mm = float(places_mm[0, 2])
        covariance = self._covariance(unknowns)
        seen_px = self.camera(unknowns).to_px(places_mm)
        moves = []
        for i in self._free:
            moved = unknowns.copy()
            step = 1e-5 * max(1.0, abs(unknowns[i]))
            moved[i] += step
            moves.append((self.camera(moved).to_mm(seen_px, height_mm) - places_mm)[:, :2] / step)
        shifts = np.stack(moves, axis=-1)
        variance = np.einsum("nai,ij,naj->n", shifts, covariance, shifts)
        return float(np.sqrt(variance.max()))

    def spread(self, scales: Array) -> Array:
        """One standard deviation of each unknown, 0 of those that are known."""
        unknowns = np.concatenate([self._first[: POSE + LENS], scales])
        out = np.zeros(len(unknowns))
        out[self._free] = np.sqrt(np.diag(self._covariance(unknowns)))
        return out

    def _covariance(self, unknowns: Array) -> Array:
        """Of the free unknowns, outliers counting less."""
        weights = self._shares / (1 + (self._residuals(unknowns) / self._tolerance) ** 2)
        jacobian = self._jacobian(unknowns)
        return np.asarray(np.linalg.pinv(jacobian.T @ (jacobian * weights[:, None]), hermitian=True))

    def _residuals(self, unknowns: Array) -> Array:
        """In standard deviations: what is seen, then the priors."""
        camera, scales = self.camera(unknowns), self.scales(unknowns)
        parts = []
        for sighting, scale in zip(self._sightings, scales, strict=True):
            away = camera.to_px(sighting.base_mm + scale * sighting.spread_mm) - sighting.seen_px
            away = away.ravel() if sighting.across is None else (away * sighting.across).sum(axis=1)
            parts.append(away / sighting.sigma_px)
        spreads = np.array([sighting.scale_spread or 1.0 for sighting in self._sightings])
        parts.append((scales - 1) / spreads)
        unlike_usual = unknowns[POSE : POSE + LENS] - self._usual
        unlike_usual[-1] -= K2_SHARE * unlike_usual[-2]
        parts.append(unlike_usual / self._spread)
        return np.concatenate(parts)

    def _cost(self, residuals: Array) -> float:
        if not np.isfinite(residuals).all():
            return math.inf
        robust = self._tolerance**2 / 2 * np.log1p((residuals / self._tolerance) ** 2)
        return float((self._shares * robust).sum())

    def _jacobian(self, unknowns: Array) -> Array:
        columns = []
        for i in self._free:
            step = 1e-6 * max(1.0, abs(unknowns[i]))
            there, back = unknowns.copy(), unknowns.copy()
            there[i] += step
            back[i] -= step
            columns.append((self._residuals(there) - self._residuals(back)) / (2 * step))
        return np.stack(columns, axis=1)
