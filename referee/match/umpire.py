"""Who takes one event after the other through a game, and refuses what can't be used."""

from dataclasses import dataclass

from calibration.layout import Layout
from referee.events import BadEvent, Card, Decision, Event, Header, Shot, Tap, type_of
from referee.games import find_game
from referee.games.game import Call, Game, Refused, State, Step

ALWAYS_READ = frozenset({"", "match", "ruling", "decision"})
"""What every game reads, or refuses: "" is a line without a type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Umpire:
    """Takes the events of a match under one header; ``start`` is the state before the first of them."""

    header: Header
    layout: Layout | None
    game: Game
    start: State

    @classmethod
    def of(cls, header: Header, layout: Layout | None) -> "Umpire":
        """Raises BadHeader for a header that no match can start with."""
        game = find_game(header.game)
        return cls(header=header, layout=layout, game=game, start=game.start(header, layout))

    def take(self, state: State, event: Event) -> Step:
        """One event; what can't be used gives a call and changes nothing."""
        try:
            return state.apply(event) if self._concerns(event) else Step(state=state)
        except Refused as refusal:
            player = self._named(event) or state.outcome().turn
            return Step(state=state, calls=(Call(player=player, call="refused", reason=str(refusal)),))

    def _concerns(self, event: Event) -> bool:
        """Whether the game has a use for an event; refuses those that nothing can be made of."""
        game, names = self.game, self.header.names
        kind = type_of(event)
        match event:
            case BadEvent() if kind in ALWAYS_READ | game.uses:
                raise Refused("bad_event")
            case Decision():
                if event.player not in names or event.choice not in {"ready", *game.choices}:
                    raise Refused("bad_event")
                return event.choice != "ready"
            case Shot() | Tap() if kind in game.uses and event.player not in (None, *names):
                raise Refused("bad_event")
            case _:
                return kind in game.uses

    def _named(self, event: Event) -> str | None:
        """The player whom an event names: a card by the seat it was played from, all others by name."""
        match event:
            case Card(seat=seat) | BadEvent(seat=seat) if seat is not None:
                return next((player.name for player in self.header.players if player.seat == seat), None)
            case Shot() | Tap() | Decision() | BadEvent():
                return event.player if event.player in self.header.names else None
            case _:
                return None
