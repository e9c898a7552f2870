"""One reading of a still picture: balls, pins, cards and markers, whatever game it is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame
from referee.vision.pins.reading import PinReader, PinReading
from referee.vision.still.balls import StillBalls
from referee.vision.still.markers import StillMarker, find_all_markers
from referee.vision.still.picture import StillBall
from referee.vision.uncalibrated.pins import NO_PINS, unknown_pins
from referee.vision.uncalibrated.still import unknown_balls


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a picture shows."""

    balls: tuple[StillBall, ...]
    pins: PinReading
    markers: tuple[StillMarker, ...]


def look_at(frame: Frame, table: Table | None) -> Look:
    """Read a picture of a table; without one, all that can be told of a view of which nothing is known.

    On a table its layout says what is looked for: pins on a lane, else balls. Raises BadCalibration when the picture
    isn't of the size that the table was calibrated for.
    """
    markers = find_all_markers(frame.y)
    if table is None:
        pins = unknown_pins(frame)
        balls = tuple(ball for ball in unknown_balls(frame) if not _is_pin(ball, pins))
        return Look(balls=balls, pins=pins, markers=markers)
    table.check_size(frame)
    if table.layout.kind == "lane":
        return Look(balls=(), pins=PinReader(table).read(frame), markers=markers)
    return Look(balls=StillBalls(table).read(frame), pins=NO_PINS, markers=markers)


def _is_pin(ball: StillBall, pins: PinReading) -> bool:
    """Whether what looks like a ball is a part of a pin: a head, or a belly seen from above."""
    place = np.array([ball.x_px, ball.y_px])
    for pin in pins.pins:
        foot = np.array([pin.x_px, pin.y_px])
        head = foot if pin.head_px is None else np.array(pin.head_px)
        if _away(place, foot, head) < 1.5 * ball.radius_px:
            return True
    return False


def _away(place: NDArray[np.float64], start: NDArray[np.float64], end: NDArray[np.float64]) -> float:
    """Distance of a place from a line between two others, in pixels."""
    along = end - start
    share = float(np.clip((place - start) @ along / max(float(along @ along), 1e-9), 0.0, 1.0))
    return float(np.hypot(*(place - start - share * along)))


def look_to_json(file: str, look: Look) -> dict[str, object]:
    """The object of ``look --json``."""
    return {
        "file": file,
        "balls": [
            {
                "colour": ball.colour,
                "px": [round(ball.x_px, 1), round(ball.y_px, 1)],
                "r_px": round(ball.radius_px, 1),
                "hole": ball.hole,
            }
            for ball in look.balls
        ],
        "pins": {
            "standing": look.pins.standing,
            "fallen": look.pins.fallen,
            "pins": [{"px": [round(p.x_px, 1), round(p.y_px, 1)], "state": p.state} for p in look.pins.pins],
        },
        "cards": [],
        "markers": [{"dict": marker.dictionary, "id": marker.id} for marker in look.markers],
    }


def look_words(file: str, look: Look) -> str:
    """The same for people."""
    balls = [f"{ball.colour} in {ball.hole}" for ball in look.balls if ball.hole is not None]
    balls += [f"{b.colour} at {b.x_px:.0f},{b.y_px:.0f}" for b in look.balls if b.hole is None]
    lines = [file, f"  balls    {len(balls)}" + (f": {', '.join(balls)}" if balls else "")]
    pins = look.pins
    lines.append(f"  pins     {pins.standing} standing, {pins.fallen} fallen" if pins.pins else "  pins     0")
    if pins.review is not None:
        lines.append(f"           please check: {pins.review}")
    ids: dict[str, list[int]] = {}
    for marker in look.markers:
        ids.setdefault(marker.dictionary, []).append(marker.id)
    told = "; ".join(f"{name} {', '.join(map(str, sorted(numbers)))}" for name, numbers in ids.items())
    lines.append(f"  markers  {len(look.markers)}" + (f": {told}" if told else ""))
    return "\n".join(lines)
