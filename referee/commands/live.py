"""Matches to be followed on a page: from a camera or a recording at its real speed, from the demo, from the store."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Final

from calibration.table import Table
from hardware.camera import open_camera
from referee.analysis import watcher_for
from referee.commands.arguments import BadUsage, BoardChoice, MatchChoice
from referee.commands.matches import put_on_board, read_match
from referee.commands.tables import table_told
from referee.events import Header
from referee.live import LiveTable
from referee.recording import Origin
from referee.score import scoreboard
from referee.store import Store

DEMO_VIDEO: Final = "bii-01.mp4"
DEMO_MATCH: Final = MatchChoice(
    game="bounce-em-all",
    players="Ann:south:red,Bob:west:yellow,Cem:north:blue,Dot:east:green",
    # Everybody in the recording throws from the south side.
    options=("starter=Ann", "wrong_side=false"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that is decided before a match begins."""

    source: str
    table: Table
    header: Header


def plan_match(source: str, board: BoardChoice, match: MatchChoice) -> Plan:
    """Look at the source's first pictures and check that the match can be played. Raises RefereeError."""
    if match.game is None:
        raise BadUsage("a live match needs a game", "--game", "add it, as in --game bounce-em-all")
    header = read_match(match)
    table = table_told(source, board, match.game)
    return Plan(source=source, table=table, header=put_on_board(header, table.layout))


def plan_demo() -> Plan:
    """The recorded match that comes with the program, on the built-in board."""
    return plan_match(str(demo_video()), BoardChoice(), DEMO_MATCH)


def demo_video() -> Path:
    """Where the recording is: in the installed package, or in the source tree that this is run from."""
    package = Path(str(files("referee")))
    installed = package / "demo" / DEMO_VIDEO
    return installed if installed.is_file() else package.parent / "sample_videos" / DEMO_VIDEO


@contextmanager
def open_match(plan: Plan, store: Store) -> Iterator[LiveTable]:
    """A stored match that is watched once it is started; closed at the end. Raises BadStore."""
    origin = Origin.of(plan.source)
    match = store.create(plan.header, plan.table, origin)
    with LiveTable(
        match,
        open_camera=partial(open_camera, plan.source),
        watcher=watcher_for(plan.table, plan.header),
        real_time=origin.recording is not None,
    ) as table:
        yield table


def last_words(table: LiveTable) -> str:
    """How the match stands when the page is closed."""
    return scoreboard(table.snapshot().standing)
