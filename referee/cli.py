"""The command line: what can be typed, and how every command ends.

A command's own modules are imported when it runs, so that help is there at once on a slow machine too.
"""

import logging
import os
import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from threading import Thread
from typing import TYPE_CHECKING, Final

from hardware.errors import RefereeError
from referee import __version__
from referee.commands.command import Command
from referee.commands.endings import BAD_INPUT, DONE, INTERRUPTED, NOT_SO, complain
from referee.commands.measuring import MEASURING
from referee.commands.options import (
    DEFAULT_PORT,
    Parser,
    add_match,
    add_once,
    add_port,
    add_shared,
    add_source,
    add_table,
    board_choice,
    chosen_data_dir,
    chosen_port,
    match_choice,
)
from referee.commands.ruling import RULING
from referee.commands.seeing import SEEING
from referee.commands.stored import STORED

if TYPE_CHECKING:
    from referee.commands.live import Plan

HOST: Final = "0.0.0.0"
"""Phones and televisions in the same network may look."""

DESCRIPTION: Final = """\
A camera referee for table games: it sees throws, bounces and holes, calls them, keeps the score and shows it live.

  try it                  referee demo
  your own recording      referee analyse game.mp4 --layout board.layout.json
  with the score          referee analyse game.mp4 --game bounce-em-all --players "Ann:south:red,Bob:north:blue"
  live, with a page       referee calibrate usb:0 -o table.json
                          referee play usb:0 --table table.json --game bounce-em-all --players ...
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit status: 0 done, 1 what was asked does not hold, 2 bad usage or bad input."""
    if isinstance(sys.stdout, TextIOWrapper):
        # What the output's encoding can't hold is written as an escape, which is JSON's own too.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = build_parser().parse_args(argv)
        level = logging.DEBUG if arguments.verbose else logging.WARNING
        logging.basicConfig(level=level, format="referee: %(message)s")
        run: Callable[[Namespace], int] = arguments.run
        status = run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough; the interpreter's own flush at exit must not complain either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except RefereeError as error:
        complain(str(error))
        return BAD_INPUT
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        complain(f"{error.strerror or error}{where}: check the path, its permissions and the free space")
        return BAD_INPUT
    except Exception as error:
        logging.debug("a fault of the program", exc_info=True)
        complain(f"a fault of the program ({error!r}): please report it, with what -v says")
        return BAD_INPUT
    return status


def build_parser() -> Parser:
    """All commands with their help."""
    parser = Parser(
        prog="referee", description=DESCRIPTION, formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"referee {__version__}")
    add_shared(parser)
    parser.set_defaults(data=None, verbose=False)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        one = commands.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            epilog=f"examples:\n{command.examples}",
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        for add_options in (*command.options, add_shared):
            add_options(one)
        one.add_argument("--version", action="version", version=f"referee {__version__}")
        one.set_defaults(run=command.run)
    return parser


def _doctor(arguments: Namespace) -> int:
    from referee.commands.doctor import run_doctor

    return run_doctor(data_dir=chosen_data_dir(arguments))


def _demo(arguments: Namespace) -> int:
    from referee.commands.live import plan_demo

    return _follow(plan_demo, arguments, until_end=arguments.once)


def _play(arguments: Namespace) -> int:
    from referee.commands.live import plan_match

    plan = partial(plan_match, arguments.source, board_choice(arguments), match_choice(arguments))
    return _follow(plan, arguments, until_end=False)


def _serve(arguments: Namespace) -> int:
    from referee.catalogue import Catalogue
    from referee.stats.almanac import Almanac
    from referee.stored import StoredMatches
    from web.app import create_app
    from web.serving import serve

    port = _port(arguments)
    catalogue = Catalogue(chosen_data_dir(arguments))
    catalogue.store.ids()  # says at once when they can't be read
    app = create_app(StoredMatches(catalogue.store), almanac=Almanac(catalogue))
    serve(app, host=HOST, port=port, announce=_announce)
    return DONE


def _follow(make_plan: Callable[[], "Plan"], arguments: Namespace, *, until_end: bool) -> int:
    """Referee a match with its page: until Ctrl-C, or until there is nothing more to see; then say how it stands."""
    from referee.catalogue import Catalogue
    from referee.commands.live import last_words, open_match
    from web.app import create_app
    from web.serving import serve
    from web.site import site_of

    port = _port(arguments)
    with open_match(make_plan(), Catalogue(chosen_data_dir(arguments)).store) as table:
        app = create_app({table.match_id: table})

        def end_with_table() -> None:
            table.join()
            site_of(app).closing.set()

        def begin() -> None:
            table.start()
            if until_end:
                Thread(target=end_with_table, daemon=True).start()

        # Where the score is what was asked for, standard output is left to it.
        serve(app, host=HOST, port=port, on_start=begin, announce=_announce_aside if until_end else _announce)
        source = table.snapshot().source
        if source.state == "failed":
            complain(source.message or "the watching ended early")
        print(last_words(table))
    return NOT_SO if source.state == "failed" else DONE


def _announce(address: str) -> None:
    print(address, flush=True)


def _announce_aside(address: str) -> None:
    print(address, file=sys.stderr)


def _port(arguments: Namespace) -> int:
    """The port that was asked for, else the default one or the next that is free."""
    from web.serving import CannotServe, open_socket

    chosen = chosen_port(arguments)
    if chosen is not None:
        return chosen
    for port in range(DEFAULT_PORT, DEFAULT_PORT + 10):
        with suppress(CannotServe):
            open_socket(HOST, port).close()
            return port
    return 0


COMMANDS: Final = (
    Command(
        name="demo",
        summary="watch a recorded game being refereed, with the live page",
        examples="  referee demo\n  referee demo --port 8080\n  referee demo --once",
        options=(add_once, add_port),
        run=_demo,
    ),
    *SEEING,
    Command(
        name="play",
        summary="referee live: from the camera to the page",
        examples="""\
  referee play usb:0 --table table.json --game bounce-em-all --players "Ann:south:red,Bob:north:blue"
  referee play game.mp4 --table table.json --game bounce-em-all --players "Ann:south:red,Bob:north:blue"

A video file is played at its real speed.""",
        options=(add_source, add_table, add_match, add_port),
        run=_play,
    ),
    *RULING,
    *MEASURING,
    Command(
        name="serve",
        summary="show the stored matches, without a camera",
        examples="  referee serve\n  referee serve --port 8080 --data /mnt/matches",
        options=(add_port,),
        run=_serve,
    ),
    *STORED,
    Command(
        name="doctor",
        summary="say what this machine has for refereeing and what it lacks",
        examples="  referee doctor",
        options=(),
        run=_doctor,
    ),
)
