"""What a ball seen at some time can be touching, whatever its flight: surfaces and obstacles where it would be if it
touched them."""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from calibration.camera_model import CameraModel
from referee.vision.ballistics import Samples
from referee.vision.surfaces import Terrain

REACH_MM = 30.0
"""How far from where it is possible a supposed contact may be, before its time and place are fitted, besides how far
the ball moves from one sighting to the next."""

NEAR_MM = 12.0
"""The same for obstacles: less, for there is one wherever a ball passes before or behind a board."""

RAY_MM = 100.0
"""Height of the second point by which the ray through a pixel is told."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Touchable:
    """What the ball of some samples can touch in a terrain."""

    samples: Samples
    terrain: Terrain
    camera: CameraModel
    _known: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def at(self, t_s: float) -> tuple[int, ...]:
        """The surfaces and obstacles that a ball seen at a time can be touching, likeliest first."""
        k = min(max(int(self.samples.t_s.searchsorted(t_s)), 1), len(self.samples) - 1) - 1
        if k not in self._known:
            self._known[k] = self._after(k)
        return self._known[k]

    def _after(self, k: int) -> tuple[int, ...]:
        """The same between a sighting and the next one."""
        starts_mm, ways, unseen_mm = self._rays
        places = self.terrain.touched_by(starts_mm[k], ways[k])
        depths_mm = self.camera.depth_mm(np.array(places)).tolist()
        wrong = [
            self.terrain.trespass_mm(index, place) if depth_mm > 0 else math.inf
            for index, (place, depth_mm) in enumerate(zip(places, depths_mm, strict=True))
        ]
        order = sorted(range(len(wrong)), key=wrong.__getitem__)
        far = REACH_MM + unseen_mm[k]
        reach = [far if self.terrain.is_level(index) else NEAR_MM for index in range(len(wrong))]
        return tuple(index for index in order if wrong[index] <= reach[index]) or (order[0],)

    @cached_property
    def _rays(self) -> tuple[list[list[float]], list[list[float]], list[float]]:
        """Between each two sightings, the ray on which the ball is, by a point and a direction (3,), and how far
        it moves there unseen: for it falls and rises between two sightings, as far as between those around."""
        px, n = self.samples.px, len(self.samples)
        middle = (px[:-1] + px[1:]) / 2
        heights_mm = np.repeat([RAY_MM, 0.0, self.terrain.highest_z_mm], [n - 1, n - 1, n])
        places_mm = self.camera.to_mm(np.concatenate([middle, middle, px]), heights_mm)
        starts_mm, ends_mm, seen_mm = np.split(places_mm, [n - 1, 2 * (n - 1)])
        across_mm = seen_mm[1:, :2] - seen_mm[:-1, :2]
        gaps_mm = np.zeros(n + 1)
        gaps_mm[1:-1] = np.hypot(across_mm[:, 0], across_mm[:, 1])
        unseen_mm = np.maximum(gaps_mm[1:-1], np.maximum(gaps_mm[:-2], gaps_mm[2:]))
        return starts_mm.tolist(), (ends_mm - starts_mm).tolist(), unseen_mm.tolist()
