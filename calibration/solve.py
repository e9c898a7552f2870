"""From things seen at known places to the camera: pose and, as far as the view tells, the lens.

One view of a flat object says little about some of the unknowns (a camera that looks straight down can't tell its
focal length from its height). Each unknown therefore has a prior from what cameras are like, and the most probable
camera is found (maximum a posteriori, Levenberg-Marquardt with Cauchy weights).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.first_poses import first_cameras
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
    points = np.concatenate([s.base_mm + s.spread_mm for s in sightings if s.across is None])
    seen = np.concatenate([s.seen_px for s in sightings if s.across is None])
    starts = first_cameras(points, seen, width_px, height_px, lens)
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
        """Of the residuals in the free unknowns; OpenCV gives the derivatives of pixels."""
        camera, scales = self.camera(unknowns), self.scales(unknowns)
        parts = []
        for number, (sighting, scale) in enumerate(zip(self._sightings, scales, strict=True)):
            points = sighting.base_mm + scale * sighting.spread_mm
            if not len(points):
                continue
            moves = cv2.projectPoints(points, unknowns[:3], camera.translation_mm, camera.matrix, camera.dist)[1]
            part = np.zeros((len(moves), len(unknowns)))
            part[:, :POSE] = moves[:, :POSE]
            part[:, POSE] = camera.focal_px * (moves[:, 6] + moves[:, 7])
            part[:, POSE + 1 : POSE + LENS] = moves[:, 8:12]
            # A point that moves shows as if the camera moved the other way.
            shifts = np.repeat(sighting.spread_mm @ camera.rotation.T, 2, axis=0)
            part[:, POSE + LENS + number] = (moves[:, 3:POSE] * shifts).sum(axis=1)
            if sighting.across is not None:
                part = (part.reshape(len(points), 2, -1) * sighting.across[..., None]).sum(axis=1)
            parts.append(part / sighting.sigma_px)
        return np.concatenate([*parts, self._prior_moves])[:, self._free]

    @cached_property
    def _prior_moves(self) -> Array:
        """The derivatives of the priors' residuals, which are linear in the unknowns."""
        count = len(self._sightings)
        scales, lens = np.zeros((count, len(self._first))), np.zeros((LENS, len(self._first)))
        scales[:, POSE + LENS :] = np.diag([1 / (sighting.scale_spread or 1.0) for sighting in self._sightings])
        lens[:, POSE : POSE + LENS] = np.diag(1 / self._spread)
        lens[-1, POSE + LENS - 2] = -K2_SHARE / self._spread[-1]
        return np.concatenate([scales, lens])
