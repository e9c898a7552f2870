"""The commands over the stored matches."""

from argparse import Namespace
from typing import Final

from referee.commands.command import Command
from referee.commands.options import (
    add_export,
    add_exported,
    add_json,
    add_player,
    add_store_action,
    chosen_data_dir,
)


def _store(arguments: Namespace) -> int:
    from referee.commands.store import run_store

    return run_store(action=arguments.action, data_dir=chosen_data_dir(arguments), as_json=arguments.json)


def _export(arguments: Namespace) -> int:
    from referee.commands.exporting import run_export

    return run_export(
        match=arguments.match,
        is_results=arguments.results,
        with_replays=arguments.with_replays,
        output=arguments.output,
        data_dir=chosen_data_dir(arguments),
    )


def _import(arguments: Namespace) -> int:
    from referee.commands.exporting import run_import

    return run_import(files=arguments.files, data_dir=chosen_data_dir(arguments))


def _stats(arguments: Namespace) -> int:
    from referee.commands.stats import run_stats

    return run_stats(player=arguments.player, data_dir=chosen_data_dir(arguments), as_json=arguments.json)


STORED: Final = (
    Command(
        name="store",
        summary="list the stored matches, check them, make their index anew",
        examples="""\
  referee store list
  referee store check --data /mnt/matches
  referee store rebuild

list     every match with its players and score, newest first
check    torn and unreadable logs, and whatever else is not in order, by name; exit status 1 when there is any
rebuild  read all logs and make the index anew; matches that were put there by hand are in it then

The logs are the truth; the index only repeats what they say and may be deleted at any time.""",
        options=(add_store_action, add_json),
        run=_store,
    ),
    Command(
        name="export",
        summary="write a stored match into one file, or the results of all into a table",
        examples="""\
  referee export 20260314-201502-9f3a -o final.zip
  referee export latest --with-replays
  referee export --results -o results.csv

The file holds the log, the board, the table file and the replays that were cut, but not the recording. It can be read
by: referee import. The table is CSV (RFC 4180), one line a player and match.""",
        options=(add_export,),
        run=_export,
    ),
    Command(
        name="import",
        summary="take exported matches into the store",
        examples="  referee import final.zip\n  referee import evening/*.zip --data /mnt/matches",
        options=(add_exported,),
        run=_import,
    ),
    Command(
        name="stats",
        summary="shots, hits, fouls, wins and ratings over all stored matches",
        examples="""\
  referee stats
  referee stats --player Ann
  referee stats --json

Who spells the name the same is the same player. The rating compares players by whom they beat; it is sure only after
some matches. JSON also has the heat maps: holes, and where throws first touch the table, by squares of 50 mm.""",
        options=(add_player, add_json),
        run=_stats,
    ),
)
