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
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final

from hardware.errors import RefereeError
from referee import __version__
from referee.commands.arguments import parse_seconds
from referee.commands.command import Command
from referee.commands.endings import BAD_INPUT, DONE, INTERRUPTED, NOT_SO, complain
from referee.commands.options import (
    DEFAULT_PORT,
    Parser,
    add_check_picture,
    add_json,
    add_lasting,
    add_layout,
    add_layout_name,
    add_lens_pictures,
    add_log_output,
    add_logs,
    add_match,
    add_new_output,
    add_once,
    add_port,
    add_shared,
    add_source,
    add_table,
    add_table_output,
    add_targets_output,
    add_track,
    add_videos,
    board_choice,
    chosen_data_dir,
    chosen_port,
    match_choice,
)
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


def _calibrate(arguments: Namespace) -> int:
    from referee.commands.calibrate import run_calibrate

    return run_calibrate(
        source=arguments.source,
        choice=board_choice(arguments),
        output=arguments.output,
        picture=arguments.picture,
    )


def _calibrate_lens(arguments: Namespace) -> int:
    from referee.commands.lens import run_calibrate_lens

    return run_calibrate_lens(sources=arguments.sources, output=arguments.output)


def _print_targets(arguments: Namespace) -> int:
    from referee.commands.lens import run_print_targets

    return run_print_targets(layout=arguments.layout, output=arguments.output)


def _analyse(arguments: Namespace) -> int:
    from referee.commands.analyse import run_analyse

    return run_analyse(
        videos=arguments.videos,
        choice=board_choice(arguments),
        match=match_choice(arguments),
        output=arguments.output,
        as_json=arguments.json,
    )


def _score(arguments: Namespace) -> int:
    from referee.commands.score import run_score

    return run_score(logs=arguments.logs, as_json=arguments.json)


def _new(arguments: Namespace) -> int:
    from referee.commands.new import run_new

    return run_new(match=match_choice(arguments), layout=arguments.layout, output=arguments.output)


def _log(arguments: Namespace) -> int:
    from referee.commands.log import run_log

    return run_log(logs=arguments.logs)


def _evaluate(arguments: Namespace) -> int:
    from referee.commands.evaluate import run_evaluate

    return run_evaluate(videos=[Path(video) for video in arguments.videos], as_json=arguments.json)


def _bench(arguments: Namespace) -> int:
    from referee.commands.bench import run_bench

    return run_bench(
        videos=arguments.videos,
        choice=board_choice(arguments),
        lasting_s=parse_seconds(arguments.seconds),
        as_json=arguments.json,
    )


def _contacts(arguments: Namespace) -> int:
    from referee.commands.contacts import run_contacts

    return run_contacts(path=arguments.track, as_json=arguments.json)


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
    Command(
        name="calibrate",
        summary="find the board in a camera's view and keep it as a table file",
        examples="""\
  referee calibrate game.mp4 --layout grid-7x7 -o table.json
  referee calibrate usb:0 --layout board.layout.json --corners "377,492 908,492 843,143 442,143" -o table.json

The board is found by the layout's printed markers, else by itself, else by four given corners. The reprojection error
says how well the layout fits the picture: below one pixel is good. Exit status 1: it can't be trusted.""",
        options=(add_source, add_layout, add_table_output, add_check_picture),
        run=_calibrate,
    ),
    Command(
        name="calibrate-lens",
        summary="measure a camera's lens from pictures of the printed sheet",
        examples="""\
  referee print-targets -o to-print
  referee calibrate-lens sheet.mp4 -o lens.json
  referee calibrate-lens photo-*.jpg -o lens.json

Hold the sheet flat, at many places and slants, near enough to fill half of the picture.""",
        options=(add_lens_pictures,),
        run=_calibrate_lens,
    ),
    Command(
        name="print-targets",
        summary="write what to print: the sheet for lenses and a layout's markers, true to size",
        examples="  referee print-targets -o to-print\n  referee print-targets --layout grid-7x7 -o to-print",
        options=(add_targets_output,),
        run=_print_targets,
    ),
    Command(
        name="analyse",
        summary="referee recorded videos as fast as possible: event logs, and with a game the score",
        examples="""\
  referee analyse game.mp4 --layout board.layout.json
  referee analyse game.mp4 --table table.json --game bounce-em-all --players "Ann:south:red,Bob:north:blue" \\
      --option starter=Ann
  referee analyse monday/*.mp4 --table table.json -o logs --json""",
        options=(add_videos, add_table, add_match, add_log_output, add_json),
        run=_analyse,
    ),
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
    Command(
        name="score",
        summary="keep the score of event logs, by the rules alone",
        examples="  referee score game.jsonl\n  referee score game.jsonl --json",
        options=(add_logs, add_json),
        run=_score,
    ),
    Command(
        name="new",
        summary="begin the log of a match: its header, from options or by asking",
        examples="""\
  referee new
  referee new --game bouncers --players "Ann:south,Bob:west,Cem:north" --option dealer=Bob -o evening.jsonl""",
        options=(add_match, add_layout_name, add_new_output),
        run=_new,
    ),
    Command(
        name="log",
        summary="tell what is in event logs: a line an event, in words, with its calls and rulings",
        examples="  referee log game.jsonl",
        options=(add_logs,),
        run=_log,
    ),
    Command(
        name="evaluate",
        summary="measure the calls on videos whose truth is known (NAME.truth.json beside NAME.mp4)",
        examples="  referee evaluate sample_videos/*.mp4\n  referee evaluate sample_videos/bii-01.mp4 --json",
        options=(add_videos, add_json),
        run=_evaluate,
    ),
    Command(
        name="bench",
        summary="measure the speed of the analysis against that of decoding alone, stage by stage, on one core",
        examples="""\
  referee bench game.mp4 --layout board.layout.json
  referee bench sample_videos/*.mp4 --json
  referee bench game.mp4 --table table.json --seconds 600

Without --table and --layout the layout is taken that a truth beside the video names (NAME.truth.json).""",
        options=(add_videos, add_table, add_lasting, add_json),
        run=_bench,
    ),
    Command(
        name="contacts",
        summary="find the contacts of a ball with the surfaces around it in a track from any tracker",
        examples="""\
  referee contacts track.json
  referee contacts track.json --json

The track file: {"camera": {"K", "dist", "R", "t_mm"}, "ball_radius_mm": 20,
"surfaces": [{"name": "table", "z_mm": 0, "polygon_mm": null}], "points": [{"t": 0.0, "px": [x, y], "r_px": 5.1}]},
with r_px and polygon_mm where they are known.""",
        options=(add_track, add_json),
        run=_contacts,
    ),
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
