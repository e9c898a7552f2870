"""The point cards of Bouncers: what they cost whoever won them, and what bouncers cancel of it."""

from typing import Final

NUMERALS: Final = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10, "A": 11}
"""What point cards cost; the others, jack, queen and king, are bouncers."""
IDLE_BOUNCER: Final = 25
"""What a bouncer costs that cancels no numeral."""


def cost_of(taken: tuple[str, ...], *, are_special: bool) -> int:
    """What point cards cost whoever took them in this order: numerals not cancelled, and bouncers that cancel none."""
    numerals = [card for card in taken if card[0] in NUMERALS]
    bouncers = [card for card in taken if card[0] not in NUMERALS]
    if are_special:
        cancelled = {target for bouncer in bouncers if (target := target_of(bouncer, taken)) is not None}
    else:
        cancelled = set(sorted(numerals, key=_number, reverse=True)[: len(bouncers)])
    uncancelled = sum(_number(card) for card in numerals if card not in cancelled)
    return uncancelled + IDLE_BOUNCER * (len(bouncers) - len(cancelled))


def target_of(bouncer: str, taken: tuple[str, ...]) -> str | None:
    """The one numeral that a special bouncer can cancel: the king the highest won, the jack the lowest, and the queen
    the card won just before her."""
    numerals = [card for card in taken if card[0] in NUMERALS]
    match bouncer[0]:
        case "K":
            return max(numerals, key=_number, default=None)
        case "J":
            return min(numerals, key=_number, default=None)
        case _:
            before = taken[: taken.index(bouncer)]
            return before[-1] if before and before[-1] in numerals else None


def _number(card: str) -> int:
    return NUMERALS[card[0]]
