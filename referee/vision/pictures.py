"""Pictures that wait to be looked at, and what a look at one found."""

from dataclasses import dataclass

from hardware.frame import Frame, Plane
from referee.vision.blobs import Coloured


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """A frame, and its luma at the size of the chroma planes; ``is_due``: the board is to be read in it."""

    frame: Frame
    luma: Plane
    is_due: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """What a picture shows of balls in motion."""

    picture: Picture
    coloured: Coloured

    @property
    def t_s(self) -> float:
        """When the picture was taken."""
        return self.picture.frame.t_s
