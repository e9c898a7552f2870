"""Head to head: how often two met, and who was ahead."""

from collections.abc import Iterable
from dataclasses import dataclass

from referee.stats.ends import End


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """One player's finished matches with another. ``level``: a shared win, or nobody won.

    ``matches`` is more than won, lost and level together where a third one won.
    """

    other: str
    matches: int
    won: int
    lost: int
    level: int


def duels_of(player: str, ends: Iterable[End]) -> tuple[Duel, ...]:
    """With everybody whom a player met, most often met first."""
    met = [end for end in ends if player in end.players]
    others = {other for end in met for other in end.players if other != player}
    duels = (_duel(player, other, [end for end in met if other in end.players]) for other in others)
    return tuple(sorted(duels, key=lambda duel: (-duel.matches, duel.other)))


def _duel(player: str, other: str, ends: list[End]) -> Duel:
    return Duel(
        other=other,
        matches=len(ends),
        won=sum(end.beat(player, other) for end in ends),
        lost=sum(end.beat(other, player) for end in ends),
        level=sum(end.is_level(player, other) for end in ends),
    )
