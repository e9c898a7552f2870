"""Which of many candidates together explain a picture best."""

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.explain import (
    EDGE_WORTH,
    LYING_PRICE,
    Mask,
    Scene,
    are_in_one_another,
    distances_mm,
    strength_of,
)
from referee.vision.pins.outlines import masks_of, outlines_of
from referee.vision.pins.picture import Array, Image

PRICE: Final = 0.13
"""What one more pin must explain, as a share of what a pin in plain view explains."""

PRICE_SLACK: Final = 0.02
"""How far off what a pin explains may be, in the same shares."""

OWN_PLACE: Final = 1.2
"""How far apart, in radii of the belly, the feet of two pins at least seem to be."""

BEHIND: Final = 0.05
"""Share of a pin that another one covers from which they are behind one another."""

COARSE: Final = 2
"""Pins are chosen in a picture so many times smaller."""


class Chooser:
    """Chooses pins that together explain a scene, from candidate poses (n, 5), of which the first may be ``known``."""

    def __init__(self, poses: Array, scene: Scene, known: int = 0) -> None:
        self._known = list(range(known))
        outlines = outlines_of(poses, scene.size, scene.window)
        height, width = scene.evidence.shape
        evidence = cv2.resize(scene.evidence, (width // COARSE, height // COARSE), interpolation=cv2.INTER_AREA)
        shape = evidence.shape
        masks = masks_of(outlines, (shape[0], shape[1]), COARSE).reshape(len(poses), -1)
        # Only pixels that some candidate covers matter.
        used = np.flatnonzero(masks.any(axis=0))
        self._masks = masks[:, used]
        self._flat = self._masks.astype(np.float32)
        self._evidence = evidence.ravel()[used]
        edges = outlines.edges
        counts = edges.counts
        # A row for each pose, as long as the longest needs.
        places = (edges.of, np.arange(len(edges.of)) - (counts.cumsum() - counts)[edges.of])
        self._edge_cells = np.full((len(poses), counts.max(initial=1)), len(used), dtype=np.intp)
        inner_x, inner_y = (values[0, :, 0] / np.float32(COARSE) for values in (edges.x, edges.y))
        self._edge_cells[places] = _cells_among(used, (shape[0], shape[1]), inner_x, inner_y)
        self._strength = np.zeros(self._edge_cells.shape)
        areas = self._flat.sum(axis=1)
        self._strength[places] = strength_of(edges, scene)[:, 0] * (areas / np.maximum(counts, 1))[edges.of]
        self._near = distances_mm(poses, scene)
        self._clash = are_in_one_another(poses, scene.size)
        # What an upright pin in the middle of the lane covers.
        middle = np.array([[0.0, 0.0, scene.window.table.layout.height_mm, 0.0, 0.0]])
        typical = outlines_of(middle, scene.size, scene.window)
        self._plain = float(masks_of(typical, scene.window.shape).sum()) / COARSE**2 * (1 + EDGE_WORTH)
        self._stands = poses[:, 4] == 0
        self._feet = poses[:, :2] / scene.size.radius_mm
        self._price = np.where(poses[:, 4] > 0, PRICE + LYING_PRICE / 2, PRICE) * self._plain

    def chosen(self, most: int) -> list[int]:
        """Indices of the best set of at most ``most`` poses that can be there together."""
        picked = self._grown(self._known, most)
        best = self._worth(picked)
        improved = True
        while improved:
            improved = False
            for k in picked[len(self._known) :]:
                # Without it, and without those much like it that would only take its place.
                alike = self._clash[k] & (self._stands == self._stands[k])
                other = self._grown([j for j in picked if j != k], most, barred=alike)
                worth = self._worth(other)
                if worth > best + 1e-6:
                    picked, best, improved = other, worth, True
                    break
        return picked

    def exchanged(self, picked: list[int], others: Mapping[int, int]) -> dict[int, float]:
        """Which of the poses ``picked`` are better exchanged for their ``others``, and what that gains of pins in plain
        view: the one that gains most first, then those that gain beside it. Only such as are seen behind one another.
        """
        gains: dict[int, float] = {}
        shared = self._flat[picked] @ self._flat[picked].T > BEHIND * self._flat[picked].sum(axis=1)
        behind = {k for i, k in enumerate(picked) if (shared[i] | shared[:, i]).sum() > 1}
        picked, left = list(picked), {k: other for k, other in others.items() if k in behind}
        worth = self._worth(picked)
        while left:
            tries = {k: self._worth([other if j == k else j for j in picked]) for k, other in left.items()}
            best = max(tries, key=lambda k: tries[k])
            if tries[best] <= worth:
                break
            picked[picked.index(best)] = left.pop(best)
            gains[best], worth = (tries[best] - worth) / self._plain, tries[best]
        return gains

    def one_more(self, picked: list[int]) -> tuple[float, int | None]:
        """How likely it is that one more upright pin is there that was not worth its price, and the likeliest one."""
        standing = [k for k in picked if self._stands[k]]
        tilted = [k for k in picked if not self._stands[k]]
        apart = np.linalg.norm(self._feet[:, None] - self._feet[standing][None], axis=-1).min(axis=1, initial=np.inf)
        # Places are a little off: one that seems to be within another may still be one of its own.
        which = np.flatnonzero(self._stands & (apart > OWN_PLACE) & ~self._clash[tilted].any(axis=0))
        gains = self._gains(picked, which) / self._plain
        best = int(which[gains.argmax()]) if len(which) else None
        return float(1 / (1 + np.exp(-gains.max(initial=-1.0) / PRICE_SLACK))), best

    def _grown(self, picked: list[int], most: int, barred: Mask | None = None) -> list[int]:
        picked = list(picked)
        while len(picked) < most:
            out = np.asarray(self._clash[picked].any(axis=0), dtype=np.bool_)
            if barred is not None:
                out |= barred
            which = np.flatnonzero(~out)
            gains = self._gains(picked, which)
            if not len(gains) or gains.max() <= 0:
                break
            picked.append(int(which[gains.argmax()]))
        return picked

    def _gains(self, picked: list[int], which: NDArray[np.intp]) -> Array:
        """What each of some candidates would add to those picked: pixels that none of them covers yet, and the part
        of its outline that none in front of it hides."""
        order = sorted(picked, key=lambda k: self._near[k])
        layers = self._layers(order)
        # Not as a product of matrices, for which several processors are woken.
        left = np.where(layers[-1, :-1], np.float32(0.0), self._evidence)
        inside = np.einsum("ij,j->i", self._flat, left)[which]
        in_front = np.searchsorted(self._near[order], self._near[which])
        is_hidden = layers[in_front[:, None], self._edge_cells[which]]
        outline = np.where(is_hidden, 0.0, self._strength[which]).sum(axis=1)
        return np.asarray(inside + EDGE_WORTH * outline - self._price[which], dtype=np.float64)

    def _layers(self, order: list[int]) -> Mask:
        """What none, one, two ... of some candidates cover, one row each; the last place is that of no pixel."""
        layers = np.zeros((len(order) + 1, self._masks.shape[1] + 1), dtype=np.bool_)
        for row, k in enumerate(order):
            np.logical_or(layers[row, :-1], self._masks[k], out=layers[row + 1, :-1])
        return layers

    def _worth(self, picked: list[int]) -> float:
        """What a set explains, less its price."""
        order = sorted(picked, key=lambda k: self._near[k])
        layers = self._layers(order)
        inside = float(self._evidence[layers[-1, :-1]].sum())
        is_hidden = layers[np.arange(len(order))[:, None], self._edge_cells[order]]
        outline = float(self._strength[order][~is_hidden].sum())
        return inside + EDGE_WORTH * outline - float(self._price[order].sum())


def _cells_among(used: NDArray[np.intp], shape: tuple[int, int], x_px: Image, y_px: Image) -> NDArray[np.intp]:
    """Which of the pixels ``used``, (m,) flat indices, points (...) lie in; m for none of them."""
    x, y = np.round(x_px).astype(np.intp), np.round(y_px).astype(np.intp)
    is_in = (x >= 0) & (y >= 0) & (x < shape[1]) & (y < shape[0])
    place = np.full(shape[0] * shape[1] + 1, len(used), dtype=np.intp)
    place[used] = np.arange(len(used))
    return np.asarray(place[np.where(is_in, y * shape[1] + x, -1)], dtype=np.intp)
