"""Games of somebody else that don't work, each in its own way."""

from dataclasses import dataclass, replace
from typing import NoReturn

from calibration.layout import Layout
from referee.events import Event, Header
from referee.games.game import Expected, Outcome, Step
from tests.games.skittles import GAME

MISNAMED = replace(GAME, name="ninepins")
NO_GAME = "skittles"


def _fail(*_: object) -> NoReturn:
    raise ZeroDivisionError("too clever by half")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stumbling:
    """It begins, and fails at whatever it is asked."""

    def apply(self, event: Event) -> Step:
        raise KeyError(event)

    def outcome(self) -> Outcome:
        raise IndexError("no scores")

    def expected(self) -> Expected:
        raise AttributeError("nothing is expected")


def _stumble(header: Header, layout: Layout | None) -> Stumbling:
    return Stumbling()


NO_START = replace(GAME, start=_fail)
NO_DRAW = replace(GAME, draw=_fail)
STUMBLES = replace(GAME, start=_stumble)
