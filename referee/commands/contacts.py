"""``referee contacts``: a ball's track, from any tracker, to its contacts with the surfaces around."""

import json
from pathlib import Path
from typing import Final

import numpy as np

from referee.columns import format_table, printable
from referee.commands.endings import DONE, complain
from referee.contacts_file import BallTrack, read_track
from referee.vision.knocks import MAX_GAP_S, Knock, find_knocks

HEADINGS: Final = ("time s", "surface", "x mm", "y mm", "confidence")


def run_contacts(*, path: Path, as_json: bool) -> int:
    """The contacts of one track."""
    track = read_track(path)
    if len(track.t_s) > 1 and float(np.median(np.diff(track.t_s))) > MAX_GAP_S:
        complain(f"warning: the points are more than {MAX_GAP_S:g} s apart ({path}): t must be in seconds")
    found = find_knocks(
        track.camera, track.terrain, track.t_s, track.px, track.radius_px, drag_per_mm=track.drag_per_mm
    )
    if as_json:
        print(json.dumps({"contacts": [_to_json(track, knock) for knock in found]}))
    elif not found:
        print(f"{path}: no contacts")
    else:
        print(format_table([HEADINGS, *(_row(track, knock) for knock in found)]))
    return DONE


def _name(track: BallTrack, knock: Knock) -> str:
    return track.terrain.surfaces[knock.surface].name


def _to_json(track: BallTrack, knock: Knock) -> dict[str, object]:
    return {
        "t": round(knock.t_s, 5),
        "surface": _name(track, knock),
        "mm": [round(knock.x_mm, 2), round(knock.y_mm, 2)],
        "confidence": round(knock.confidence, 3),
    }


def _row(track: BallTrack, knock: Knock) -> tuple[str, ...]:
    return (
        f"{knock.t_s:.4f}",
        printable(_name(track, knock)),
        f"{knock.x_mm:.1f}",
        f"{knock.y_mm:.1f}",
        f"{knock.confidence:.2f}",
    )
