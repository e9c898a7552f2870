"""How well contacts are found on simulated throws: by frame rate and pixel noise.

    python -m tests.bench.contacts [--throws 240] [--seed 1]

A board of 300 x 300 x 30 mm on a table, a ball of 10 mm radius, a camera at (0, -900, 750) mm that looks at the board
(1000 px focal length, 1280 x 720). Throws at 0.6 to 2.2 m/s from all sides with no to three bounces on the table and
then one on the board, restitution 0.55 to 0.9, a little friction; seen until a quarter of a second after the board was
met; each sighting is the mean over 2 ms of exposure plus Gaussian noise, and one in twenty is missing.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from referee.vision.knocks import Knock, find_knocks
from referee.vision.surfaces import Surface, Terrain

Array = NDArray[np.float64]

GRAVITY_MM_S2 = 9810.0
RADIUS_MM = 10.0
BOARD_MM = 300.0
TOP_MM = 30.0
EXPOSURE_S = 0.002
DROPPED = 0.05
AFTER_S = 0.25
MAX_PAIR_S = 0.05
ROWS = [(30, 0.5), (50, 0.5), (60, 0.5), (90, 0.5), (120, 0.5), (60, 1.0), (60, 2.0)]
SQUARE = tuple((x * BOARD_MM / 2, y * BOARD_MM / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
TERRAIN = Terrain(
    surfaces=(Surface(name="table", z_mm=0.0), Surface(name="board", z_mm=TOP_MM, polygon_mm=SQUARE)),
    radius_mm=RADIUS_MM,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc:
    """A flight from a time and place at a velocity, (3,) each."""

    start_s: float
    place_mm: Array
    speed_mm_s: Array

    def at(self, t_s: Array) -> Array:
        tau = (t_s - self.start_s)[:, None]
        return self.place_mm + self.speed_mm_s * tau + np.array([0.0, 0.0, -GRAVITY_MM_S2 / 2]) * tau**2


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """Arcs; each but the first begins with a contact: on the table (0) or the board (1)."""

    arcs: tuple[Arc, ...]
    surfaces: tuple[int, ...]
    ends_s: float

    @property
    def bounces(self) -> int:
        """Table contacts before the board."""
        return self.surfaces.index(1)

    def at(self, t_s: Array) -> Array:
        starts = [arc.start_s for arc in self.arcs]
        which = np.maximum(np.searchsorted(starts, t_s, side="right") - 1, 0)
        return np.array([self.arcs[k].at(t_s[i : i + 1])[0] for i, k in enumerate(which)]).reshape(-1, 3)


def camera() -> CameraModel:
    centre = np.array([0.0, -900.0, 750.0])
    forward = -centre / np.linalg.norm(centre)
    right = np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(forward, right), forward])
    return CameraModel(
        matrix=np.array([[1000.0, 0.0, 640.0], [0.0, 1000.0, 360.0], [0.0, 0.0, 1.0]]),
        dist=np.zeros(5),
        rotation=rotation,
        translation_mm=-rotation @ centre,
        width_px=1280,
        height_px=720,
    )


def throws(bounces: int, rng: np.random.Generator) -> Iterator[Throw]:
    """Throws with so many table bounces before the board."""
    while True:
        thrown = _throw(rng, bounces)
        if thrown is not None and thrown.bounces == bounces:
            yield thrown


def _throw(rng: np.random.Generator, bounces: int) -> Throw | None:
    angle, distance = rng.uniform(0, 2 * np.pi), rng.uniform(220.0, 550.0)
    place = np.array([distance * np.cos(angle), distance * np.sin(angle), rng.uniform(60.0, 300.0)])
    aim = rng.uniform(-0.4, 0.4, 2) * BOARD_MM - place[:2]
    aim /= np.linalg.norm(aim)
    size, lift = rng.uniform(600.0, 2200.0), rng.uniform(-1.0, 0.9)
    speed = size * np.array([*(aim * np.cos(lift)), np.sin(lift)])
    restitution = rng.uniform(0.55, 0.9)
    arcs, surfaces = [Arc(start_s=0.0, place_mm=place, speed_mm_s=speed)], list[int]()
    ends_s = 0.0
    while len(surfaces) < bounces + 6:
        hit = _next_hit(arcs[-1])
        if hit is None:
            return None
        t_s, surface = hit
        if 1 in surfaces and t_s > ends_s:
            break
        if 1 not in surfaces:
            ends_s = t_s + AFTER_S
        elif surface == 0:
            ends_s = min(ends_s, t_s - 1e-3)  # off the board again: where the throw is judged no more
            break
        arc = arcs[-1]
        before = arc.speed_mm_s - np.array([0.0, 0.0, GRAVITY_MM_S2 * (t_s - arc.start_s)])
        after = before * np.array([rng.uniform(0.75, 1.0), 1.0, -restitution * rng.uniform(0.95, 1.0)])
        after[1] *= after[0] / before[0] if before[0] else 1.0
        surfaces.append(surface)
        arcs.append(Arc(start_s=t_s, place_mm=arc.at(np.array([t_s]))[0], speed_mm_s=after))
        if after[2] < MIN_HOP_MM_S:
            ends_s = min(ends_s, t_s + 2 * after[2] / GRAVITY_MM_S2)
            break
        if 1 not in surfaces and len(surfaces) > bounces:
            return None
    if 1 not in surfaces or arcs[1].start_s < 0.1:
        return None
    return Throw(arcs=tuple(arcs), surfaces=tuple(surfaces), ends_s=ends_s)


MIN_HOP_MM_S = 240.0
"""A contact that sends the ball up no faster begins a hop below 3 mm: rolling, by the rules; the track ends there."""


def _next_hit(arc: Arc) -> tuple[float, int] | None:
    """When an arc meets a surface from above, and which; None where it runs into the board's side."""
    vz, z = float(arc.speed_mm_s[2]), float(arc.place_mm[2])

    def falls_to(height_mm: float) -> float | None:
        root = vz * vz + 2 * GRAVITY_MM_S2 * (z - height_mm)
        return None if root < 0 else arc.start_s + (vz + np.sqrt(root)) / GRAVITY_MM_S2

    top_s, floor_s = falls_to(TOP_MM + RADIUS_MM), falls_to(RADIUS_MM)
    if top_s is not None and top_s > arc.start_s + 1e-6 and _on_board(arc.at(np.array([top_s]))[0], 0.0):
        return top_s, 1
    if floor_s is None or floor_s <= arc.start_s + 1e-6:
        return None
    way = arc.at(np.linspace(arc.start_s, floor_s, 60))
    if any(_on_board(place, RADIUS_MM) for place in way if place[2] < TOP_MM + RADIUS_MM):
        return None
    return floor_s, 0


def _on_board(place: Array, margin_mm: float) -> bool:
    return bool(np.abs(place[:2]).max() < BOARD_MM / 2 + margin_mm)


def sightings(thrown: Throw, rate_hz: float, noise_px: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """What a camera makes of a throw: times (n,) and pixels (n, 2), at the middle of the exposures."""
    view = camera()
    t_s = np.arange(rng.uniform(0, 1 / rate_hz), thrown.ends_s, 1 / rate_hz)
    t_s = t_s[rng.random(len(t_s)) >= DROPPED]
    spread = np.linspace(-EXPOSURE_S / 2, EXPOSURE_S / 2, 5)
    px = np.mean([view.to_px(thrown.at(np.clip(t_s + d, 0.0, thrown.ends_s))) for d in spread], axis=0)
    px += rng.normal(0.0, noise_px, px.shape)
    inside = ((px >= 0) & (px < (view.width_px, view.height_px))).all(axis=1)
    return t_s[inside], px[inside]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """``bounces``: (true, found). ``times_s``, ``places_mm``: errors of the true contacts up to the board that were
    found. ``sure``: confidence and truth of every contact found."""

    bounces: tuple[int, int]
    times_s: tuple[float, ...]
    places_mm: tuple[float, ...]
    sure: tuple[tuple[float, bool], ...]
    cost_s: float


def judge(thrown: Throw, found: Sequence[Knock], cost_s: float) -> Result:
    surfaces = [knock.surface for knock in found]
    count = surfaces.index(1) if 1 in surfaces else len(surfaces)
    times: list[float] = []
    places: list[float] = []
    used: set[int] = set()
    for surface, arc in zip(thrown.surfaces, thrown.arcs[1:], strict=True):
        near = [
            (abs(knock.t_s - arc.start_s), i)
            for i, knock in enumerate(found)
            if knock.surface == surface and i not in used and abs(knock.t_s - arc.start_s) < MAX_PAIR_S
        ]
        if near:
            gap, i = min(near)
            used.add(i)
            if len(times) <= thrown.bounces:
                times.append(gap)
                places.append(float(np.hypot(found[i].x_mm - arc.place_mm[0], found[i].y_mm - arc.place_mm[1])))
    return Result(
        bounces=(thrown.bounces, count),
        times_s=tuple(times),
        places_mm=tuple(places),
        sure=tuple((knock.confidence, i in used) for i, knock in enumerate(found)),
        cost_s=cost_s,
    )


def run(rate_hz: float, noise_px: float, count: int, seed: int) -> list[Result]:
    view = camera()
    results = []
    for bounces in range(4):
        rng = np.random.default_rng([seed, bounces])
        makers = throws(bounces, rng)
        for index in range(count // 4):
            thrown = next(makers)
            seen = np.random.default_rng([seed, bounces, index, round(rate_hz), round(10 * noise_px)])
            t_s, px = sightings(thrown, rate_hz, noise_px, seen)
            begin = time.thread_time()
            found = find_knocks(view, TERRAIN, t_s, px) if len(t_s) else ()
            results.append(judge(thrown, found, time.thread_time() - begin))
    return results


def report(rate_hz: float, noise_px: float, results: Sequence[Result]) -> str:
    gaps = np.array([found - true for (true, found) in (r.bounces for r in results)])
    by_count = [
        np.mean([r.bounces[0] == r.bounces[1] for r in results if r.bounces[0] == bounces]) for bounces in range(4)
    ]
    times = np.concatenate([r.times_s for r in results]) * 1000
    places = np.concatenate([r.places_mm for r in results])
    per_count = " ".join(f"{share:.2f}" for share in by_count)
    return (
        f"| {rate_hz:g}, {noise_px:g} px | {100 * (gaps == 0).mean():.1f} % | {100 * (gaps > 0).mean():.1f} / "
        f"{100 * (gaps < 0).mean():.1f} % | {per_count} | {np.median(times):.1f} / {np.quantile(times, 0.9):.1f} ms | "
        f"{np.median(places):.1f} / {np.quantile(places, 0.9):.1f} mm | "
        f"{1000 * np.mean([r.cost_s for r in results]):.0f} ms |"
    )


def reliability(results: Sequence[Result]) -> str:
    pairs = [pair for r in results for pair in r.sure]
    lines = ["| confidence | contacts | of these true |", "| --- | --- | --- |"]
    for low, high in ((0.0, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 1.01)):
        inside = [good for sure, good in pairs if low <= sure < high]
        if inside:
            lines.append(f"| {low:g} to {min(high, 1.0):g} | {len(inside)} | {100 * np.mean(inside):.1f} % |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throws", type=int, default=240, help="throws a row, a quarter for each count of bounces")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=len(ROWS), help="only so many rows of the table")
    arguments = parser.parse_args()
    print("| frames a second, noise | count right | over / under | right of 0, 1, 2, 3 | time | place | cost a throw |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    every = list[Result]()
    for rate_hz, noise_px in ROWS[: arguments.rows]:
        results = run(rate_hz, noise_px, arguments.throws, arguments.seed)
        every += results
        print(report(rate_hz, noise_px, results), flush=True)
    print(f"\n{reliability(every)}")


if __name__ == "__main__":
    main()
