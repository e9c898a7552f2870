"""What can go wrong between a board and its camera view.

RefereeError (hardware.errors)
├── BadLayout        (ValueError) a layout contradicts itself or isn't written as a layout
├── BadCalibration   (ValueError) a view can't be calibrated so that it could be trusted
├── BadTable         (ValueError) a table file can't be used
├── BadLens          (ValueError) a lens file can't be used
└── CantSave         (OSError) a file can't be written
"""

from hardware.errors import RefereeError


class BadLayout(RefereeError, ValueError):
    """A layout is missing, unreadable, or describes an object that can't exist."""


class BadCalibration(RefereeError, ValueError):
    """The view doesn't say where the board is, or contradicts the layout."""


class BadTable(RefereeError, ValueError):
    """A table file is missing, broken or of a newer version."""


class BadLens(RefereeError, ValueError):
    """A lens file is missing, broken or for another picture size."""


class CantSave(RefereeError, OSError):
    """A file can't be written where it should be."""
