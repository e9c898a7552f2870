"""The card table: the trick as it lies before the players, the point card, and what the deals have cost."""

from dataclasses import dataclass

from referee.counted import counted
from referee.games.bouncers import TRICKS, BouncersDetail
from referee.match import Standing
from web.trays import Token, card_token


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceAtTable:
    """``card``: what the player has played to the trick."""

    name: str
    seat: str
    card: Token | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTable:
    """``upcoming``: the point cards after the current one; ``deals``: what each finished deal cost each player."""

    places: tuple[PlaceAtTable, ...]
    point_card: Token | None
    upcoming: tuple[Token, ...]
    names: tuple[str, ...]
    deals: tuple[tuple[int, ...], ...]
    progress: str
    words: str


def lay_cards(standing: Standing) -> CardTable | None:
    """The table of a card game, None for others."""
    detail = standing.detail
    if not isinstance(detail, BouncersDetail):
        return None
    played = dict(detail.trick)
    places = tuple(
        PlaceAtTable(
            name=player.name,
            seat=player.seat or "",
            card=card_token(played[player.name]) if player.name in played else None,
        )
        for player in standing.header.players
    )
    said = [f"{place.name} has played the {place.card.words}" for place in places if place.card is not None]
    point_card = card_token(detail.point_card) if detail.point_card is not None else None
    said.insert(0, f"Point card: {point_card.words}" if point_card is not None else "No point card lies open")
    return CardTable(
        places=places,
        point_card=point_card,
        upcoming=tuple(map(card_token, (detail.upcoming or ())[1:])),
        names=detail.names,
        deals=detail.deal_scores,
        progress=_progress(detail, standing.phase),
        words=". ".join(said),
    )


def _progress(detail: BouncersDetail, phase: str) -> str:
    deals = len(detail.deal_scores)
    if phase == "finished":
        return f"After {counted(deals, 'deal')}"
    trick = min(sum(map(len, detail.taken)) + 1, TRICKS)
    return f"Deal {deals + 1}, trick {trick} of {TRICKS}"
