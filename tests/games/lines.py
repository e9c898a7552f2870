"""Lines of a log for any game: what may come next, what may go wrong, and whole matches played out."""

import random
from collections.abc import Sequence

from hypothesis import strategies as st

from calibration.layout import Layout
from referee.events import event_from_json, header_from_json
from referee.games.game import Game
from referee.match import Match, Standing
from tests.games.play import BOARD, COLOURS, NAMES, NOTE, SEATS, Json, move, placed, removed, ruling, shot

RANKS = "23456789TJQKA"
BALLS = ("orange-small", "orange-medium", "orange-large", "blue")
HOLES = [hole.name for hole in BOARD.holes]
ENDS = [*HOLES, "board", "off", "out", "on_ball"]
PLACES = [*HOLES, "board"]


def match_of(game: Game, **options: object) -> Json:
    """A match of three, which all games can be played by."""
    people = zip(NAMES[:3], SEATS, COLOURS, strict=False)
    players = [{"name": name, "seat": seat, "colours": [colour]} for name, seat, colour in people]
    layout = "test" if game.reads_layout else None
    return {"type": "match", "version": 1, "game": game.name, "layout": layout, "players": players, "options": options}


def begin(game: Game, match: Json | None = None) -> Match:
    """The match before its first event."""
    return Match.of(header_from_json(match or match_of(game)), board_of(game), (), lambda header: board_of(game))


def board_of(game: Game) -> Layout | None:
    return BOARD if game.reads_layout else None


def grown(match: Match, *lines: object) -> Match:
    """The match with these lines more."""
    return match.grown([event_from_json(line) for line in lines])


def next_line(game: Game, standing: Standing, rnd: random.Random) -> Json:
    """Something that may come next: mostly what is expected, of whom it is expected."""
    due = standing.expected.players or standing.header.names
    place = standing.header.names.index(rnd.choice(due))
    if standing.expected.choices and (standing.expected.action == "choose" or rnd.random() < 0.3):
        choice = rnd.choice(standing.expected.choices)
        targets = {"targets": rnd.sample(range(2, 10), 2)} if choice == "targets" and rnd.random() < 0.5 else {}
        return {"type": "decision", "player": NAMES[place], "choice": choice, **targets}
    match standing.expected.action:
        case "tap":
            return {"type": "tap", "standing": rnd.randrange(11), "direct_touch": rnd.random() < 0.1}
        case "turn_up":
            return {"type": "point_card", "card": rnd.choice(RANKS) + "H"}
        case "play":
            return {"type": "card", "card": rnd.choice(RANKS) + rnd.choice("SDC"), "seat": SEATS[place]}
        case _:
            # Also somebody else's ball, which whoever was given it holds.
            colour = rnd.choice([COLOURS[place], COLOURS[place], *COLOURS[:3]])
            bounces = rnd.choice([1, 1, 1, 0, 2])
            return shot(colour, rnd.choice(ENDS), bounces, side=SEATS[place], ball=rnd.choice(BALLS))


def accepted(game: Game, match: Match, rnd: random.Random, tries: int = 5_000) -> Match:
    """The match with one line more that the game does not refuse. Of the last cards of a deal only one may be left, out
    of 39 that are tried blindly."""
    for _ in range(tries):
        after = grown(match, next_line(game, match.standing(), rnd))
        if not any(call.call == "refused" for call in after.standing().calls_of(len(after.events))):
            return after
    raise AssertionError(f"nothing that {game.name} expects can be done: {match.standing()}")


def played_out(game: Game, seed: int, most: int = 3000, **options: object) -> Match:
    """A whole match, to its end or for so many lines."""
    rnd = random.Random(seed)
    match = begin(game, match_of(game, **options))
    while match.standing().phase != "finished" and len(match.events) < most:
        match = accepted(game, match, rnd)
    return match


COLOUR = st.sampled_from([*COLOURS[:3], "purple"])
MOVES = st.lists(st.builds(move, COLOUR, st.sampled_from(PLACES), st.sampled_from([*PLACES, None])), max_size=2)
NAMED = st.sampled_from([None, None, *NAMES[:3], "Zed"])
CARD = st.builds("".join, st.tuples(st.sampled_from(RANKS), st.sampled_from("SHDC")))
ANY_EVENT = st.one_of(
    st.builds(
        shot,
        COLOUR,
        st.sampled_from(ENDS),
        st.sampled_from([0, 1, 1, 2]),
        side=st.sampled_from([None, *SEATS]),
        moved=st.just([]) | MOVES,
        player=NAMED,
        ball=st.sampled_from(BALLS),
    ),
    st.builds(lambda balls: removed(*balls), st.lists(st.tuples(COLOUR, st.sampled_from(PLACES)), max_size=2)),
    st.builds(lambda balls: placed(*balls), st.lists(st.tuples(COLOUR, st.sampled_from(PLACES)), max_size=2)),
    st.fixed_dictionaries(
        {"type": st.just("tap"), "standing": st.integers(0, 11), "direct_touch": st.booleans(), "player": NAMED}
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("rack"),
            "standing": st.integers(0, 11),
            "problems": st.sampled_from([[], ["touching 3 4"]]),
        }
    ),
    st.fixed_dictionaries({"type": st.just("point_card"), "card": CARD}),
    st.fixed_dictionaries({"type": st.just("card"), "card": CARD, "seat": st.sampled_from(SEATS)}),
    st.fixed_dictionaries(
        {
            "type": st.just("decision"),
            "player": NAMED,
            "choice": st.sampled_from(["raise", "stop", "stand", "strike", "targets", "ready"]),
            "targets": st.lists(st.integers(1, 10), max_size=3),
        }
    ),
)
ODD = st.sampled_from(
    [
        NOTE,
        5,
        {"type": "shot"},
        {"type": "seen.hand"},
        {"type": "tap"},
        {"type": "card", "card": "1X"},
        {"type": "match", "version": 1},
    ]
)


@st.composite
def logs(draw: st.DrawFn, /, game: Game, *, rulings: bool = True, most: int = 20, **options: object) -> list[object]:
    """The lines of a log: mostly what is expected, with all sorts of other lines between."""
    rnd = random.Random(draw(st.integers(0, 2**32)))
    match, lines = begin(game, match_of(game, **options)), list[object]()
    for _ in range(draw(st.integers(0, most))):
        kind = draw(st.integers(0, 9))
        if kind < 7:
            line: object = next_line(game, match.standing(), rnd)
        elif kind < 9 or not rulings or not lines:
            line = draw(ANY_EVENT | ODD)
        else:
            line = ruling(draw(st.integers(0, len(lines))), draw(ANY_EVENT | st.none() | st.just(NOTE)))
        lines.append(line)
        match = grown(match, line)
    return lines


def with_one(lines: Sequence[object], line: int, other: object) -> list[object]:
    """The lines with another one in place of one of them, counted from 1."""
    return [*lines[: line - 1], other, *lines[line:]]
