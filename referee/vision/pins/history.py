"""Which pins still stand where they stood: a pin that nothing has touched looks as it did before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from referee.vision.pins.bodies import body
from referee.vision.pins.change import SAME_MM, gap_mm, is_new, paired, standing
from referee.vision.pins.first_looks import SAME_LOOK, FirstLooks
from referee.vision.pins.patches import Find, Patch, halves, moved
from referee.vision.pins.pin import Pin, PinReading, PinSize
from referee.vision.pins.reel import Reel, Still
from referee.vision.pins.verdict import SURE_OF_PART

LIKELY_LOOK: Final = 0.7
"""Correlation of what was seen of a pin itself from which it may well stand there still, behind what came before it."""

LOST_LOOK: Final = 0.5
"""Correlation of both halves below which it stands there no more: of a pin behind a fallen one, one half has more."""

KEPT_CONFIDENCE: Final = 0.98
LOST_CONFIDENCE: Final = 0.8

NO_DOUBT: Final = SURE_OF_PART
"""Confidence of the pins in question from which doubts about the whole picture are none of theirs."""

DOUBTED: Final = 0.6
SURPLUS: Final = "more pins are seen than there are"
ELSEWHERE: Final = "a pin is seen beside where one stood"
STRAY: Final = "a pin is seen where none stood"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fates:
    """``kept``: pins that stand where they stood, at their present places; ``lost``: pins that don't, where they
    stood; ``likely``: pins that may well stand, where they stood. Of others nothing can be said by their look."""

    kept: tuple[Pin, ...] = ()
    lost: tuple[Pin, ...] = ()
    likely: tuple[Pin, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Passage:
    """From one settled picture, ``still``, to the newest of a reel.

    ``before``, ``now``: the table as it was seen then and is seen now; ``moved_px``: (2, 3), how the box moved in the
    picture; ``looks``: the first looks of the pins that stood then; ``size``: of a pin, as learned.
    """

    reel: Reel
    still: Still
    before: Table
    now: Table
    moved_px: NDArray[np.float64]
    looks: FirstLooks
    size: PinSize


def reading_after(
    before: PinReading, passage: Passage, read: Callable[[Sequence[Pin]], PinReading], *, all_known: bool | None
) -> PinReading:
    """The pins now, by what ``read`` makes of the picture and by what became of those that stood.

    ``read``: is given the pins that surely stand. ``all_known``: whether ``before`` tells of all pins there are; None
    where a hand may have put up another one since.
    """
    fates = fates_of(before.pins, passage)
    if all_known and len(fates.kept) == len(before.pins):
        return _counted(before, fates.kept)
    reading = without_news(with_kept(read(fates.kept), fates.kept), before, passage)
    if all_known is None:
        return reading
    read_standing = reading.standing
    is_any_stray = _is_any_stray(reading, before, fates, passage.size.height_mm)
    reading = without_ghosts(reading, standing(before.pins), fates, all_known=all_known)
    if reading.standing < read_standing and _is_any_missing(reading, fates):
        reading = _doubted(reading, reading.review or ELSEWHERE)
    if not all_known:
        return reading
    reading = without_surplus(_surer(reading, before, fates), fates.kept, len(before.pins))
    if reading.standing < read_standing and is_any_stray:
        reading = _doubted(reading, reading.review or STRAY)
    return reading


def _surer(reading: PinReading, before: PinReading, fates: Fates) -> PinReading:
    """A reading that is as sure as that of the pins whose look doesn't tell what became of them.

    It is no surer than it was what stood there before, nor where no pin is read that may well stand.
    """
    if _is_any_missing(reading, fates):
        return reading
    stood = standing(before.pins)
    places = [pin for pin in stood if pin not in fates.lost and is_new(pin, fates.kept)]
    open_pins = [pin for pin in reading.pins if any(gap_mm(pin, place) < SAME_MM for place in places)]
    own = KEPT_CONFIDENCE * prod(pin.confidence for pin in open_pins)
    if own <= reading.confidence:
        return reading
    review = before.review if own >= NO_DOUBT else reading.review
    return replace(reading, confidence=max(min(own, before.confidence), reading.confidence), review=review)


def _is_any_missing(reading: PinReading, fates: Fates) -> bool:
    """Whether no pin is read where one may well stand."""
    read = standing(reading.pins)
    return any(is_new(pin, read) for pin in fates.likely)


def _is_any_stray(reading: PinReading, before: PinReading, fates: Fates, reach_mm: float) -> bool:
    """Whether a pin surely seems to stand farther from all that are known than it is tall, and one whose look doesn't
    tell what became of it is nowhere near where it stood: that may have been somewhere else, behind others.

    One that fell, and lies or seems to stand, is about where it stood.
    """
    read = [pin for pin in reading.pins if pin not in fates.kept]
    known = [pin for pin in before.pins if is_new(pin, fates.kept)]
    pairs = paired(read, known, reach_mm)
    missing = [pin for i, pin in enumerate(known) if i not in pairs.values() and pin not in fates.lost]
    strays = [pin for i, pin in enumerate(read) if i not in pairs and pin.confidence >= NO_DOUBT]
    return bool(standing(missing) and standing(strays))


def fates_of(pins: Sequence[Pin], passage: Passage) -> Fates:
    """What became of the standing ones of some pins, by their look alone."""
    keep: list[Pin] = []
    lost: list[Pin] = []
    likely: list[Pin] = []
    for pin in standing(pins):
        finds = _finds(pin, passage)
        likeness = [find.likeness for find in finds]
        if len(finds) == 2 and max(likeness) < LOST_LOOK:
            lost.append(pin)
            continue
        if len(finds) < 2 or min(likeness) < SAME_LOOK:
            finds = _body_finds(pin, pins, passage)
        least = min((find.likeness for find in finds), default=0.0)
        if least >= SAME_LOOK:
            found = _found(pin, finds, passage)
            keep.append(passage.looks.put_right(pin, found, passage.now, passage.reel.newest.luma))
        elif least >= LIKELY_LOOK:
            likely.append(pin)
    return Fates(kept=tuple(keep), lost=tuple(lost), likely=tuple(likely))


def with_kept(reading: PinReading, pins: Sequence[Pin]) -> PinReading:
    """A reading in which these pins stand, whatever it took them for."""
    others = [pin for pin in reading.pins if is_new(pin, pins)]
    return _counted(reading, (*pins, *others))


def without_ghosts(reading: PinReading, stood: Sequence[Pin], fates: Fates, *, all_known: bool) -> PinReading:
    """A reading in which no pin stands that can't: nobody has set any up since ``stood``.

    Where the look of a pin is gone none stands, and where one stood no second one; elsewhere none that stood nowhere
    near, if all pins were known.
    """
    stand = standing(reading.pins)
    pairs = paired(stand, stood)

    def can_stand(index: int, pin: Pin) -> bool:
        if index in pairs:
            return stood[pairs[index]] not in fates.lost
        return not all_known and is_new(pin, stood)

    ghosts = [pin for index, pin in enumerate(stand) if not can_stand(index, pin)]
    read = [replace(pin, state="fallen", confidence=LOST_CONFIDENCE) if pin in ghosts else pin for pin in reading.pins]
    return _counted(reading, read)


def without_surplus(reading: PinReading, kept: Sequence[Pin], most: int) -> PinReading:
    """A reading of no more pins than there are, without those that are least sure; in doubt where one of them stood."""
    surplus = len(reading.pins) - most
    if surplus <= 0:
        return reading
    others = sorted((pin for pin in reading.pins if pin not in kept), key=lambda pin: -pin.confidence)
    number = max(len(others) - surplus, 0)
    before = reading.standing
    reading = _counted(reading, (*kept, *others[:number]))
    if reading.standing == before:
        return reading
    return _doubted(reading, SURPLUS)


def without_news(reading: PinReading, before: PinReading, passage: Passage) -> PinReading:
    """A reading without pins that stand where none stood, and where the picture is as it was: they are misread.

    Unless it was less sure then, and not by the look of what had stood there, that one leans or lies there.
    """
    read: list[Pin] = []
    for pin in reading.pins:
        there = [one for one in before.pins if gap_mm(pin, one) < SAME_MM]
        unsure = min(pin.confidence, LOST_CONFIDENCE)
        is_known = any(one.state == "standing" or one.confidence < unsure for one in there)
        if pin.state != "standing" or is_known or not _looks_as_before(pin, passage):
            read.append(pin)
    return _counted(reading, read)


def _found(pin: Pin, finds: Sequence[Find], passage: Passage) -> Pin:
    """A pin that surely stands, where it is found now."""
    return replace(moved(pin, finds, passage.now), confidence=max(pin.confidence, KEPT_CONFIDENCE))


def _looks_as_before(pin: Pin, passage: Passage) -> bool:
    """Whether the place of a pin that was read now looked the same then."""
    newest = passage.reel.newest
    back = cv2.invertAffineTransform(passage.moved_px)
    foot = np.array([pin.x_px, pin.y_px])
    then = (back @ (*foot, 1.0) - foot) / 2
    patches = halves(pin, passage.now, passage.reel, newest)
    finds = [patch.find(passage.still.luma, (float(then[0]), float(then[1]))) for patch in patches]
    return len(finds) == 2 and all(find is not None and find.likeness >= SAME_LOOK for find in finds)


def _doubted(reading: PinReading, review: str) -> PinReading:
    return replace(reading, confidence=min(reading.confidence, DOUBTED), review=review)


def _counted(reading: PinReading, pins: Sequence[Pin]) -> PinReading:
    number = len(standing(pins))
    return replace(reading, pins=tuple(pins), standing=number, fallen=len(pins) - number)


def _finds(pin: Pin, passage: Passage) -> Sequence[Find]:
    """Where the halves of a pin are found in the newest picture."""
    patches = halves(pin, passage.before, passage.reel, passage.still)
    return [find for patch in patches if (find := _seen_now(patch, pin, passage)) is not None]


def _body_finds(pin: Pin, others: Sequence[Pin], passage: Passage) -> Sequence[Find]:
    """Where what was seen of a pin itself is found in the newest picture, if it is."""
    patch = body(pin, others, passage.before, passage.size, passage.reel, passage.still)
    find = None if patch is None else _seen_now(patch, pin, passage)
    return [] if find is None else [find]


def _seen_now(patch: Patch, pin: Pin, passage: Passage) -> Find | None:
    """Where a part of a pin is found in the newest picture, near where the box has taken it."""
    foot = np.array([pin.x_px, pin.y_px])
    ahead = (passage.moved_px @ (*foot, 1.0) - foot) / 2
    return patch.find(passage.reel.newest.luma, (float(ahead[0]), float(ahead[1])))
