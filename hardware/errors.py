"""What can go wrong, as people are told it.

RefereeError              anything that ends a command with one line
├── BadSource             (ValueError) what was given as a camera or video can't be used
├── CameraLost            (OSError) a camera stopped giving pictures
└── MissingDriver         (ImportError) the library for this camera isn't installed
"""


class RefereeError(Exception):
    """An error with one line for the user: what is wrong (where): what to do."""

    def __init__(self, wrong: str, where: str = "", remedy: str = "") -> None:
        place = f" ({where})" if where else ""
        advice = f": {remedy}" if remedy else ""
        super().__init__(f"{wrong}{place}{advice}")


class BadSource(RefereeError, ValueError):
    """What was named as a video, picture or camera can't be used as one."""


class CameraLost(RefereeError, OSError):
    """A camera can't be opened or stopped giving pictures."""


class MissingDriver(RefereeError, ImportError):
    """The library that drives this kind of camera isn't installed."""
