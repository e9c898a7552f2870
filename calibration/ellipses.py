"""The rim of a large hole as an ellipse, where its inside is partly lit and partly in the shade."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.blobs import Blobs
from calibration.edges import find_edges

Array = NDArray[np.float64]

RAYS: Final = 48
# Edges are looked for on each ray around these shares of the blob's radius, this far to both sides.
RINGS: Final = (0.75, 0.9, 1.05, 1.2, 1.35)
REACH: Final = 0.08
# Slower changes of brightness, in levels a pixel, are no edge.
FAINT: Final = 0.7
# Ellipses through five edges that are tried; edges this near to one, in radii, lie on it.
TRIALS: Final = 400
NEAR: Final = 0.02
# An ellipse with edges on fewer of the rays isn't better than the blob.
LEAST: Final = 0.5
# Rays that leave the hole over the face: their number, where they start (in radii), how steep an edge has to be there
# (in levels a pixel) and how many pixels it may be wide.
FACE_RAYS: Final = 120
OUTSIDE: Final = 1.2
STRENGTHS: Final = (2.0, 4.0, 8.0)
EDGE_WIDTH: Final = 4


def sharpen(luma: NDArray[np.float32], blobs: Blobs) -> Blobs:
    """The blobs as ellipses through edges near their borders in (height, width) luma; as they were where there are few.

    Random samples of five edges (RANSAC, Fischler and Bolles 1981), always the same ones.
    """
    centres, shapes = blobs.centres_px.copy(), blobs.shapes_px2.copy()
    for i in range(len(centres)):
        better = _through_edges(luma, centres[i], shapes[i])
        if better is not None:
            centres[i], shapes[i] = better
    return Blobs(centres_px=centres, shapes_px2=shapes)


def first_edges(planes: Sequence[NDArray[np.uint8]], centre: Array, shape: Array, reach: float) -> Array:
    """Where rays that leave an ellipse outwards meet the first edge in any plane, (m, 2) pixels of the first plane.

    Edges are looked for beyond the ellipse's own, up to ``reach`` of its radii, at several strengths.
    """
    angles = np.arange(FACE_RAYS) * (2 * np.pi / FACE_RAYS)
    rays = np.column_stack([np.cos(angles), np.sin(angles)]) @ np.linalg.cholesky(shape).T
    longest_px = float(np.linalg.norm(rays, axis=1).max())
    along = np.arange(OUTSIDE, reach, 1 / longest_px)
    places = (centre + rays[:, None] * along[None, :, None]).astype(np.float32)
    steepest = np.zeros((FACE_RAYS, len(along)))
    for plane in planes:
        scale = plane.shape[1] / planes[0].shape[1]
        maps = (places + 0.5) * scale - 0.5
        smooth = cv2.GaussianBlur(plane, (0, 0), 1.0)
        profiles = cv2.remap(smooth, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        steepest = np.maximum(steepest, np.abs(np.gradient(profiles.astype(np.float64), axis=1)))
    found = []
    for strength in STRENGTHS:
        strong = steepest > strength
        first = strong.argmax(axis=1)
        # The steepest place of that edge, which may be a few pixels further.
        window = np.clip(first[:, None] + np.arange(EDGE_WIDTH), 0, len(along) - 1)
        peak = first + np.take_along_axis(steepest, window, axis=1).argmax(axis=1)
        met = strong.any(axis=1)
        found.append(places[np.flatnonzero(met), np.minimum(peak, len(along) - 1)[met]])
    return np.unique(np.concatenate(found).astype(np.float64), axis=0)


def _through_edges(luma: NDArray[np.float32], centre: Array, shape: Array) -> tuple[Array, Array] | None:
    frame = np.linalg.cholesky(shape)
    angles = np.arange(RAYS) * (2 * np.pi / RAYS)
    rays = np.column_stack([np.cos(angles), np.sin(angles)]) @ frame.T
    lengths = np.linalg.norm(rays, axis=1)
    places = centre + np.array(RINGS)[:, None, None] * rays
    normals = np.tile(rays / lengths[:, None], (len(RINGS), 1))
    edges = find_edges(luma, places.reshape(-1, 2), normals, np.tile(REACH * lengths, len(RINGS)))
    inside = ((places > 2) & (places < (luma.shape[1] - 3, luma.shape[0] - 3))).all(axis=2).ravel()
    good = inside & (np.abs(edges.slope) >= FAINT)
    points = ((places.reshape(-1, 2) + normals * edges.offset_px[:, None]) - centre) @ np.linalg.inv(frame).T
    points, ray = points[good], np.tile(np.arange(RAYS), len(RINGS))[good]
    if len(points) < 10:
        return None
    picks = np.random.default_rng(0).integers(0, len(points), (TRIALS, 5))
    conics = _conics(points[picks])
    for _ in range(3):
        middles, rims = _ellipses(conics)
        away = points[None] - middles[:, None]
        off = np.abs(np.sqrt(np.maximum(np.einsum("tni,tij,tnj->tn", away, np.linalg.inv(rims), away), 0)) - 1)
        near = off < NEAR
        rays_met = np.zeros((len(conics), RAYS), dtype=bool)
        rows, columns = np.nonzero(near)
        rays_met[rows, ray[columns]] = True
        best = int(rays_met.sum(axis=1).argmax())
        if rays_met[best].mean() < LEAST:
            return None
        conics = _fitted(points[near[best]])
    return centre + frame @ middles[best], frame @ rims[best] @ frame.T


def _conics(points: Array) -> Array:
    """a xx + b xy + c yy + d x + e y = 1 through five points each, (t, 5, 2): (t, 5)."""
    x, y = points[..., 0], points[..., 1]
    terms = np.stack([x * x, x * y, y * y, x, y], axis=-1)
    usable = np.abs(np.linalg.det(terms)) > 1e-9
    terms[~usable] = np.eye(5)
    return np.asarray(np.linalg.solve(terms, np.ones((*terms.shape[:2], 1)))[..., 0])


def _fitted(points: Array) -> Array:
    x, y = points[:, 0], points[:, 1]
    terms = np.stack([x * x, x * y, y * y, x, y], axis=-1)
    return np.asarray(np.linalg.lstsq(terms, np.ones(len(terms)))[0][None], dtype=np.float64)


def _ellipses(conics: Array) -> tuple[Array, Array]:
    """Middles, (t, 2), and shapes, (t, 2, 2); what is no ellipse of about the unit circle's size becomes a tiny one."""
    a, b, c, d, e = conics.T
    quadratic = np.stack([np.stack([a, b / 2], -1), np.stack([b / 2, c], -1)], -2)
    round_ = a * c - b * b / 4 > 1e-6
    quadratic[~round_] = np.eye(2)
    middles = -np.linalg.solve(quadratic, np.stack([d, e], -1)[..., None])[..., 0] / 2
    scale = 1 + np.einsum("ti,tij,tj->t", middles, quadratic, middles)
    rims = scale[:, None, None] * np.linalg.inv(quadratic)
    usual = round_ & (a > 0) & (scale > 0) & (np.abs(middles).max(axis=1) < 0.5)
    rims[~usual] = 1e-6 * np.eye(2)
    return middles, rims
