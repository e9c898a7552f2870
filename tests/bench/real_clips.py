"""Filmed clips and photos with labels, and the made recordings of the repository, through what needs no calibration.

    python -m tests.bench.real_clips CLIPS > docs/real-clips.md

CLIPS: a directory of NAME.mp4, NAME.jpg or NAME.png, each with NAME.truth.json beside it. The clips come from public
repositories, some without a licence, and are therefore no part of this one.
"""

import argparse
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

from hardware.camera import open_camera
from referee.events import Event, OtherEvent, SeenBounce
from referee.look import look_at
from referee.vision.uncalibrated.watcher import UncalibratedWatcher
from tests.bench.made_clips import bounce_table, look_table
from tests.bench.markdown import markdown_table

HEAD = """\
# Filmed clips, photos, and single pictures

What `referee analyse --layout none` and `referee look` make of views that nobody calibrated, and `referee look` of
single pictures of calibrated boards; written by `python -m tests.bench.real_clips CLIPS > docs/real-clips.md`. Clips
and photos come from public repositories and are no part of this one.

## Clips: bounces and tracks

Bounces are right when there are as many as labelled, each within the label's frames. A labelled centre is met when some
track is there, within the label's tolerance, in that frame. "Last seen": the end of the longest track."""

REMARKS = {
    "ball_green_in_hand": (
        "a dull ball with pale stripes between moving fingers has no outline and no paint of its own to be told by"
    ),
    "ball_green_toss_room": "in one frame the ball, hardly of another colour than the wall, falls into two parts",
    "ball_orange_plate_a": (
        "in the first second the ball hasn't left its first place, so that ball and scene can't be parted; later its "
        "hue, between orange and yellow, cuts it in two, and its middle is seen 6 to 15 pixels off"
    ),
    "ball_red_string_wall_hits": "the bow on the ball draws its middle upwards by a few pixels",
    "ball_yellow_behind_paper": "the ball touches the tube it rolls on and passes before leaves of its own colour",
    "pins_lane_0_a": "the end of a pin that lies at the back is taken for a ball",
    "pins_lane_10_a": "a pin behind others is missed",
    "pins_lane_10_b": "pins of the rear rows are half hidden by others",
    "pins_lane_1_a": "no pin is clear enough for any to be told; the end of a fallen one is taken for a ball",
    "pins_mini_3": "from above pins are round: none is told, and one is taken for a ball",
    "snooker_close": (
        "the black one: balls without hue that aren't light aren't looked for, as holes look the same; the brown one "
        "is called red"
    ),
    "cards": "cards aren't read yet",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path)
    parser.add_argument("--recordings", type=Path, default=Path("sample_videos"))
    arguments = parser.parse_args()
    truths = {path: json.loads(path.read_text()) for path in sorted(arguments.clips.glob("*.truth.json"))}
    clips = [clip_row(path, truth) for path, truth in truths.items() if truth["file"].endswith(".mp4")]
    photos = [photo_row(path, truth) for path, truth in truths.items() if not truth["file"].endswith(".mp4")]
    print(HEAD)
    print()
    heads = (
        "clip",
        "bounces (frames)",
        "found (frames)",
        "labelled end",
        "last seen",
        "centres met",
        "misses explained",
    )
    print(markdown_table(heads, clips))
    print("\n## Photos\n")
    print(markdown_table(("photo", "labelled", "read", "misses explained"), photos))
    print(f"\n{bounce_table(arguments.recordings)}\n\n{look_table(arguments.recordings)}")


def clip_row(path: Path, truth: dict[str, Any]) -> tuple[str, ...]:
    """One clip against its labels."""
    watcher = UncalibratedWatcher()
    events: list[Event] = []
    times: list[float] = []
    with open_camera(str(path.with_name(truth["file"]))) as camera:
        for frame in camera:
            times.append(frame.t_s)
            events += watcher.feed(frame)
    events += watcher.finish()
    frames = [nearest(times, event.stamp.t_s or 0.0) for event in events if isinstance(event, SeenBounce)]
    tracks = [json.loads(event.text) for event in events if isinstance(event, OtherEvent)]
    met = [centre for centre in truth["centres"] if is_met(centre, tracks, times, truth["centre_tolerance_px"])]
    name = path.name.removesuffix(".truth.json")
    return (
        name,
        told(truth["bounces"], truth["bounce_frames"]),
        told(len(frames), frames),
        truth["ends"],
        last_seen(tracks, times),
        f"{len(met)} of {len(truth['centres'])}",
        REMARKS.get(name, ""),
    )


def told(count: int, frames: list[int]) -> str:
    return f"{count}" + (f" ({', '.join(map(str, frames))})" if frames else "")


def nearest(times: list[float], t_s: float) -> int:
    return min(range(len(times)), key=lambda k: abs(times[k] - t_s))


def is_met(centre: dict[str, float], tracks: list[dict[str, Any]], times: list[float], tolerance_px: float) -> bool:
    """Whether a track is at a labelled centre in its frame."""
    t_s = times[int(centre["frame"])]
    return any(
        abs(t - t_s) < 1e-3 and math.hypot(x - centre["x"], y - centre["y"]) <= tolerance_px
        for track in tracks
        for t, x, y in track["points"]
    )


def last_seen(tracks: list[dict[str, Any]], times: list[float]) -> str:
    if not tracks:
        return "no track"
    points = max(tracks, key=lambda track: len(track["points"]) * track["r_px"])["points"]
    t, x, y = points[-1]
    return f"frame {nearest(times, t)} at {x:.0f}, {y:.0f}"


def photo_row(path: Path, truth: dict[str, Any]) -> tuple[str, ...]:
    """One photo against its labels."""
    with open_camera(str(path.with_name(truth["file"]))) as camera:
        look = look_at(next(iter(camera)), None)
    name = path.name.removesuffix(".truth.json")
    pins = f"{look.pins.standing} standing" + (f", {len(look.balls)} balls" if look.balls else "")
    if truth["kind"] == "board":
        ids = sorted(marker["id"] for marker in truth["markers"])
        read = ", ".join(f"{m.dictionary} {m.id}" for m in sorted(look.markers, key=lambda m: m.id))
        balls = f"; {len(look.balls)} ball" if look.balls else ""
        return name, f"{truth['dictionary']} {', '.join(map(str, ids))}", read + balls, REMARKS.get(name, "")
    if truth["kind"] == "pins":
        return name, f"{truth['standing']} standing", pins, REMARKS.get(name, "")
    if truth["kind"] == "cards":
        return name, f"{len(truth['cards'])} cards", f"none, {len(look.balls)} balls", REMARKS["cards"]
    balls = truth["balls"]
    tolerance_px = truth["centre_tolerance_px"]
    met = sum(any(math.hypot(b.x_px - t["x"], b.y_px - t["y"]) <= tolerance_px for b in look.balls) for t in balls)
    colours = Counter(ball.colour for ball in look.balls)
    read = f"{len(look.balls)} balls ({', '.join(f'{n} {c}' for c, n in colours.most_common())}), {met} in place"
    return name, f"{len(balls)} balls", read, REMARKS.get(name, "")


if __name__ == "__main__":
    main()
