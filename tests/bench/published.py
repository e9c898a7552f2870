"""How well contacts are found in published tracks: the table-tennis shots of `cogsys-tuebingen/tt3d` on GitHub.

    python -m tests.bench.published DIR

DIR holds ``side.yaml`` (the camera), ``side/NNN.csv`` (pixels at 25 frames a second with 2 px of noise) and
``3D_gt/NNN.csv`` (the ball measured at 180 Hz; its first row and those near the bounce are enough) of that repository's
``data/evaluation``. Each shot bounces once, on a table at height 0; the ball has a radius of 20 mm.

The true bounce is where the parabolas through what was measured up to 60 ms before it and after it meet. The baseline
knows pixels alone: the track is cut where two parabolas explain it best, it bounces where they meet, on the table.
"""

import argparse
import csv
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from referee.vision.air import drag_per_mm
from referee.vision.knocks import Knock, find_knocks
from referee.vision.surfaces import Surface, Terrain

Array = NDArray[np.float64]

WIDTH_PX, HEIGHT_PX = 1280, 720
RADIUS_MM, MASS_G = 20.0, 2.7
NEAR_S = 0.06
LEAST_PIECE = 3
PIECE_COST_PX2 = 200.0
"""What one more parabola must save in the baseline, in square pixels: the value that suits these tracks best."""
TERRAIN = Terrain(surfaces=(Surface(name="table", z_mm=0.0),), radius_mm=RADIUS_MM)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shot:
    """``t_s``: (n,), ``px``: (n, 2); when and where, (2,), the ball truly bounced."""

    name: str
    t_s: Array
    px: Array
    bounce_s: float
    bounce_mm: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bounce:
    """A bounce as found: ``place_mm``: (2,); ``confidence``: None where none is given."""

    t_s: float
    place_mm: Array
    confidence: float | None = None


Finder = Callable[[CameraModel, Shot], Sequence[Bounce]]


def read_camera(path: Path) -> CameraModel:
    """The camera of a view: rotation vector, translation in metres and focal length, the picture's middle its axis."""
    text = path.read_text()
    numbers = {key: json.loads(value) for key, value in re.findall(r"^(\w+):\s*(.+)$", text, re.MULTILINE)}
    rotation, _ = cv2.Rodrigues(np.array(numbers["rvec"]))
    focal = float(numbers["f"])
    return CameraModel(
        matrix=np.array([[focal, 0.0, WIDTH_PX / 2], [0.0, focal, HEIGHT_PX / 2], [0.0, 0.0, 1.0]]),
        dist=np.zeros(5),
        rotation=np.asarray(rotation, dtype=np.float64),
        translation_mm=1000.0 * np.array(numbers["tvec"]),
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
    )


def read_shots(directory: Path) -> Iterator[Shot]:
    for path in sorted((directory / "side").glob("*.csv")):
        track = _columns(path, "Timestamp", "u", "v")
        truth = _columns(directory / "3D_gt" / path.name, "Timestamp", "X", "Y", "Z")
        bounce_s, bounce_mm = _true_bounce(truth[:, 0] - truth[0, 0], 1000.0 * truth[:, 1:])
        yield Shot(name=path.stem, t_s=track[:, 0], px=track[:, 1:], bounce_s=bounce_s, bounce_mm=bounce_mm)


def _columns(path: Path, *names: str) -> Array:
    with path.open(newline="") as file:
        return np.array([[float(row[name]) for name in names] for row in csv.DictReader(file)])


def _true_bounce(t_s: Array, mm: Array) -> tuple[float, Array]:
    low = int(mm[:, 2].argmin())
    best: tuple[float, float, Array] | None = None
    for split in (low, low + 1):
        before = np.flatnonzero((t_s[:split] > t_s[low] - NEAR_S) & (np.arange(split) > 0))
        after = split + np.flatnonzero(t_s[split:] < t_s[low] + NEAR_S)
        falls, rises = (_parabolas(t_s[part] - t_s[low], mm[part]) for part in (before, after))
        rest = sum(_rest(t_s[part] - t_s[low], mm[part], fit) for part, fit in ((before, falls), (after, rises)))
        meets_s = _meeting(falls[:, 2:], rises[:, 2:], 0.0)
        place = (_at(falls, meets_s) + _at(rises, meets_s)) / 2
        if best is None or rest < best[0]:
            best = rest, float(t_s[low]) + meets_s, place[:2]
    assert best is not None
    return best[1], best[2]


def _parabolas(t_s: Array, values: Array) -> Array:
    """(3, m): coefficients, highest power first, through (n, m) values."""
    return np.asarray(np.polyfit(t_s, values, 2), dtype=np.float64)


def _at(parabolas: Array, t_s: float | Array) -> Array:
    return np.asarray((np.asarray(t_s)[..., None, None] ** np.array([2, 1, 0]) @ parabolas)[..., 0, :])


def _rest(t_s: Array, values: Array, parabolas: Array) -> float:
    return float(((values - _at(parabolas, t_s)) ** 2).sum())


def _meeting(before: Array, after: Array, near_s: float) -> float:
    """When two sets of parabolas, (3, m) each, are nearest to each other, within 60 ms of a time."""
    times = near_s + np.linspace(-NEAR_S, NEAR_S, 4801)
    gap = ((_at(before, times) - _at(after, times)) ** 2).sum(axis=1)
    return float(times[gap.argmin()])


def two_parabolas(camera: CameraModel, shot: Shot) -> list[Bounce]:
    """The baseline: where pixel tracks are cut into parabolas of least total cost."""
    n = len(shot.t_s)
    cost = np.full((n + 1, n + 1), np.inf)
    fits = dict[tuple[int, int], Array]()
    for start in range(n):
        for stop in range(start + LEAST_PIECE, n + 1):
            fits[start, stop] = _parabolas(shot.t_s[start:stop], shot.px[start:stop])
            cost[start, stop] = _rest(shot.t_s[start:stop], shot.px[start:stop], fits[start, stop]) + PIECE_COST_PX2
    total, came_from = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=int)
    total[0] = 0.0
    for stop in range(LEAST_PIECE, n + 1):
        sums = total[:stop] + cost[:stop, stop]
        came_from[stop] = int(sums.argmin())
        total[stop] = sums[came_from[stop]]
    cuts = [n]
    while cuts[-1] > 0:
        cuts.append(int(came_from[cuts[-1]]))
    cuts.reverse()
    bounces = []
    for start, middle, stop in zip(cuts, cuts[1:], cuts[2:], strict=False):
        before, after = fits[start, middle], fits[middle, stop]
        t_s = _meeting(before, after, float(shot.t_s[middle - 1] + shot.t_s[middle]) / 2)
        px = (_at(before, t_s) + _at(after, t_s)) / 2
        bounces.append(Bounce(t_s=t_s, place_mm=camera.to_mm(px[None], RADIUS_MM)[0, :2]))
    return bounces


def contacts(camera: CameraModel, shot: Shot, drag: float = 0.0) -> list[Bounce]:
    return [_bounce(knock) for knock in find_knocks(camera, TERRAIN, shot.t_s, shot.px, drag_per_mm=drag)]


def contacts_in_air(camera: CameraModel, shot: Shot) -> list[Bounce]:
    return contacts(camera, shot, drag_per_mm(RADIUS_MM, MASS_G))


def _bounce(knock: Knock) -> Bounce:
    return Bounce(t_s=knock.t_s, place_mm=np.array([knock.x_mm, knock.y_mm]), confidence=knock.confidence)


FINDERS: dict[str, Finder] = {
    "two parabolas": two_parabolas,
    "contacts, no mass named": contacts,
    "contacts": contacts_in_air,
}


def report(name: str, camera: CameraModel, shots: Sequence[Shot], finder: Finder, *, each: bool) -> str:
    begin = time.thread_time()
    found = [finder(camera, shot) for shot in shots]
    cost_ms = 1000.0 * (time.thread_time() - begin) / len(shots)
    times, places, sure = [], [], []
    for shot, bounces in zip(shots, found, strict=True):
        if bounces:
            nearest = min(bounces, key=lambda bounce: abs(bounce.t_s - shot.bounce_s))
            times.append(1000.0 * (nearest.t_s - shot.bounce_s))
            places.append(float(np.linalg.norm(nearest.place_mm - shot.bounce_mm)))
            sure.append(nearest.confidence)
            if each:
                aside, along = nearest.place_mm - shot.bounce_mm
                print(f"{shot.name} {name}: {len(bounces)} {times[-1]:+.1f} ms {aside:+.0f} {along:+.0f} mm {sure[-1]}")
    one = np.mean([len(bounces) == 1 for bounces in found])
    late, off = np.abs(times), np.array(places)
    return (
        f"| {name} | {100 * one:.1f} % | {np.median(late):.1f} / {np.quantile(late, 0.9):.1f} ms | "
        f"{np.median(off):.0f} / {np.quantile(off, 0.9):.0f} mm | {cost_ms:.0f} ms |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("--each", action="store_true", help="tell of each shot")
    arguments = parser.parse_args()
    camera, shots = read_camera(arguments.directory / "side.yaml"), list(read_shots(arguments.directory))
    rows = [report(name, camera, shots, finder, each=arguments.each) for name, finder in FINDERS.items()]
    print(
        f"{len(shots)} shots\n\n| | exactly one bounce | time | place | cost a shot |\n| --- | --- | --- | --- | --- |"
    )
    print("\n".join(rows))


if __name__ == "__main__":
    main()
