"""``referee analyse``: recordings to event logs, and with a game to the score."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from calibration.table import Table
from hardware.errors import RefereeError
from referee.analysis import Analysis, Interrupted, analyse
from referee.commands.arguments import BadUsage, BoardChoice, MatchChoice
from referee.commands.endings import BAD_INPUT, DONE, complain
from referee.commands.matches import put_on_board, read_match
from referee.commands.outputs import log_paths, partial_path
from referee.commands.progress import progress_bar
from referee.commands.tables import UNCALIBRATED, check_choice, is_uncalibrated, table_told
from referee.counted import counted
from referee.events import Card, Header, Rack, SeenBounce, Shot, Tap
from referee.log import write_log
from referee.match import Standing, fold
from referee.score import scoreboard, standing_to_json
from referee.words import event_words


def run_analyse(
    *, videos: Sequence[str], choice: BoardChoice, match: MatchChoice, output: Path | None, as_json: bool
) -> int:
    """Each video to a log; one that can't be used doesn't keep the others from theirs, but makes it 2."""
    check_choice(choice)
    header = read_match(match)
    if is_uncalibrated(choice) and header.game is not None:
        raise BadUsage(f"{header.game} needs its board", "--layout none", "leave --game out, or give the layout")
    status = DONE
    for video, path in zip(videos, log_paths(videos, output), strict=True):
        try:
            _analyse_one(video, path, choice, header, as_json)
        except RefereeError as error:
            complain(str(error))
            status = BAD_INPUT
    return status


def _analyse_one(video: str, path: Path, choice: BoardChoice, header: Header, as_json: bool) -> None:
    table = None if is_uncalibrated(choice) else table_told(video, choice, header.game)
    header = replace(header, layout=UNCALIBRATED) if table is None else put_on_board(header, table.layout)
    try:
        with progress_bar(Path(video).name) as progress:
            analysis = analyse(video, table=table, header=header, progress=progress)
    except Interrupted as interrupted:
        write_log(partial_path(path), header, interrupted.seen.events)
        complain(f"stopped before the end ({video}): what was seen so far is in {partial_path(path)}")
        raise
    write_log(path, header, analysis.events)
    standing = fold(header, table.layout, analysis.events) if header.game and table is not None else None
    if as_json:
        counts = {"bounces": analysis.bounces} if table is None else {}
        print(json.dumps({**_analysis_to_json(video, path, analysis, standing), **counts}), flush=True)
        return
    for warning in analysis.warnings:
        complain(f"warning: {warning} ({video})")
    print(f"{video}: {_counts(analysis, table)}, {analysis.reviews} to review; log: {path}")
    for event in analysis.events:
        if isinstance(event, Shot | Tap | Rack) or (table is None and isinstance(event, SeenBounce)):
            print(f"  {event.stamp.t_s or 0:7.2f} s  {event_words(event, header)}")
    if standing is not None:
        print(f"\n{scoreboard(standing)}")


def _counts(analysis: Analysis, table: Table | None) -> str:
    """How often somebody threw, or struck the box under the pins, or a ball bounced somewhere: "3 shots"."""
    if table is None:
        return counted(analysis.bounces, "bounce")
    return counted(analysis.taps, "tap") if table.layout.kind == "lane" else counted(analysis.shots, "shot")


def _analysis_to_json(video: str, path: Path, analysis: Analysis, standing: Standing | None) -> dict[str, object]:
    """What is printed for one video."""
    return {
        "file": video,
        "events": str(path),
        "shots": analysis.shots,
        "taps": analysis.taps,
        "cards": sum(isinstance(event, Card) for event in analysis.events),
        "review": analysis.reviews,
        **({} if standing is None else {"score": standing_to_json(standing)}),
        "warnings": list(analysis.warnings),
    }
