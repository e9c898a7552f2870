"""Throws of which no flight was read: what is told of them all the same."""

from collections.abc import Sequence
from dataclasses import replace

from calibration.camera_model import CameraModel
from referee.vision.ballistics import Array
from referee.vision.contacts import Contact
from referee.vision.flight import Flight
from referee.vision.ground import Ground, Surface
from referee.vision.kinds import BallKind, kind_by_size, middle_kind
from referee.vision.lying import LyingBall
from referee.vision.middles import median
from referee.vision.sizing import seen_radii_mm
from referee.vision.throws import SIZE_RATIO, Throw, is_gone, is_steady
from referee.vision.tracks import Sighting, Track
from referee.vision.veil import Veil


def is_held(sighting: Sighting, veil: Veil) -> bool:
    """Whether a hand is at a ball."""
    blob = sighting.blob
    return veil.is_hand(sighting.t_s, blob.x_px, blob.y_px, blob.radius_px)


def kind_seen(
    options: Sequence[BallKind],
    sightings: Sequence[Sighting],
    places_mm: Array,
    camera: CameraModel,
    lying: Sequence[LyingBall],
) -> tuple[BallKind, float] | None:
    """Which ball of a colour was seen at places, (n, 3), and how sure that is; None where none has that size."""
    kind, sureness = middle_kind(options), 1.0
    seen_mm = seen_radii_mm(sightings, places_mm, camera)
    size_px = median([s.blob.radius_px for s in sightings])
    if len(options) > 1:
        kind, sureness = kind_by_size(options, seen_mm, {ball.kind.name for ball in lying}, size_px)
    ratio = median(seen_mm) / kind.radius_mm
    is_a_ball = SIZE_RATIO[0] <= ratio <= SIZE_RATIO[1] and is_steady(seen_mm, size_px)
    return (kind, sureness) if is_a_ball else None


def supposed(t_s: float, place_mm: Array, before_mm_s: Array, after_mm_s: Array, surface: Surface = "table") -> Contact:
    """A contact that wasn't seen, at a place and between velocities, (3,)."""
    x_mm, y_mm, z_mm = place_mm.tolist()
    (ux, uy, uz), (vx, vy, vz) = before_mm_s.tolist(), after_mm_s.tolist()
    return Contact(
        t_s=t_s,
        surface=surface,
        x_mm=x_mm,
        y_mm=y_mm,
        z_mm=z_mm,
        before_mm_s=(ux, uy, uz),
        after_mm_s=(vx, vy, vz),
        margin=0.0,
        is_inferred=True,
    )


def untold_throw(
    track: Track, kind: tuple[BallKind, float], contacts: tuple[Contact, ...], ground: Ground, why: str
) -> Throw:
    """The throw of a track, by contacts that stand for those that weren't read; ``kind``: which ball, and how sure that
    is; ``why``: its bounces aren't known."""
    first = contacts[0]
    flight = Flight(
        start_s=first.t_s,
        end_s=contacts[-1].t_s,
        start_mm=(first.x_mm, first.y_mm, first.z_mm),
        contacts=contacts,
        cost_per_sample=1.0,
        lead_cost=1.0,
        margin=0.0,
        rival_bounces=None,
        is_start_open=False,
    )
    throw = Throw.of(track, kind[0], flight, ground, sureness=kind[1], is_gone=is_gone(track.sightings, ground))
    return replace(throw, untold=why)
