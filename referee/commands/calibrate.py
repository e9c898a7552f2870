"""``referee calibrate``: find the board in a picture, say how well, keep the table file."""

from pathlib import Path

import numpy as np

from calibration.check_picture import check_suffix, save_check_picture
from calibration.errors import BadCalibration
from calibration.table import Table, save_table
from hardware.camera import open_camera
from hardware.errors import BadSource
from hardware.frame import Frame
from referee.commands.arguments import BoardChoice
from referee.commands.endings import DONE, NOT_SO, complain
from referee.commands.outputs import check_output
from referee.commands.tables import table_for


def run_calibrate(*, source: str, choice: BoardChoice, output: Path | None, picture: Path | None) -> int:
    """Find the board; 1, and no files, where the result can't be trusted."""
    for path in (output, picture):
        if path is not None:
            check_output(path)
    if picture is not None:
        check_suffix(picture)
    try:
        table = table_for(source, choice)
    except BadCalibration as error:
        complain(str(error))
        return NOT_SO
    print(_findings(table))
    if output is not None:
        save_table(table, output)
        print(f"table file          {output}")
    if picture is not None:
        save_check_picture(_one_frame(source), table, picture)
        print(f"check picture       {picture}")
    return DONE


def _one_frame(source: str) -> Frame:
    with open_camera(source) as camera:
        for frame in camera:
            return frame
    raise BadSource("there is no picture in it", source, "give a video or picture of the board")


def _lens(table: Table) -> tuple[str, ...]:
    """The focal length, and what was estimated of the lens with how sure that is."""
    camera, spread = table.camera, table.lens_spread
    size = f"in pictures of {camera.width_px}x{camera.height_px}"
    if spread is None:
        return (f"focal length        {camera.focal_px:.0f} px {size}",)
    k1, k2 = camera.dist[:2].tolist()
    return (
        f"focal length        {camera.focal_px:.0f} px, give or take {spread.focal_px:.0f}, {size}",
        f"lens, estimated     k1 {k1:.3f}, give or take {spread.k1:.3f}; k2 {k2:.3f}, give or take {spread.k2:.3f}",
    )


def _findings(table: Table) -> str:
    camera = table.camera
    x_mm, y_mm, z_mm = camera.centre_mm
    down_deg = np.degrees(np.arcsin(np.clip(-camera.rotation[2, 2], -1, 1)))
    unsure = "" if table.uncertainty_mm is None else f", places on the board within {table.uncertainty_mm:.1f} mm"
    return "\n".join(
        (
            f"{table.layout.kind:<20}{table.layout.name}, found by {table.method}",
            f"reprojection error  {table.error_px:.2f} px{unsure}",
            *_lens(table),
            f"camera              {z_mm / 1000:.2f} m above the table, {np.hypot(x_mm, y_mm) / 1000:.2f} m from the",
            f"                    {table.layout.kind}'s middle, looking down by {down_deg:.0f} degrees",
            *(f"note                {note}" for note in table.notes),
        )
    )
