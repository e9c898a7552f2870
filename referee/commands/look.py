"""``referee look``: what still pictures show."""

import json
from collections.abc import Sequence
from pathlib import Path

from calibration.errors import BadCalibration
from calibration.layout import RESERVED, load_layout
from calibration.lens import load_lens
from calibration.pose import calibrate, still_frames
from calibration.table import Table, load_table
from hardware.camera import open_camera
from hardware.errors import BadSource, RefereeError
from hardware.frame import Frame
from hardware.video import VideoFile
from referee.commands.arguments import BadUsage, BoardChoice, parse_corners
from referee.commands.endings import BAD_INPUT, DONE, complain
from referee.commands.tables import check_choice
from referee.look import look_at, look_to_json, look_words


def run_look(*, images: Sequence[str], choice: BoardChoice, as_json: bool) -> int:
    """Read each picture; one that can't be used doesn't keep the others from being read, but makes the status 2."""
    check_choice(choice)
    if choice.table is None and choice.layout is None and (choice.corners or choice.lens):
        raise BadUsage("corners and a lens tell of a board only with its layout", "--layout", "give the layout too")
    status = DONE
    for image in images:
        try:
            source, t_s = parse_moment(image)
            frame = _frame(source, t_s)
            look = look_at(frame, _table(source, frame, choice))
        except RefereeError as error:
            complain(str(error))
            status = BAD_INPUT
            continue
        print(json.dumps(look_to_json(image, look)) if as_json else look_words(image, look), flush=True)
    return status


def parse_moment(image: str) -> tuple[str, float | None]:
    """The file of "FILE@SECONDS" and the seconds; a name without a moment, or of a file with an @, is that file.

    Raises BadUsage.
    """
    source, at, seconds = image.rpartition("@")
    if not at or Path(image).exists():
        return image, None
    try:
        t_s = float(seconds)
    except ValueError:
        raise BadUsage(f"{seconds!r} is no time", image, "write FILE@SECONDS, as in game.mp4@12.5") from None
    return source, t_s


def _frame(source: str, t_s: float | None) -> Frame:
    if t_s is not None:
        return VideoFile(source).frame_at(t_s)
    with open_camera(source) as camera:
        for frame in camera:
            return frame
    raise BadSource("there is no picture in it", source, "give a picture, or a video as FILE@SECONDS")


def _table(source: str, frame: Frame, choice: BoardChoice) -> Table | None:
    """The table of a picture: found in it, or where a hand is over it in the first pictures of its recording."""
    if choice.table is not None:
        return load_table(choice.table)
    if choice.layout is None or choice.layout in RESERVED:
        return None
    layout = load_layout(choice.layout)
    corners_px = None if choice.corners is None else parse_corners(choice.corners)
    lens = None if choice.lens is None else load_lens(choice.lens)
    try:
        return calibrate([frame], layout, corners_px=corners_px, lens=lens)
    except BadCalibration:
        with open_camera(source) as camera:
            frames = still_frames(camera)
        if len(frames) < 2:
            raise
        return calibrate(frames, layout, corners_px=corners_px, lens=lens)
