"""``referee calibrate-lens``: measure a lens from pictures of the printed sheet; ``print-targets``: what to print."""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import atan, degrees
from pathlib import Path
from typing import Final

from calibration.errors import BadCalibration
from calibration.layout import load_layout
from calibration.lens import save_lens
from calibration.lens_sheet import measure_lens
from calibration.saving import write_whole
from calibration.targets import charuco_svg, marker_svgs
from hardware.camera import open_camera
from hardware.frame import Frame
from referee.commands.arguments import BadUsage
from referee.commands.endings import DONE, NOT_SO, complain
from referee.commands.outputs import check_output

# Of videos and cameras every so manieth picture is looked at, and no more than so many.
EVERY: Final = 10
MOST: Final = 300


def run_calibrate_lens(*, sources: Sequence[str], output: Path) -> int:
    """Measure a lens; 1, and no file, where the pictures don't tell it."""
    check_output(output)
    try:
        lens = measure_lens(_pictures(sources))
    except BadCalibration as error:
        complain(str(error))
        return NOT_SO
    save_lens(lens, output)
    field_deg = degrees(2 * atan(lens.width_px / 2 / float(lens.matrix[0, 0])))
    print(f"reprojection error  {lens.error_px:.2f} px")
    print(f"focal length        {lens.matrix[0, 0]:.0f} px in pictures of {lens.width_px}x{lens.height_px}")
    print(f"field of view       {field_deg:.0f} degrees across")
    print(f"lens file           {output}")
    return DONE


def run_print_targets(*, layout: str | None, output: Path) -> int:
    """Write the sheet for lenses, and the markers of a layout, as SVG pages into a directory."""
    if output.exists() and not output.is_dir():
        raise BadUsage("this is no directory", str(output), "choose another with -o")
    if not output.parent.is_dir():
        raise BadUsage("there is no such directory", str(output.parent), "make it, or choose another with -o")
    pages = {"lens-sheet.svg": charuco_svg()}
    if layout is not None:
        chosen = load_layout(layout)
        if not chosen.markers:
            raise BadUsage(f"layout {chosen.name} has no markers", "--layout", "list some in it, or leave --layout out")
        pages |= {f"markers-{i}.svg": page for i, page in enumerate(marker_svgs(chosen.markers), 1)}
    output.mkdir(exist_ok=True)
    for name, page in pages.items():
        write_whole(output / name, page.encode())
        print(output / name)
    return DONE


def _pictures(sources: Sequence[str]) -> Iterator[Frame]:
    for source in sources:
        with open_camera(source) as camera:
            yield from islice(camera, 0, MOST * EVERY, EVERY)
