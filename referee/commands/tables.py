"""From what a user says about the board to a calibrated table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from calibration.layout import DEFAULT, Layout, load_layout
from calibration.lens import load_lens
from calibration.pose import calibrate, still_frames
from calibration.table import Table, load_table
from hardware.camera import open_camera
from referee.commands.arguments import BadUsage, BoardChoice, parse_corners
from referee.commands.endings import complain

UNCALIBRATED: Final = "none"
"""The layout of a view of which nothing is known."""

PLAYED_ON: Final = {"bounce-it": "box", "wonder-bowling": "lane"}
"""What games are played on that are not played on a board."""


def is_uncalibrated(choice: BoardChoice) -> bool:
    """Whether the user said that there is no board to be found."""
    return choice.table is None and choice.layout == UNCALIBRATED


def check_choice(choice: BoardChoice) -> None:
    """Raise BadUsage when what was said about the board contradicts itself."""
    given = [name for name in ("layout", "corners", "lens") if getattr(choice, name) is not None]
    if choice.table is not None and given:
        raise BadUsage(f"--table already says all that --{given[0]} could", "--table", "give one of the two")
    if is_uncalibrated(choice) and given[1:]:
        raise BadUsage(f"without a board --{given[1]} has no use", "--layout none", "leave one of the two out")


def table_for(source: str, choice: BoardChoice, game: str | None = None) -> Table:
    """The table that the user chose for a source: loaded, or found in the source's first pictures.

    ``game``: what is played there, which tells what to look for when nothing was chosen. Raises BadUsage, and what
    reading files, sources and calibration raise.
    """
    check_choice(choice)
    if choice.table is not None:
        return load_table(choice.table)
    return calibrate_source(
        source,
        load_layout(choice.layout or PLAYED_ON.get(game or "", DEFAULT)),
        corners_px=None if choice.corners is None else parse_corners(choice.corners),
        lens=choice.lens,
    )


def table_told(source: str, choice: BoardChoice, game: str | None = None) -> Table:
    """The same, and what people should know of a table that was found just now is said on standard error."""
    table = table_for(source, choice, game)
    for note in table.notes if choice.table is None else ():
        complain(f"note: {note} ({source})")
    return table


def calibrate_source(
    source: str,
    layout: Layout,
    *,
    corners_px: Sequence[tuple[float, float]] | None = None,
    lens: Path | None = None,
) -> Table:
    """Find a layout in the first pictures of a source. Raises BadCalibration, BadSource, CameraLost, BadLens."""
    known_lens = None if lens is None else load_lens(lens)
    with open_camera(source) as camera:
        frames = still_frames(camera)
    return calibrate(frames, layout, corners_px=corners_px, lens=known_lens)
