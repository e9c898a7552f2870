"""Whether the camera stands as it stood: told by the table around the box, which blows on the box don't shift."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from calibration.table import Table
from referee.vision.pins.blows import Blow
from referee.vision.pins.box import UNMOVED, BoxShift, px_per_mm
from referee.vision.pins.halved import Halved
from referee.vision.pins.surroundings import corners_around, shift_of_all_px
from referee.vision.pins.zone import Zone
from referee.vision.view import MOVED_PX, View

CHECK_S: Final = 0.3
"""Time between two looks for a knocked camera while the box isn't where it was."""

TABLE_SHARE: Final = 0.5
"""Share of the box's shift by which the table shifts too when it is the camera that moved: all of it, but for noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """``table``: from where a knocked camera is now; ``px``: how far the picture has shifted; ``stood_s``: until when
    the camera stood as before."""

    table: Table
    px: float
    stood_s: float


class Tripod:
    """Watches over one camera. ``is_knocked``: whether it looks elsewhere, and where isn't known yet."""

    def __init__(self, zone: Zone, table: Table, luma: Halved) -> None:
        """``luma``: what the camera sees with the table there."""
        self._zone = zone
        self._checked_s = -math.inf
        self.is_knocked = self._is_off = False
        self.look_from(table, luma)

    def look_from(self, table: Table, luma: Halved) -> None:
        """Take a table for where its box is now, with the camera as it was."""
        self._table, self._luma = table, luma
        self._seen: View | None = None
        self._cleared = UNMOVED
        self._px_per_mm = px_per_mm(table)

    def check(self, t_s: float, luma: Halved, place: BoxShift | None) -> None:
        """See whether the camera has moved, if that may be; ``place``: of the box, if that is seen.

        A knocked camera shifts the box too, in the picture. In noise one picture may say so, but hardly two in a row.
        """
        if not self._is_suspect(place) or not (self._is_off or t_s - self._checked_s >= CHECK_S):
            return
        shift = self._view.shift(luma.whole())
        was_off, self._is_off = self._is_off, shift is not None and shift_of_all_px(shift) > MOVED_PX
        if not was_off:
            self._checked_s = t_s
        elif shift is not None and self._is_off:
            self.is_knocked = True
            self._is_off = False
            self._view.is_settled(luma.whole())
        if shift is not None and not self._is_off and place is not None:
            self._cleared = place

    def is_shake(self, blows: Sequence[Blow], luma: Halved) -> bool:
        """Whether what looked like blows on the box was the camera's shake: the table has shifted as well."""
        shift = self._view.shift(luma.whole()) if blows else None
        if shift is None:
            return False
        return shift_of_all_px(shift) > TABLE_SHARE * max(blow.mm for blow in blows) * self._px_per_mm

    def found_again(self, luma: Halved) -> Found | None:
        """Where a knocked camera has come to rest; None while it hasn't, or where too little is recognised."""
        shift = self._view.shift(luma.whole())
        if shift is None or not self._view.is_settled(luma.whole()):
            return None
        table = self._view.found_again(luma.whole())
        return None if table is None else Found(table=table, px=shift.px, stood_s=self._checked_s - CHECK_S)

    def _is_suspect(self, place: BoxShift | None) -> bool:
        """Whether the box isn't where it was when the camera was last seen to look where it did."""
        if place is None:
            return True
        off_mm = math.hypot(place.x_mm - self._cleared.x_mm, place.y_mm - self._cleared.y_mm)
        return off_mm * self._px_per_mm > MOVED_PX / 2

    @property
    def _view(self) -> View:
        # Most often nobody asks before the box has moved again.
        if self._seen is None:
            luma = self._luma.whole()
            self._seen = View(self._table, luma, corners_around(self._zone, luma))
        return self._seen
