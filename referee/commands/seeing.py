"""The commands that look at pictures: calibration and analysis."""

from argparse import Namespace
from typing import Final

from referee.commands.command import Command
from referee.commands.options import (
    add_check_picture,
    add_images,
    add_json,
    add_layout,
    add_lens_pictures,
    add_log_output,
    add_look_board,
    add_match,
    add_source,
    add_table,
    add_table_output,
    add_targets_output,
    add_videos,
    board_choice,
    match_choice,
)


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


def _look(arguments: Namespace) -> int:
    from referee.commands.look import run_look

    return run_look(images=arguments.images, choice=board_choice(arguments), as_json=arguments.json)


SEEING: Final = (
    Command(
        name="calibrate",
        summary="find the board in a camera's view and keep it as a table file",
        examples="""\
  referee calibrate game.mp4 --layout grid-7x7 -o table.json
  referee calibrate usb:0 --layout board.layout.json --corners "377,492 908,492 843,143 442,143" -o table.json

The board is found by the layout's printed markers, else by itself, else by four given corners (of a lane: those of its
field or of its lid, whichever they fit). The reprojection error says how well the layout fits the picture: below one
pixel is good. Exit status 1: it can't be trusted.""",
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
  referee analyse monday/*.mp4 --table table.json -o logs --json
  referee analyse clip.mp4 --layout none

--layout none: a view that isn't calibrated, of anything; balls in flight and their bounces are then told in pixels.""",
        options=(add_videos, add_table, add_match, add_log_output, add_json),
        run=_analyse,
    ),
    Command(
        name="look",
        summary="say what still pictures show: balls, holes taken, pins, printed markers",
        examples="""\
  referee look photo.jpg
  referee look photo.jpg --layout board.layout.json
  referee look game.mp4@0 game.mp4@12.5 --table table.json --json

With a layout or a table file balls are told by the holes they lie in; without, all that can be told of a view of which
nothing is known is given in pixels.""",
        options=(add_images, add_look_board, add_json),
        run=_look,
    ),
)
