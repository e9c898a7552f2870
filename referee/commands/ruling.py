"""The commands on event logs alone: no picture is needed."""

from argparse import Namespace
from typing import Final

from referee.commands.command import Command
from referee.commands.options import add_json, add_layout_name, add_logs, add_match, add_new_output, match_choice


def _score(arguments: Namespace) -> int:
    from referee.commands.score import run_score

    return run_score(logs=arguments.logs, as_json=arguments.json)


def _new(arguments: Namespace) -> int:
    from referee.commands.new import run_new

    return run_new(match=match_choice(arguments), layout=arguments.layout, output=arguments.output)


def _log(arguments: Namespace) -> int:
    from referee.commands.log import run_log

    return run_log(logs=arguments.logs)


RULING: Final = (
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
)
