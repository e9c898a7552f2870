"""Calls by their confidence."""

import pytest

from referee.comparison import Comparison, compare
from referee.events import InHole, SeenBounce, Shot, Stamp
from referee.reliability import HEADINGS, Verdict, reliability, reliability_row, reliability_to_json, verdicts
from referee.truth import BallTruth, TrueContact, TrueShot


def verdict(confidence: float | None, is_right: bool = True, is_asked: bool = False) -> Verdict:
    return Verdict(confidence=confidence, is_right=is_right, is_asked=is_asked)


def test_calls_fall_into_bins_by_confidence() -> None:
    bins = reliability([verdict(c) for c in (0.0, 0.49, 0.5, 0.69, 0.7, 0.9, 0.95, 1.0)])
    assert [(each.low, each.high, each.calls) for each in bins] == [
        (0, 0.5, 2),
        (0.5, 0.7, 2),
        (0.7, 0.9, 1),
        (0.9, 1, 3),
    ]


def test_right_wrong_and_asked_are_counted_apart() -> None:
    calls = [verdict(0.95), verdict(0.95), verdict(0.92, False), verdict(0.9, True, True), verdict(0.91, False, True)]
    last = reliability(calls)[-1]
    assert (last.right, last.wrong, last.asked_right, last.asked_wrong) == (3, 2, 1, 1)
    assert last.share_right == pytest.approx(0.6)
    assert reliability_row(last) == ("0.9 to 1.0", "5", "3", "2", "60.0 %", "2", "1", "1")
    assert len(reliability_row(last)) == len(HEADINGS)
    said = reliability_to_json([last])[0]
    assert (said["from"], said["to"], said["calls"], said["review"]) == (0.9, 1.0, 5, {"right": 1, "wrong": 1})


def test_calls_without_a_confidence_stand_apart_where_there_are_some() -> None:
    assert len(reliability([])) == 4
    silent = reliability([verdict(None, False)])[-1]
    assert reliability_row(silent) == ("not said", "1", "0", "1", "0.0 %", "0", "0", "0")
    assert reliability_row(reliability([])[0])[4] == "-"


def test_an_invented_call_is_a_wrong_one_and_a_missed_one_is_none() -> None:
    contact = TrueContact(t_s=1.2, surface="table", x_mm=0.0, y_mm=-300.0, side="south")
    thrown = TrueShot(
        colour="red",
        t_s=1.0,
        t_end_s=2.0,
        table_bounces=1,
        result=InHole(hole="A1"),
        moved=(),
        foul=None,
        contacts=(contact,),
    )
    truth = BallTruth(layout="board", corners_px=(), shots=(thrown, thrown), start=(), final=())

    def shot(t_s: float, confidence: float, review: str | None = None) -> Shot:
        stamp = Stamp(t_s=t_s, t_end_s=t_s + 1, confidence=confidence, review=review)
        return Shot(colour="red", table_bounces=1, result=InHole(hole="A1"), side="south", stamp=stamp)

    bounce = SeenBounce(colour="red", surface="table", px=(0, 0), stamp=Stamp(t_s=1.2))
    comparison: Comparison = compare(truth, [bounce, shot(1.0, 0.9), shot(7.0, 0.6, "seen for a moment only")])
    assert verdicts(comparison) == (verdict(0.9), verdict(0.6, False, True))
