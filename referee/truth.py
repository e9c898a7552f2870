"""What really happened in a recording: its truth side-car, NAME.truth.json beside NAME.mp4.

Only for measuring how good the referee is: nothing that makes a call may read this.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from hardware.errors import RefereeError
from referee.disturbance import Handled, place_of
from referee.events import InHole, Move, Off, OnBall, OnBoard, Place, Seat
from referee.pin_truth import PinTruth, pin_truth

TrueSurface = Literal["table", "board", "hole", "ball"]
Foul = Literal["no_bounce", "double_bounce", "missed_board", "bounced_out", "landed_on_ball"]

BALL_GAMES: Final = ("bounce-it-in", "bounce-it")
PLACES: Final[Mapping[str, Place]] = {"board": OnBoard(), "off": Off(), "on_ball": OnBall()}


class BadTruth(RefereeError, ValueError):
    """A truth side-car is missing or can't be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueContact:
    """A moment in which a ball touched something; ``surface`` hole: the rim of one; ``side``: of the table."""

    t_s: float
    surface: TrueSurface
    x_mm: float
    y_mm: float
    side: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueShot:
    """A throw as it was, from the release at ``t_s`` to rest at ``t_end_s``."""

    colour: str
    t_s: float
    t_end_s: float
    table_bounces: int
    result: Place
    moved: tuple[Move, ...]
    foul: Foul | None
    contacts: tuple[TrueContact, ...]
    ball: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BallTruth:
    """What happened in a recording of a game with balls.

    ``start``, ``final``: hole and colour of what lay in the holes at either end of the recording.

    ``corners_px``: the board's corners in the first picture, SW SE NE NW. ``handled``: balls moved by hand;
    ``bumps_s``: when the camera was knocked.
    """

    layout: str
    corners_px: tuple[tuple[float, float], ...]
    shots: tuple[TrueShot, ...]
    start: tuple[tuple[str, str], ...]
    final: tuple[tuple[str, str], ...]
    handled: tuple[Handled, ...] = ()
    bumps_s: tuple[float, ...] = ()


Truth = BallTruth | PinTruth


def load_truth(video: Path) -> Truth:
    """Read the side-car beside a video. Raises BadTruth."""
    path = video.with_suffix(".truth.json")
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if not video.exists():
            raise BadTruth("there is no such file", str(video), "check the name") from None
        raise BadTruth(
            "there is no truth to compare with", str(path), "put the truth side-car beside the video, or use analyse"
        ) from None
    try:
        return parse_truth(json.loads(text))
    except BadTruth:
        raise
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise BadTruth(
            f"the truth side-car can't be used, {type(error).__name__}: {error}", str(path), "write it anew"
        ) from None


def parse_truth(obj: Mapping[str, Any]) -> Truth:
    """The decoded JSON of a side-car. Raises BadTruth for other games; KeyError, TypeError, ValueError for no truth."""
    if obj["game"] in BALL_GAMES:
        return _ball_truth(obj)
    if obj["game"] == "wonder-bowling":
        return pin_truth(obj)
    raise BadTruth(f"{obj['game']} is not called from video", str(obj.get("video", "")), "leave this recording out")


def _ball_truth(obj: Mapping[str, Any]) -> BallTruth:
    colours = {ball["id"]: str(ball["colour"]) for ball in obj["balls"]}
    holes = [(entry["hole"], colours[entry["ball"]]) for entry in obj["start"] if entry["place"] == "hole"]
    return BallTruth(
        layout=str(obj["layout"]),
        corners_px=tuple((float(x), float(y)) for x, y in obj["board"]["corners_px"]),
        shots=tuple(_shot(shot, obj["game"]) for shot in obj["shots"]),
        start=tuple(sorted(holes)),
        final=tuple(sorted((hole, colours[ball]) for hole, ball in obj["final"].items())),
        handled=tuple(_handled(move) for move in obj.get("moved", ())),
        bumps_s=(float(obj["camera_bump"]["t"]),) if obj.get("camera_bump") else (),
    )


def _shot(obj: Mapping[str, Any], game: str) -> TrueShot:
    return TrueShot(
        colour=str(obj["colour"]),
        t_s=float(obj["t_release"]),
        t_end_s=float(obj["t_rest"]),
        table_bounces=int(obj["table_bounces"]),
        result=_place(obj["result"]),
        moved=tuple(
            Move(colour=str(move["colour"]), source=str(move["from"]), target=move["to"]) for move in obj["moved"]
        ),
        foul=obj["foul"],
        contacts=tuple(_contact(contact) for contact in obj["contacts"]),
        ball=str(obj["ball"]) if game == "bounce-it" else None,
    )


def _handled(obj: Mapping[str, Any]) -> Handled:
    return Handled(
        t_s=float(obj["t"]), colour=str(obj["colour"]), source=place_of(obj["from"]), target=place_of(obj["to"])
    )


def _place(obj: Mapping[str, Any]) -> Place:
    return InHole(hole=str(obj["hole"])) if obj["place"] == "hole" else PLACES[obj["place"]]


def _contact(obj: Mapping[str, Any]) -> TrueContact:
    place: Sequence[float] = obj["mm"]
    return TrueContact(
        t_s=float(obj["t"]),
        surface=obj["surface"],
        x_mm=float(place[0]),
        y_mm=float(place[1]),
        side=obj.get("side"),
    )
