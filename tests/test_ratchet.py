"""The calls on sample recordings are no worse than they once were; all recordings: ``make ratchet``."""

import pytest

from tests.bench.ratchet import SAMPLES, better, read_scores, score_video, worse

QUICK = ("bi-01", "bii-02", "bii-03", "bii-05", "wb-01", "wb-02", "wb-04")


@pytest.mark.parametrize("name", QUICK)
def test_no_call_gets_worse(name: str) -> None:
    assert worse(read_scores()[name], score_video(name)) == {}


def test_every_sample_has_its_scores() -> None:
    assert sorted(read_scores()) == sorted(path.stem for path in SAMPLES.glob("*.mp4"))


def test_fewer_right_or_more_wrong_is_worse() -> None:
    old = {"right": 3, "wrong": 0, "time_ms": 1.0}
    assert worse(old, {"right": 3, "wrong": 0, "time_ms": 1.4}) == {}
    assert worse(old, {"right": 2, "wrong": 1, "time_ms": 1.6}) == {
        "right": (3, 2),
        "wrong": (0, 1),
        "time_ms": (1.0, 1.6),
    }
    assert worse(old, {"wrong": 0, "time_ms": 1.0}) == {"right": (3, 0)}


def test_only_what_is_better_is_kept() -> None:
    old = {"right": 3, "wrong": 0, "time_ms": 1.0}
    assert better(old, {"right": 4, "wrong": 1, "time_ms": 0.8}) == {"right": 4, "wrong": 0, "time_ms": 0.8}
    assert better({}, {"right": 1}) == {"right": 1}
