"""Who sits where, for games that tell their players apart by it."""

from referee.errors import BadHeader
from referee.events import Header


def check_seats(header: Header) -> None:
    """Every player needs a seat, and no two the same one. Raises BadHeader."""
    for player in header.players:
        if player.seat is None:
            raise BadHeader(f"{player.name} has no seat", "match header", "write south, west, north or east under seat")
    if len({player.seat for player in header.players}) < len(header.players):
        raise BadHeader("two players have the same seat", "match header", "give each player a seat of their own")
