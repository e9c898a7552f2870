"""``referee bench``: how fast the analysis is, stage by stage, beside decoding alone."""

import json
from collections.abc import Sequence
from pathlib import Path

from calibration.table import Table
from referee.bench import Bench, bench
from referee.columns import format_table
from referee.commands.arguments import BoardChoice
from referee.commands.endings import DONE
from referee.commands.progress import progress_bar
from referee.commands.tables import table_for
from referee.evaluate import calibrate_recording
from referee.truth import load_truth

LEGEND = """\
Milliseconds a frame of processor time, in one thread. decode: decoding alone; ratio: all the analysis against that;
frames/s: decoding and analysis together; peak: the most memory of the process while it analysed."""


def run_bench(*, videos: Sequence[str], choice: BoardChoice, lasting_s: float, as_json: bool) -> int:
    """Each video by itself."""
    benches = []
    for video in videos:
        table = _table(video, choice)
        with progress_bar(Path(video).name) as progress:
            benches.append(bench(video, table, lasting_s=lasting_s, progress=progress))
    print(json.dumps({"videos": [_to_json(each) for each in benches]}) if as_json else format_benches(benches))
    return DONE


def _table(video: str, choice: BoardChoice) -> Table:
    """The table that the user chose; else the one that a truth beside the video names; else the default one."""
    truth_path = Path(video).with_suffix(".truth.json")
    if choice.table is None and choice.layout is None and truth_path.is_file():
        return calibrate_recording(Path(video), load_truth(Path(video))).table
    return table_for(video, choice)


def _to_json(each: Bench) -> dict[str, object]:
    return {
        "file": each.video,
        "width_px": each.width_px,
        "height_px": each.height_px,
        "frames": each.frames,
        "duration_s": round(each.duration_s, 3),
        "frames_per_s": round(each.frames_per_s, 1),
        "decode_ms": round(each.decode_ms, 4),
        "analysis_ms": round(each.analysis_ms, 4),
        "ratio": round(each.ratio, 3),
        "stages_ms": {"decode": round(each.decode_ms, 4)} | {k: round(ms, 4) for k, ms in each.stages_ms.items()},
        "peak_mb": round(each.peak_mb, 1),
    }


def format_benches(benches: Sequence[Bench]) -> str:
    """A table for all that have the same stages: boards, lanes."""
    alike: dict[tuple[str, ...], list[Bench]] = {}
    for each in benches:
        alike.setdefault(tuple(each.stages_ms), []).append(each)
    return "\n\n".join([*(_table_of(stages, some) for stages, some in alike.items()), LEGEND])


def _table_of(stages: Sequence[str], benches: Sequence[Bench]) -> str:
    headings = ["recording", "size", "frames", "decode", *stages, "all", "ratio", "frames/s", "peak MB"]
    rows = [
        [
            Path(each.video).stem,
            f"{each.width_px}x{each.height_px}",
            str(each.frames),
            f"{each.decode_ms:.2f}",
            *(f"{each.stages_ms[stage]:.2f}" for stage in stages),
            f"{each.analysis_ms:.2f}",
            f"{each.ratio:.2f}",
            f"{each.frames_per_s:.0f}",
            f"{each.peak_mb:.0f}",
        ]
        for each in benches
    ]
    return format_table([headings, *rows])
