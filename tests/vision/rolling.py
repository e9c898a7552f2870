"""Balls that move on their own or in a hand, as they are seen and followed."""

from collections.abc import Callable, Sequence

import numpy as np

from calibration.table import Table
from referee.vision.blobs import Blob
from referee.vision.contacts import Contact
from referee.vision.flight import Flight
from referee.vision.kinds import BallKind
from referee.vision.tracks import Sighting, Track
from referee.vision.veil import Veil
from tests.vision.scene import HEIGHT_PX, RADIUS_MM, WIDTH_PX

RED = BallKind(name="red", colour="red", radius_mm=RADIUS_MM)
RATE_HZ = 60.0
BEGINS_S = 1.0
HAND_PX = 40


def followed(
    scene: Table,
    frames: Sequence[int],
    place_mm: Callable[[float], tuple[float, float, float]],
    held: Callable[[float], bool],
) -> tuple[Track, Veil]:
    """The track of a red ball over some frames, which is seen from frame 0 on, one second after the recording begins.

    ``place_mm``, ``held``: where it is some seconds after that, and whether a hand is at it.
    """
    veil, sightings = Veil(), []
    for k in frames:
        t_s = k / RATE_HZ
        place = np.array([place_mm(t_s)])
        (x_px, y_px), radius_px = scene.camera.to_px(place)[0], float(scene.camera.radius_px(place, RADIUS_MM)[0])
        changed = np.zeros((HEIGHT_PX // 2, WIDTH_PX // 2), np.bool_)
        if held(t_s):
            row, column = int(y_px) // 2, int(x_px) // 2
            changed[max(0, row - HAND_PX) : row + HAND_PX, max(0, column - HAND_PX) : column + HAND_PX] = True
        veil.add(BEGINS_S + t_s, changed)
        blob = Blob(
            colour="red",
            x_px=float(x_px),
            y_px=float(y_px),
            radius_px=radius_px,
            length_px=radius_px,
            width_px=radius_px,
            share=1.0,
            at_border=False,
        )
        if k >= 0:
            sightings.append(Sighting(index=k, t_s=BEGINS_S + t_s, blob=blob))
    track = Track(sightings[0], lay_before=False)
    track.sightings = sightings
    return track, veil


def flown(contacts: Sequence[Contact], start_s: float = 0.0) -> Flight:
    """A flight of a second from the south, read beyond doubt."""
    return Flight(
        start_s=start_s,
        end_s=start_s + 1.0,
        start_mm=(0.0, -400.0, 200.0),
        contacts=tuple(contacts),
        cost_per_sample=1.0,
        lead_cost=1.0,
        margin=500.0,
        rival_bounces=None,
        is_start_open=False,
    )
