"""Bouncers: who wins a trick has to take its point card; bouncers undo the worst of them, or are the worst."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from calibration.layout import Layout
from referee.errors import BadHeader
from referee.events import Card, Event, Header, PointCard, Seat
from referee.games.game import Call, Expected, Game, Outcome, Refused, Step
from referee.games.options import count_option, flag_option, player_option
from referee.games.point_cards import cost_of
from referee.games.seats import check_seats

PLAYERS: Final = 3
TRICKS: Final = 13
RANKS: Final = "23456789TJQKA"
"""In tricks, the lowest first."""
POINT_SUIT: Final = "H"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What the header settles for the whole match. Players are meant by their place in the turn order."""

    names: tuple[str, ...]
    seats: tuple[Seat | None, ...]
    target: int
    shows_upcoming: bool
    has_special_bouncers: bool

    def left_of(self, player: int) -> int:
        return (player + 1) % PLAYERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A card in a trick, and who played it."""

    player: int
    card: str


Trick = tuple[Played, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """One deal as far as it has come.

    ``leader``: of the running trick; ``turned_up``: point cards that nobody has won yet, the current one first;
    ``taken``: each player's point cards in the order of winning them; ``tricks``: those that are won;
    ``trick``: the running one.
    """

    dealer: int
    leader: int
    turned_up: tuple[str, ...] = ()
    taken: tuple[tuple[str, ...], ...] = ((),) * PLAYERS
    tricks: tuple[Trick, ...] = ()
    trick: Trick = ()

    @property
    def turn(self) -> int:
        return (self.leader + len(self.trick)) % PLAYERS

    @property
    def point_card(self) -> str | None:
        return self.turned_up[0] if self.turned_up else None

    def has_seen(self, card: str) -> bool:
        """Whether a card was already used in this deal."""
        played = {played.card for trick in (*self.tricks, self.trick) for played in trick}
        return card in played.union(self.turned_up, *self.taken)

    def with_card(self, played: Played, point_card: str) -> "Deal":
        """The deal after a card; the third one gives the point card to whoever wins the trick."""
        trick = (*self.trick, played)
        if len(trick) < PLAYERS:
            return replace(self, trick=trick)
        winner = winner_of(trick)
        taken = tuple((*cards, point_card) if player == winner else cards for player, cards in enumerate(self.taken))
        tricks = (*self.tricks, trick)
        return replace(self, leader=winner, turned_up=self.turned_up[1:], taken=taken, tricks=tricks, trick=())

    def reneges(self, played: Played) -> tuple[int, ...]:
        """The numbers of the tricks that this card is the first to show its player could have followed and did not."""
        unfollowed: list[int] = []
        for number, trick in enumerate(self.tricks, start=1):
            own = next(earlier.card for earlier in trick if earlier.player == played.player)
            if suit_of(own) == suit_of(played.card):
                unfollowed.clear()  # that card has shown them already
            elif suit_of(trick[0].card) == suit_of(played.card):
                unfollowed.append(number)
        return tuple(unfollowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class BouncersDetail:
    """The running deal, and what the finished ones cost, by the players' names.

    ``upcoming``: the point cards that lie in a row, the current one first; None when they come one by one.
    """

    names: tuple[str, ...]
    taken: tuple[tuple[str, ...], ...]
    deal_scores: tuple[tuple[int, ...], ...]
    tentative: tuple[int, ...]
    trick: tuple[tuple[str, str], ...]
    point_card: str | None
    upcoming: tuple[str, ...] | None

    def to_json(self) -> dict[str, object]:
        return {
            "taken": {name: list(cards) for name, cards in zip(self.names, self.taken, strict=True)},
            "deal_scores": [dict(zip(self.names, scores, strict=True)) for scores in self.deal_scores],
            "tentative": dict(zip(self.names, self.tentative, strict=True)),
            "trick": [{"player": name, "card": card} for name, card in self.trick],
            "point_card": self.point_card,
            "upcoming": None if self.upcoming is None else list(self.upcoming),
        }

    def to_words(self) -> tuple[str, ...]:
        so_far = zip(self.names, self.taken, self.tentative, strict=True)
        lines = {
            "Point card": self.point_card or "",
            "Upcoming": " ".join(self.upcoming or ()),
            "In the trick": ", ".join(f"{name} {card}" for name, card in self.trick),
            "Taken": ", ".join(f"{name} {' '.join(cards)} ({cost})" for name, cards, cost in so_far if cards),
        }
        return tuple(f"{what}: {which}" for what, which in lines.items() if which)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bouncers:
    """A moment of a match. ``deal_scores``: what each finished deal cost each player; ``winners``: () until the end."""

    setup: Setup
    deal: Deal
    deal_scores: tuple[tuple[int, ...], ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(sum(scores[player] for scores in self.deal_scores) for player in range(PLAYERS))

    @property
    def tentative(self) -> tuple[int, ...]:
        """What the running deal would cost if it ended now."""
        return tuple(cost_of(cards, are_special=self.setup.has_special_bouncers) for cards in self.deal.taken)

    def apply(self, event: Event) -> Step:
        match event:
            case PointCard():
                return Step(state=self._turn_up(event.card))
            case Card():
                return self._play(event)
            case _:
                return Step(state=self)

    def outcome(self) -> Outcome:
        names, deal = self.setup.names, self.deal
        return Outcome(
            phase="finished" if self.winners else "playing",
            turn=None if self.winners else names[deal.turn],
            scores=tuple(zip(names, self.totals, strict=True)),
            winners=tuple(names[player] for player in self.winners),
            detail=BouncersDetail(
                names=names,
                taken=deal.taken,
                deal_scores=self.deal_scores,
                tentative=self.tentative,
                trick=tuple((names[played.player], played.card) for played in deal.trick),
                point_card=deal.point_card,
                upcoming=deal.turned_up if self.setup.shows_upcoming else None,
            ),
        )

    def expected(self) -> Expected:
        if self.winners:
            return Expected(players=(), action="nothing")
        turn = (self.setup.names[self.deal.turn],)
        return Expected(players=turn, action="play" if self.deal.turned_up else "turn_up")

    def _turn_up(self, card: str) -> "Bouncers":
        if self.winners:
            raise Refused("game_over")
        lies_open = bool(self.deal.turned_up) and not self.setup.shows_upcoming
        if lies_open or suit_of(card) != POINT_SUIT or self.deal.has_seen(card):
            raise Refused("impossible")
        return replace(self, deal=replace(self.deal, turned_up=(*self.deal.turned_up, card)))

    def _play(self, event: Card) -> Step:
        setup, deal = self.setup, self.deal
        if event.seat not in setup.seats:
            raise Refused("bad_event")
        if self.winners:
            raise Refused("game_over")
        played = Played(player=setup.seats.index(event.seat), card=event.card)
        if played.player != deal.turn:
            raise Refused("out_of_turn")
        if deal.point_card is None:
            raise Refused("no_point_card")
        if suit_of(played.card) == POINT_SUIT or deal.has_seen(played.card):
            raise Refused("impossible")
        after = replace(self, deal=deal.with_card(played, deal.point_card))
        calls = tuple(self._card_calls(played, after.deal))
        if len(after.deal.tricks) < TRICKS:
            return Step(state=after, calls=calls)
        end = after._end_of_deal()
        return Step(state=end.state, calls=(*calls, *end.calls))

    def _card_calls(self, played: Played, after: Deal) -> Iterator[Call]:
        names, before = self.setup.names, self.deal
        if not after.trick:
            yield Call(player=names[after.leader], call="trick", reason=before.point_card)
        for number in before.reneges(played):
            yield Call(player=names[played.player], call="renege", reason=f"{number},{len(before.tricks) + 1}")

    def _end_of_deal(self) -> Step:
        """All tricks are won: count the point cards, and deal again unless somebody has reached the target."""
        setup, scores = self.setup, self.tentative
        after = replace(self, deal_scores=(*self.deal_scores, scores))
        calls = [
            Call(player=name, call="score", points=points) for name, points in zip(setup.names, scores, strict=True)
        ]
        totals = after.totals
        if max(totals) >= setup.target:
            winners = tuple(player for player in range(PLAYERS) if totals[player] == min(totals))
            calls += [Call(player=setup.names[player], call="win") for player in winners]
            return Step(state=replace(after, winners=winners), calls=tuple(calls))
        following = dealt_by(setup, setup.left_of(self.deal.dealer))
        number = str(len(after.deal_scores) + 1)
        calls.append(Call(player=setup.names[following.leader], call="round", reason=number))
        return Step(state=replace(after, deal=following), calls=tuple(calls))


def suit_of(card: str) -> str:
    return card[1]


def winner_of(trick: Trick) -> int:
    """The highest rank of any suit takes the trick; of equal ranks the one played last."""
    return max(reversed(trick), key=lambda played: RANKS.index(played.card[0])).player


def dealt_by(setup: Setup, dealer: int) -> Deal:
    """A deal before its first trick, which the player on the dealer's left leads."""
    return Deal(dealer=dealer, leader=setup.left_of(dealer))


def start(header: Header, layout: Layout | None) -> Bouncers:
    """The first moment of a match. Raises BadHeader."""
    if len(header.players) != PLAYERS:
        raise BadHeader(f"Bouncers is for 3 players, not {len(header.players)}", "match header", "change players")
    check_seats(header)
    setup = Setup(
        names=header.names,
        seats=tuple(player.seat for player in header.players),
        target=count_option(header, "target", 100),
        shows_upcoming=flag_option(header, "show_upcoming", False),
        has_special_bouncers=flag_option(header, "special_bouncers", False),
    )
    dealer = player_option(header, "dealer")
    return Bouncers(setup=setup, deal=dealt_by(setup, PLAYERS - 1 if dealer is None else dealer))


GAME: Final = Game(
    name="bouncers",
    title="Bouncers",
    uses=frozenset({"point_card", "card"}),
    reads_layout=False,
    choices=frozenset(),
    start=start,
)
