"""The commands that measure the referee itself."""

from argparse import Namespace
from pathlib import Path
from typing import Final

from referee.commands.arguments import parse_seconds
from referee.commands.command import Command
from referee.commands.options import add_json, add_lasting, add_table, add_track, add_videos, board_choice


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


MEASURING: Final = (
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
with r_px and polygon_mm where they are known. For a light, fast ball, as in table tennis, add "ball_mass_g": 2.7:
its flights are then fitted with what air and spin do to them.""",
        options=(add_track, add_json),
        run=_contacts,
    ),
)
