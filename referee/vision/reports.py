"""What was seen, put as events of the log."""

import json
from collections.abc import Iterator

import numpy as np

from calibration.table import Table
from referee.events import Off, OnBoard, SeenBoard, SeenBounce, SeenCameraMoved, Shot, Stamp
from referee.vision.contacts import Contact
from referee.vision.outcomes import Outcome
from referee.vision.steady import BoardState
from referee.vision.throws import Throw
from referee.vision.trust import HIDDEN_CONFIDENCE, sureness, trust_in

LOST_CONFIDENCE = 0.4
"""For a ball found away from where it was last seen: what happened between wasn't seen."""

ELSEWHERE = "the ball was found away from where it was last seen"
GONE = "a ball is gone from the board, but none was seen to leave it"
VANISHED = "the ball was last seen at rest on the board, but none is found there"
MET = "it met another ball of its colour: which of them ended where is hard to tell"
CAME = "another ball came to lie on the board, but nobody was seen to put it there"
LOST = "the ball was lost from view in motion: where it ended can't be told"


def seen_board(state: BoardState, t_s: float) -> SeenBoard:
    on_top = [ball for ball in state.loose if ball.hole is None]
    return SeenBoard(
        holes=(*state.holes, *((ball.hole, ball.ball) for ball in state.loose if ball.hole is not None)),
        loose=tuple(ball.ball for ball in on_top),
        loose_mm=tuple((round(ball.x_mm, 1), round(ball.y_mm, 1)) for ball in on_top),
        stamp=span(t_s, t_s),
    )


def seen_bounces(throw: Throw, table: Table) -> Iterator[SeenBounce]:
    """Each contact of a throw's flight."""
    contacts = throw.flight.contacts
    places_px = table.camera.to_px(np.array([(contact.x_mm, contact.y_mm, contact.z_mm) for contact in contacts]))
    for contact, (x_px, y_px) in zip(contacts, places_px.tolist(), strict=True):
        evidence = {"inferred": contact.is_inferred, "speed_mm_s": [round(v) for v in contact.after_mm_s]}
        yield SeenBounce(
            colour=throw.kind.colour,
            surface=contact.surface if contact.surface in ("table", "ball") else "board",
            px=(round(x_px, 1), round(y_px, 1)),
            mm=(round(contact.x_mm, 1), round(contact.y_mm, 1)),
            side=table.side_at(contact.x_mm, contact.y_mm) if contact.surface == "table" else None,
            stamp=Stamp(
                t_s=_time(contact.t_s),
                t_end_s=_time(contact.t_s),
                confidence=_confidence(contact),
                evidence=json.dumps(evidence),
            ),
        )


def shot(throw: Throw, outcome: Outcome) -> Shot:
    is_off = isinstance(outcome.place, Off)
    return Shot(
        colour=throw.kind.colour,
        ball=throw.kind.name if throw.kind.name != throw.kind.colour else None,
        table_bounces=throw.flight.table_bounces,
        result=outcome.place,
        side=throw.side,
        touched_board=throw.flight.touched_board if is_off else None,
        moved=outcome.moved,
        stamp=_shot_stamp(throw, outcome),
    )


def camera_moved(px: float, t_s: float) -> SeenCameraMoved:
    return SeenCameraMoved(px=round(px, 1), recovered=True, stamp=span(t_s, t_s))


def span(start_s: float, end_s: float) -> Stamp:
    return Stamp(t_s=_time(start_s), t_end_s=_time(end_s))


def _shot_stamp(throw: Throw, outcome: Outcome) -> Stamp:
    trust, is_off = trust_in(throw), isinstance(outcome.place, Off)
    confidence, review = trust.confidence, trust.review
    if not outcome.is_near:
        end = ELSEWHERE if not is_off else VANISHED if throw.rests else LOST
        confidence, review = min(confidence, LOST_CONFIDENCE), end
    elif not outcome.saw_leave:
        confidence, review = min(confidence, LOST_CONFIDENCE), review or GONE
    elif not outcome.is_own:
        confidence, review = min(confidence, LOST_CONFIDENCE), review or MET
    elif not outcome.tells_all:
        confidence, review = min(confidence, LOST_CONFIDENCE), review or CAME
    elif isinstance(outcome.place, OnBoard | Off) and throw.flight.contacts[0].surface != "table":
        confidence = min(confidence, HIDDEN_CONFIDENCE)
    return Stamp(
        t_s=_time(throw.flight.start_s),
        t_end_s=_time(throw.end_s),
        confidence=round(confidence, 2),
        review=review,
        evidence=json.dumps({"cost_per_sample": round(throw.flight.cost_per_sample, 2)}),
    )


def _confidence(contact: Contact) -> float:
    return HIDDEN_CONFIDENCE if contact.is_inferred else round(sureness(contact.margin), 2)


def _time(t_s: float) -> float:
    """Times are written to the tenth of a millisecond: finer is noise."""
    return round(t_s, 4)
