"""The made recordings of the repository, looked at as if nobody knew their boards, and picture by picture."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from calibration.layout import load_layout
from calibration.pose import calibrate, still_frames
from hardware.camera import open_camera
from hardware.frame import Frame
from referee.events import Event, SeenBounce
from referee.vision.still.balls import StillBalls
from referee.vision.still.picture import StillBall
from referee.vision.uncalibrated.watcher import UncalibratedWatcher
from tests.bench.markdown import markdown_table

SAME_FRAMES = 1.6
"""A bounce is the contact that it is nearer to than so many frames."""

IN_VIEW = 4
"""Frames before and after a contact in which a ball must be seen for anybody to tell a bounce."""

APART = 6
"""Frames between two contacts from which the hop between them is seen well enough to have a shape."""

SETTLED = 10
"""Frames after the last ball came to rest from which a picture is a settled one."""

BOUNCES = """\
## Made recordings without their boards

`--layout none` on the recordings of `sample_videos`, whose contacts are known. All that a ball touches counts, table,
board and hole alike, since none is known. "To be seen": the ball is in view, with no hand over it, in the four frames
before and after, and touches nothing else within six. (Hands hide many a first bounce, and nothing is guessed; after
some bounces balls roll and hop by millimetres.) "Invented": no contact is near. Wide lenses and mirroring tables
(bii-04, bii-08) are the hardest: paths bend, and mirror images meet the ball where it bounces."""

LOOKS = """\
## Single pictures of the made recordings

`referee look` with the layout: the first picture, and one from each time when all balls lay still; no picture before it
is known. Right: colour, size where one colour has several, and hole. Invented: on the board, where the truth has no
ball; what lies beside the board is only in part in the truth. Balls hidden by more than two thirds aren't asked for. In
frame 400 of bii-07 a hand with a red ball is over F2 and F3."""


def bounce_table(directory: Path) -> str:
    """Bounces in pixels against the true contacts."""
    rows, sums = [], np.zeros(7, dtype=int)
    for truth_path in sorted(directory.glob("bi*.truth.json")):
        truth = json.loads(truth_path.read_text())
        counts = _bounces(truth_path.with_name(f"{truth['video']}.mp4"), truth)
        sums += counts
        rows.append((truth["video"], *map(str, counts)))
    rows.append(("all", *map(str, sums)))
    heads = ("recording", "first contacts", "to be seen", "found", "all contacts", "to be seen", "found", "invented")
    return f"{BOUNCES}\n\n{markdown_table(heads, rows)}"


def _bounces(video: Path, truth: dict[str, Any]) -> np.ndarray:
    watcher = UncalibratedWatcher()
    events: list[Event] = []
    with open_camera(str(video)) as camera:
        for frame in camera:
            events += watcher.feed(frame)
    left = [e.stamp.t_s or 0.0 for e in (*events, *watcher.finish()) if isinstance(e, SeenBounce)]
    counts = np.zeros(7, dtype=int)
    for shot in truth["shots"]:
        seen = {round(row[0]) for row in truth["track"][shot["ball"]] if row[7] > 0.7}
        for k, contact in enumerate(shot["contacts"]):
            near = [t for t in left if abs(t - contact["t"]) * truth["fps"] <= SAME_FRAMES]
            if near:
                left.remove(min(near, key=lambda t: abs(t - contact["t"])))
            frame = contact["frame"]
            around = [*range(math.floor(frame) - IN_VIEW + 1, math.floor(frame) + IN_VIEW + 1)]
            others = [c["frame"] for c in shot["contacts"] if c is not contact]
            is_seen = all(index in seen for index in around) and all(abs(f - frame) >= APART for f in others)
            counts[3:6] += (1, is_seen, is_seen and bool(near))
            if k == 0:
                counts[:3] += (1, is_seen, is_seen and bool(near))
    counts[6] = len(left)
    return counts


def look_table(directory: Path) -> str:
    """Balls read in single settled pictures against the truth."""
    rows, sums, wrong = [], np.zeros(5, dtype=int), []
    for truth_path in sorted(directory.glob("bi*.truth.json")):
        truth = json.loads(truth_path.read_text())
        counts, remarks = _looks(truth_path.with_name(f"{truth['video']}.mp4"), truth, directory / "layouts")
        sums += counts
        wrong += remarks
        rows.append((truth["video"], *map(str, counts)))
    rows.append(("all", *map(str, sums)))
    heads = ("recording", "pictures", "right", "wrong", "missed", "invented")
    told = "\n".join(f"- {remark}" for remark in wrong) or "Nothing is wrong, missed or invented."
    return f"{LOOKS}\n\n{markdown_table(heads, rows)}\n\n{told}"


def _looks(video: Path, truth: dict[str, Any], layouts: Path) -> tuple[np.ndarray, list[str]]:
    layout = load_layout(str(layouts / f"{truth['layout']}.layout.json"))
    with open_camera(str(video)) as camera:
        reader = StillBalls(calibrate(still_frames(camera), layout))
    counts, remarks = np.zeros(5, dtype=int), []
    for frame, lying in _settled(video, truth):
        left = list(reader.read(frame))
        counts[0] += 1
        for ball in lying:
            if ball["visible"] < 1 / 3:
                continue
            name, hole = _name(ball["ball"]), _hole(ball, truth, layout.height_mm)
            near = min(left, key=lambda b: math.hypot(b.x_px - ball["px"][0], b.y_px - ball["px"][1]), default=None)
            if near is None or math.hypot(near.x_px - ball["px"][0], near.y_px - ball["px"][1]) > 0.6 * ball["r_px"]:
                counts[3] += 1
                remarks.append(f"{truth['video']}, frame {frame.index}: {name} in {hole} is missed")
                continue
            left.remove(near)
            is_right = (near.colour, near.hole) == (name, hole)
            counts[1 if is_right else 2] += 1
            if not is_right:
                remarks.append(f"{truth['video']}, frame {frame.index}: {name} in {hole} is read as {near.colour}")
        for extra in [b for b in left if b.hole is not None or _is_over_board(b, truth)]:
            counts[4] += 1
            where = f"frame {frame.index}, at {extra.x_px:.0f}, {extra.y_px:.0f}"
            remarks.append(f"{truth['video']}, {where}: {extra.colour} is invented")
    return counts, remarks


def _settled(video: Path, truth: dict[str, Any]) -> Iterator[tuple[Frame, list[dict[str, Any]]]]:
    """Pictures in which no ball moves and no hand is near, before the camera moves, and what lies there."""
    moving = {round(row[0]) for rows in truth["track"].values() for row in rows}
    bump_s = truth["camera_bump"]["t"] if isinstance(truth.get("camera_bump"), dict) else math.inf
    starts = [rest["from_frame"] for rest in truth["resting"]] + [truth["frames"]]
    wanted: dict[int, list[dict[str, Any]]] = {}
    for rest, stop in zip(truth["resting"], starts[1:], strict=True):
        index = rest["from_frame"] + (SETTLED if rest["from_frame"] else 0)
        if index < stop and not moving & set(range(index - 2, index + 2)) and index / truth["fps"] < bump_s:
            wanted[index] = rest["balls"]
    with open_camera(str(video)) as camera:
        for frame in camera:
            if frame.index in wanted:
                kept = replace(frame, y=frame.y.copy(), u=frame.u.copy(), v=frame.v.copy())
                yield kept, wanted[frame.index]


def _name(ball: str) -> str:
    """The kind of ball that an id is of."""
    return ball if ball.startswith("orange-") else ball.partition("-")[0]


def _hole(ball: dict[str, Any], truth: dict[str, Any], height_mm: float) -> str | None:
    """The hole that a ball lies in: over it, and lower than on the board."""
    x, y, z = ball["mm"]
    radius_mm = next(b["radius_mm"] for b in truth["balls"] if b["id"] == ball["ball"])
    if z > height_mm + radius_mm - 1.0:
        return None
    holes = truth["board"]["holes"]
    near = [h["name"] for h in holes if math.hypot(x - h["mm"][0], y - h["mm"][1]) < h["radius_mm"]]
    return near[0] if near else None


def _is_over_board(ball: StillBall, truth: dict[str, Any]) -> bool:
    corners = np.array(truth["board"]["corners_px"])
    sides = np.roll(corners, -1, axis=0) - corners
    to_ball = np.array([ball.x_px, ball.y_px]) - corners
    turns = sides[:, 0] * to_ball[:, 1] - sides[:, 1] * to_ball[:, 0]
    return bool((turns > 0).all() or (turns < 0).all())
