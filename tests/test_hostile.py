"""Whatever a log holds, it gives a state or one clear error; ``tests/bench/hostile.py`` tries many more."""

from collections import Counter
from pathlib import Path

from tests.bench.hostile import check, golden_lines, hostile_log


def test_hostile_logs_give_a_state_or_one_clear_error(tmp_path: Path) -> None:
    golden, ends, path = golden_lines(), Counter[str](), tmp_path / "log.jsonl"
    for number in range(300):
        path.write_bytes(hostile_log(0, number, golden))
        ends[check(path)] += 1
    assert set(ends) >= {"a state", "BadLog", "BadHeader"}, "they are not all of one kind"
    assert ends["a state"] > 100
