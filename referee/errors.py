"""What can go wrong around a match, as people are told it."""

from hardware.errors import RefereeError


class BadRuling(RefereeError, ValueError):
    """A ruling that can't stand, or that could not be saved; the log is as it was."""


class NotCounted(RefereeError, ValueError):
    """What people say has happened does not count, and why, or it could not be saved; the log is as it was."""


class NoClip(RefereeError, LookupError):
    """There is no clip of a line of the log, and why."""


class BadStore(RefereeError, OSError):
    """Matches can't be kept or read where they should be: no permission, no space, no such directory."""


class NoMatch(RefereeError, LookupError):
    """No match is stored under this name, or what is stored can't be read as one."""


class MatchStored(RefereeError, FileExistsError):
    """A match of this name is in the store already; it is as it was."""


class NoIndex(RefereeError, OSError):
    """The index of the stored matches can't be used now; the matches themselves are not touched by that."""


class BadParcel(RefereeError, ValueError):
    """A file is no match that was exported, or it is damaged, or asks for more than a match needs."""


class MatchInUse(RefereeError, OSError):
    """Another process is writing this match."""


class BadHeader(RefereeError, ValueError):
    """A match header can't be used: no such game, or players or house rules that it can't be played with."""


class BadLog(RefereeError, ValueError):
    """An event log can't be read."""


class BadGame(RefereeError, RuntimeError):
    """A game that another package brings can't be loaded, or fails while it is played."""


class BadTrack(RefereeError, ValueError):
    """A ball's track can't be read: no such file, or a camera, surface or point that makes no sense."""
