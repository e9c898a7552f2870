"""Which of several sizes a thrown ball has, before its throw is read: what flies freely tells how far away it is, for
gravity is known, and so how large it is."""

import math
from collections.abc import Collection, Sequence

import numpy as np

from calibration.camera_model import CameraModel
from referee.vision.ballistics import Array, Samples, fall_mm
from referee.vision.kinds import IN_FLIGHT_SHARE, BallKind, kind_by_size
from referee.vision.middles import median
from referee.vision.segments import Motion, Piece, flight_design
from referee.vision.tracks import Sighting

MAX_SPREAD = 0.05
"""How well a flight must tell the distance, as a share: balls of one colour differ more in size."""

UNUSUAL = 0.08
"""How much larger, as a logarithm, than usual a ball is seen that may be a larger one further away than was told: shade
and gloss take of its rim, and nothing adds to it."""

UNUSUAL_LESS, UNUSUAL_SIGMA = 0.05, 0.1
"""How much less of a ball's size than usual is seen, as a logarithm, in lights that take more of its rim, and how much
that differs between them."""


def seen_radii_mm(sightings: Sequence[Sighting], places_mm: Array, camera: CameraModel) -> Array:
    """A ball's radius as seen in each of its sightings, (n,), at places (n, 3); none where it would be behind the
    camera."""
    px_per_mm = camera.radius_px(places_mm, 1.0)
    # Motion blur makes a ball longer, never wider.
    radii = np.array([min(s.blob.radius_px, s.blob.width_px) for s in sightings])
    return np.asarray(radii[px_per_mm > 0] / px_per_mm[px_per_mm > 0], dtype=np.float64)


def likeliest_kind(
    options: Sequence[BallKind],
    sightings: Sequence[Sighting],
    samples: Samples,
    pieces: Sequence[Piece],
    camera: CameraModel,
    lying: Collection[str],
) -> BallKind:
    """The kind whose size a ball has in the piece of its track that tells its distance best; the middle one, which is
    the least wrong if it is wrong, where none does.

    ``options``: smallest first. ``sightings``: as many as ``samples``. ``lying``: names of the kinds on the board.
    """
    # Each ball exists once.
    free = [kind for kind in options if kind.name not in lying] or options
    kind, least = free[len(free) // 2], MAX_SPREAD
    for piece in pieces:
        if piece.motion is not Motion.FLYING:
            continue
        part = samples.part(piece.start, piece.stop)
        tau = part.t_s - part.t_s.mean()
        design, target = flight_design(part, tau)
        # Pixels alone: sizes are what is asked for.
        rows, aim = design[:, :2].reshape(-1, 6), target[:, :2].ravel()
        spread = np.linalg.pinv(rows.T @ rows)
        place, speed = (spread @ (rows.T @ aim)).reshape(2, 3)
        ahead, depth_mm = camera.rotation[2], float(camera.depth_mm(place[None])[0])
        share = float(np.sqrt(ahead @ spread[:3, :3] @ ahead)) / depth_mm
        if 0.0 < share < least:
            seen, least = sightings[piece.start : piece.stop], share
            radii_mm = seen_radii_mm(seen, place + speed * tau[:, None] + fall_mm(tau), camera)
            size_px = median([s.blob.radius_px for s in seen])
            kind, _ = kind_by_size(options, radii_mm, lying, size_px)
    return kind


def rival_of(kind: BallKind, seen_mm: Array, options: Sequence[BallKind]) -> BallKind | None:
    """The next larger kind of a colour, of ``options``, that a ball may be if it is seen larger than it should be."""
    larger = [option for option in options if option.radius_mm > kind.radius_mm]
    return larger[0] if larger and _off(kind, seen_mm) > UNUSUAL else None


def sureness_beside(kind: BallKind, seen_mm: Array, rival: BallKind, rival_seen_mm: Array) -> float:
    """How sure it is that a ball is of one kind and not of another, by the sizes as its flights as either tell them."""
    odds, against = (
        math.exp(-0.5 * ((_off(*seen) + UNUSUAL_LESS) / UNUSUAL_SIGMA) ** 2)
        for seen in ((kind, seen_mm), (rival, rival_seen_mm))
    )
    return odds / max(odds + against, 1e-300)


def _off(kind: BallKind, seen_mm: Array) -> float:
    """How much larger than usual a ball of a kind is seen, as a logarithm."""
    return math.log(median(seen_mm) / (IN_FLIGHT_SHARE * kind.radius_mm))
