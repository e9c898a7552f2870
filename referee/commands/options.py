"""Options of the command line that several commands share, and what their values become."""

import os
from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path
from typing import Final, NoReturn

from referee.commands.arguments import BadUsage, BoardChoice, MatchChoice, parse_port

DEFAULT_PORT: Final = 8000


class Parser(ArgumentParser):
    """A parser whose complaints are raised, so that they look like all others."""

    def error(self, message: str) -> NoReturn:
        raise BadUsage(message, self.prog, f"see {self.prog} --help")


def add_shared(parser: Parser) -> None:
    """Options of all commands; they may stand before or after the command's name, so no default is set here."""
    shared = parser.add_argument_group("shared options")
    shared.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        default=SUPPRESS,
        help="where matches and clips are kept (default: $XDG_DATA_HOME/referee, or ~/.local/share/referee)",
    )
    shared.add_argument("-v", "--verbose", action="store_true", default=SUPPRESS, help="say more on standard error")


def add_json(parser: Parser) -> None:
    """Choice of text for people or JSON for programs."""
    parser.add_argument("--json", action="store_true", help="print JSON for programs instead of text")


def add_layout(parser: Parser, *, default: str = "bounce-it-in, or what the game is played on") -> None:
    """The physical board, and what may help to find it in the picture."""
    board = parser.add_argument_group("the board")
    board.add_argument(
        "--layout", metavar="L", help=f"a built-in layout by its name, or a layout file (default: {default})"
    )
    board.add_argument(
        "--corners",
        metavar='"X,Y X,Y X,Y X,Y"',
        help="its corners SW SE NE NW in pixels (a lane: of its field or its lid), where it is not found without",
    )
    board.add_argument("--lens", metavar="FILE", type=Path, help="the camera's lens, where it is known")


def add_table(parser: Parser) -> None:
    """A board that was calibrated before, or what is needed to do it now."""
    parser.add_argument("--table", metavar="FILE", type=Path, help="a table file made by: referee calibrate -o FILE")
    add_layout(parser)


def add_match(parser: Parser) -> None:
    """The game, who plays it, and house rules."""
    match = parser.add_argument_group("the match")
    match.add_argument("--game", metavar="G", help="what is played, such as bounce-em-all")
    match.add_argument(
        "--players",
        metavar="P",
        help='who plays, in turn order: "Ann:south:red,Bob:north:blue" (several colours: red+yellow)',
    )
    match.add_argument(
        "--option",
        metavar="K=V",
        action="append",
        default=[],
        help="a house rule, such as starter=Ann or rounds=2; may be given several times",
    )


def add_port(parser: Parser) -> None:
    """Where the page is served."""
    parser.add_argument(
        "--port", metavar="N", help=f"serve the page at this port (default: {DEFAULT_PORT}, or the next free one)"
    )


def add_source(parser: Parser) -> None:
    """Where the pictures come from."""
    parser.add_argument(
        "source", metavar="SOURCE", help="a video file, usb:0, a V4L2 path such as /dev/video0, or pi, pi:1"
    )


def add_videos(parser: Parser) -> None:
    """Recordings."""
    parser.add_argument("videos", metavar="VIDEO", nargs="+", help="a video file")


def add_images(parser: Parser) -> None:
    """Still pictures."""
    parser.add_argument(
        "images", metavar="IMAGE", nargs="+", help="a picture, or a moment of a video as FILE@SECONDS, or a camera"
    )


def add_look_board(parser: Parser) -> None:
    """The board in still pictures, where there is one."""
    parser.add_argument("--table", metavar="FILE", type=Path, help="a table file made by: referee calibrate -o FILE")
    add_layout(parser, default="none: all that can be told in pixels")


def add_logs(parser: Parser) -> None:
    """Event logs."""
    parser.add_argument("logs", metavar="EVENTS", nargs="+", type=Path, help="an event log")


def add_layout_name(parser: Parser) -> None:
    """The physical board, where no picture is looked at."""
    parser.add_argument(
        "--layout",
        metavar="L",
        help="a built-in layout by its name, or a layout file, for games that need one (default: bounce-it-in)",
    )


def add_new_output(parser: Parser) -> None:
    """Where a new log begins."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="EVENTS",
        type=Path,
        help="begin the log here; what is there is never overwritten (default: standard output)",
    )


def add_lasting(parser: Parser) -> None:
    """How long to go on."""
    parser.add_argument(
        "--seconds", metavar="S", default="0", help="repeat each recording until it has lasted so long (default: once)"
    )


def add_track(parser: Parser) -> None:
    """A ball's track."""
    parser.add_argument("track", metavar="TRACK", type=Path, help="a track file (JSON)")


def add_table_output(parser: Parser) -> None:
    """Where the calibrated table is kept."""
    parser.add_argument("-o", "--output", metavar="TABLE", type=Path, help="write the table file here")


def add_check_picture(parser: Parser) -> None:
    """Where the picture with the layout drawn over it goes."""
    parser.add_argument(
        "--picture", metavar="FILE", type=Path, help="draw the layout over the view and write it here (.jpg or .png)"
    )


def add_lens_pictures(parser: Parser) -> None:
    """Where the printed sheet is seen, and where the lens file goes."""
    parser.add_argument(
        "sources", metavar="SOURCE", nargs="+", help="pictures, videos or a camera in which the printed sheet is seen"
    )
    parser.add_argument("-o", "--output", metavar="LENS", type=Path, required=True, help="write the lens file here")


def add_targets_output(parser: Parser) -> None:
    """Whose markers are printed, and where the pages go."""
    parser.add_argument("--layout", metavar="L", help="also the markers of this layout, by its name or file")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, default=Path(), help="write the pages here")


def add_log_output(parser: Parser) -> None:
    """Where the log of a recording goes."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="EVENTS",
        type=Path,
        help="write the log here; a directory, when there are several videos (default: NAME.jsonl in this directory)",
    )


def add_once(parser: Parser) -> None:
    """Whether to stay after the end."""
    parser.add_argument("--once", action="store_true", help="end after the video, with the score on standard output")


def add_store_action(parser: Parser) -> None:
    """What to do with the stored matches."""
    parser.add_argument(
        "action", metavar="ACTION", choices=("list", "check", "rebuild"), help="list, check or rebuild; see below"
    )


def add_export(parser: Parser) -> None:
    """What is exported, and where to."""
    parser.add_argument(
        "match", metavar="MATCH", nargs="?", help="a stored match by its name, the beginning of it, or latest"
    )
    parser.add_argument("--results", action="store_true", help="the results of all matches as CSV instead")
    parser.add_argument(
        "--with-replays", action="store_true", help="first cut all replays, while the recording is at hand"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="write it here (default: MATCH.zip in this directory; results: standard output)",
    )


def add_exported(parser: Parser) -> None:
    """Exported matches."""
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="a match made by: referee export")


def add_player(parser: Parser) -> None:
    """Whose statistics."""
    parser.add_argument("--player", metavar="NAME", help="all about one player (default: a line for everybody)")


def board_choice(arguments: Namespace) -> BoardChoice:
    """The values of ``add_table`` or ``add_layout``."""
    return BoardChoice(
        table=getattr(arguments, "table", None),
        layout=arguments.layout,
        corners=arguments.corners,
        lens=arguments.lens,
    )


def match_choice(arguments: Namespace) -> MatchChoice:
    """The values of ``add_match``."""
    return MatchChoice(game=arguments.game, players=arguments.players, options=arguments.option)


def chosen_port(arguments: Namespace) -> int | None:
    """The value of ``add_port``; None: whichever is free. Raises BadUsage."""
    return None if arguments.port is None else parse_port(arguments.port)


def chosen_data_dir(arguments: Namespace) -> Path:
    """The value of ``--data``, else the user's own data directory."""
    from referee.store import default_data_dir  # not for --help: it knows tables, and tables know NumPy

    data: Path | None = arguments.data
    return default_data_dir(os.environ) if data is None else data
