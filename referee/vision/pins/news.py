"""Where a picture of a lane has to be read anew: where it has changed since it was read last."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.box import px_per_mm
from referee.vision.pins.change import is_new, standing
from referee.vision.pins.history import Passage
from referee.vision.pins.lookout import Lookout
from referee.vision.pins.patches import ends_px
from referee.vision.pins.pin import Pin, PinReading
from referee.vision.pins.zone import pin_radius_mm


def news_of(
    kept: Sequence[Pin], before: PinReading, passage: Passage, lookout: Lookout, *, is_struck: bool
) -> NDArray[np.float64] | None:
    """Places in a picture, (n, 2) px, that tell what became of all pins of the reading ``before`` but those ``kept``;
    None where all of it does.

    Where nobody has struck the box, hands have set pins up, unless all that changed is that lying ones are gone. Where
    pins were set up counts to the millimetre, so that all is read.
    """
    others = [pin for pin in before.pins if is_new(pin, kept)]
    if not is_struck and (not others or standing(others)):
        return None
    radius_px = pin_radius_mm(passage.now) * px_per_mm(passage.now)
    changed_px = lookout.changed_px(passage.moved_px, ends_px(kept, passage.now), radius_px)
    return np.vstack([changed_px, *ends_px(others, passage.before)])
