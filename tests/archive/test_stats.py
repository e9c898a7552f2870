"""Statistics: who threw what, counted by hand; and what must hold of any matches."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.catalogue import Catalogue
from referee.errors import BadLog
from referee.events import Event, Note, Ruling, SeenBounce, Shot, Tap, event_from_json
from referee.log import layout_of, read_log
from referee.match import Match
from referee.stats.deeds import Deeds, Foul, Throw, board_name, tell_deeds
from referee.stats.duels import Duel, duels_of
from referee.stats.ends import End
from referee.stats.heat import HeatMap, Spot, heat_maps
from referee.stats.rating import Rating, ratings_of
from referee.stats.reading import read_played
from referee.stats.record import Record, names_in, records_of
from tests.archive.matches import ANN_AND_BOB, drop, header, play, whole_match
from tests.ending import Referee
from tests.games.play import BOARD, removed, shot, start
from tests.games.play import header as game_header
from tests.live.scene import throw

GOLDEN = sorted((Path(__file__).parents[1] / "games" / "golden").glob("*.jsonl"))
# Calls about a throw or tap that only its own player can get.
OWN_CALLS = {"foul", "score", "row", "hit", "miss", "raise", "take", "nice_shot", "strike", "penalty"}


def deeds_in(head: dict[str, Any], *events: object) -> Deeds:
    match = Match.of(start(head), BOARD, [event_from_json(event) for event in events])
    return tell_deeds(match, "test")


def throws_in(head: dict[str, Any], *events: object) -> list[tuple[str, bool, str | None]]:
    return [(one.player, one.is_hit, one.hole) for one in deeds_in(head, *events).throws]


def bounce(t_s: float | None, x_mm: float, y_mm: float, **more: object) -> dict[str, object]:
    at = {} if t_s is None else {"t": t_s, "t_end": t_s}
    return {
        "type": "seen.bounce",
        "colour": "red",
        "surface": "table",
        "mm": [x_mm, y_mm],
        "px": [1, 2],
        **at,
        **more,
    }


def first_bounces(*events: object, **options: Any) -> list[tuple[float, float] | None]:
    return [one.bounce_mm for one in deeds_in(game_header(**options), *events).throws]


def test_throws_belong_to_whose_turn_it_is() -> None:
    assert throws_in(game_header(starter="Bob"), shot("blue", "A1"), shot("red", "B2"), shot("blue", "board")) == [
        ("Bob", True, "A1"),
        ("Ann", True, "B2"),
        ("Bob", False, None),
    ]


def test_throws_of_the_opening_belong_to_their_colours() -> None:
    assert throws_in(game_header(3), shot("green", "A1"), shot("red", "off"), shot("blue", "B2")) == [
        ("Cem", True, "A1"),
        ("Ann", False, None),
        ("Bob", True, "B2"),
    ]


def test_a_foul_into_a_hole_is_no_hit() -> None:
    deeds = deeds_in(game_header(starter="Ann"), shot("red", "A1", bounces=2), shot("blue", "B2", bounces=0))
    assert deeds.throws == (Throw(player="Ann", is_hit=False), Throw(player="Bob", is_hit=False))
    assert deeds.fouls == (Foul(player="Ann", kind="double_bounce"), Foul(player="Bob", kind="no_bounce"))
    assert deeds.balls_lost == ("Ann", "Bob")


def test_what_was_refused_is_nobodys_throw() -> None:
    out_of_turn = shot("blue", "A1")
    assert throws_in(game_header(starter="Ann"), out_of_turn, shot("red", "B2"), shot("pink", "C3")) == [
        ("Ann", True, "B2")
    ]


def test_a_throw_that_says_the_one_before_stands_is_the_throwers_own() -> None:
    head = game_header(game="bounce-21") | {"game": "bounce-21", "options": {"starter": "Ann"}}
    first_turns = [shot("red", "A1"), shot("red", "A2"), shot("blue", "B1"), shot("blue", "B2")]
    stands = deeds_in(head, *first_turns, shot("blue", "C3"))
    assert [one.player for one in stands.throws] == ["Ann", "Ann", "Bob", "Bob", "Bob"]
    says = {"type": "decision", "player": "Ann", "choice": "stand"}
    assert [one.player for one in deeds_in(head, *first_turns, says, shot("blue", "C3")).throws][-1] == "Bob"


def test_pins_are_hit_by_nice_shots_and_strikes() -> None:
    head = {
        "type": "match",
        "version": 1,
        "game": "wonder-bowling",
        "players": [{"name": "Ann"}, {"name": "Bob"}],
        "options": {"targets": {"Ann": [7, 8], "Bob": [3, 4]}, "penalty_chips": [2, 5, 6, 9, 2, 3]},
    }
    taps = [
        {"type": "tap", "standing": 7},  # Ann: nice shot
        {"type": "tap", "standing": 7},  # Bob fells nothing, and may try again
        {"type": "tap", "standing": 6},  # Bob: no number of his
        {"type": "tap", "standing": 5, "direct_touch": True},  # Ann: a penalty
        {"type": "tap", "standing": 1},  # Bob: strike
    ]
    deeds = deeds_in(head, *taps)
    assert [(one.player, one.is_hit) for one in deeds.throws] == [
        ("Ann", True),
        ("Bob", False),
        ("Bob", False),
        ("Ann", False),
        ("Bob", True),
    ]
    assert deeds.fouls == (Foul(player="Ann", kind="direct_touch"),)


def test_boxes_are_hit_by_what_the_game_calls_a_hit() -> None:
    head = {"type": "match", "version": 1, "game": "bounce-it", "players": [{"name": "Ann"}, {"name": "Bob"}]}
    hole = {"place": "hole", "hole": "A1"}
    events = [
        {"type": "shot", "ball": "orange-small", "table_bounces": 2, "result": hole},
        {"type": "shot", "ball": "orange-large", "table_bounces": 1, "result": hole},
    ]
    assert throws_in(head, *events) == [("Ann", False, None), ("Ann", True, "A1")]


def test_the_first_touch_of_the_table_is_where_a_throw_bounced() -> None:
    assert first_bounces(
        bounce(1.2, 10, -300),
        bounce(1.4, 12, -200),
        bounce(1.5, 0, 0, surface="board"),
        shot("red", "A1", t=1.0, t_end=2.0),
        starter="Ann",
    ) == [(10, -300)]


@pytest.mark.parametrize(
    "seen",
    [
        bounce(1.2, 10, -300, colour="blue"),
        bounce(0.5, 10, -300),
        bounce(2.5, 10, -300),
        bounce(1.2, 10, -300, surface="ball"),
        {**bounce(1.2, 10, -300), "mm": None},
    ],
)
def test_what_was_seen_of_something_else_is_not_taken_for_it(seen: dict[str, object]) -> None:
    assert first_bounces(seen, shot("red", "A1", t=1.0, t_end=2.0), starter="Ann") == [None]


def test_a_ball_of_unknown_colour_is_the_one_that_flies() -> None:
    seen = bounce(1.2, 10, -300, colour=None)
    assert first_bounces(seen, shot("red", "A1", t=1.0, t_end=2.0), starter="Ann") == [(10, -300)]


def test_without_times_what_came_since_the_last_throw_belongs_to_the_next() -> None:
    head = game_header(starter="Ann")
    events = [bounce(None, 1, 2), shot("red", "A1"), bounce(None, 3, 4, colour=None), shot("blue", "B2")]
    assert [one.bounce_mm for one in deeds_in(head, *events).throws] == [(1, 2), (3, 4)]


def test_throws_that_overlap_keep_their_own_bounces() -> None:
    events = [
        bounce(1.2, 10, -300),
        bounce(1.3, 20, 300, colour="blue"),
        shot("red", "A1", t=1.0, t_end=2.0),
        shot("blue", "B2", t=1.1, t_end=2.1),
    ]
    assert first_bounces(*events) == [(10, -300), (20, 300)]


def test_heat_maps_count_holes_and_squares() -> None:
    def one(player: str, hole: str | None, x_mm: float, y_mm: float) -> Throw:
        return Throw(player=player, is_hit=hole is not None, hole=hole, bounce_mm=(x_mm, y_mm))

    throws = (one("Ann", "A1", 0, -0.1), one("Ann", "A1", 49.9, -50), one("Ann", None, 50, 0), one("Bob", "B2", 0, 0))
    deeds = Deeds(board="grid-7x7", throws=throws, fouls=(), balls_lost=(), tricks=())
    assert heat_maps([deeds], "Ann") == (
        HeatMap(
            board="grid-7x7",
            holes=(("A1", 2),),
            spots=(Spot(x_mm=25, y_mm=-25, count=2), Spot(x_mm=75, y_mm=25, count=1)),
        ),
    )
    both = heat_maps([deeds, replace(deeds, board="octagon")])
    assert [heat.board for heat in both] == ["grid-7x7", "octagon"]
    assert sum(spot.count for spot in both[0].spots) == 4
    assert heat_maps([deeds], "Cem") == ()


def test_a_corrected_log_is_what_counts() -> None:
    wrong = shot("red", "A1", bounces=2)
    right = {"type": "ruling", "event": 1, "replace": shot("red", "B2"), "by": "Eve"}
    struck = {"type": "ruling", "event": 1, "replace": None, "by": "Eve"}
    head = game_header(starter="Ann")
    assert throws_in(head, wrong, right) == [("Ann", True, "B2")]
    assert deeds_in(head, wrong, right).fouls == ()
    assert throws_in(head, wrong, struck) == []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_throw_of_a_whole_match_is_somebodys(path: Path) -> None:
    """In every game: as many as were accepted, all of them players' own, and none of them both hit and foul."""
    log = read_log(path)
    find_layout = partial(layout_of, folder=path.parent)
    layout = find_layout(log.header)
    match = Match.of(log.header, layout, log.events, find_layout)
    deeds = tell_deeds(match, board_name(match, find_layout))
    refused = {call.event for call in match.calls if call.call == "refused"}
    uses = match.umpire.game.uses
    accepted = [
        line
        for line in range(1, len(match.log) + 1)
        if line not in refused
        and isinstance(event := match.log[line], Shot | Tap)
        and ("shot" if isinstance(event, Shot) else "tap") in uses
    ]
    assert len(deeds.throws) == len(accepted)
    assert {one.player for one in deeds.throws} <= set(match.umpire.header.names)
    callers = {
        line: {call.player for call in match.standing().calls_of(line) if call.call in OWN_CALLS} for line in accepted
    }
    for line, one in zip(accepted, deeds.throws, strict=True):
        assert callers[line] <= {one.player}
        assert (one.hole is None) or one.is_hit
        fouls = {call.call for call in match.standing().calls_of(line)} & {"foul", "penalty", "miss"}
        assert not (fouls and one.is_hit)


def test_duels_count_who_was_ahead() -> None:
    ends = (
        End(game="hit-66", players=("Ann", "Bob"), winners=("Ann",)),
        End(game="hit-66", players=("Ann", "Bob", "Cem"), winners=("Bob",)),
        End(game="hit-66", players=("Ann", "Bob", "Cem"), winners=("Cem",)),
        End(game="hit-66", players=("Bob", "Ann"), winners=("Ann", "Bob")),
        End(game="bounce-21", players=("Bob", "Ann"), winners=()),
        End(game="bounce-21", players=("Bob", "Cem"), winners=("Bob",)),
    )
    assert duels_of("Ann", ends) == (
        Duel(other="Bob", matches=5, won=1, lost=1, level=2),
        Duel(other="Cem", matches=2, won=0, lost=1, level=0),
    )
    assert duels_of("Nobody", ends) == ()


people = st.lists(st.sampled_from(["Ann", "Bob", "Cem", "Dot"]), min_size=1, max_size=4, unique=True)
all_ends = st.lists(
    people.flatmap(
        lambda names: st.builds(
            End,
            game=st.sampled_from(["hit-66", "bouncers"]),
            players=st.just(tuple(names)),
            winners=st.lists(st.sampled_from(names), unique=True).map(tuple),
        )
    ),
    max_size=8,
)


@given(all_ends)
def test_what_one_has_won_the_other_has_lost(ends: Sequence[End]) -> None:
    for player in ("Ann", "Bob"):
        for duel in duels_of(player, ends):
            (mirror,) = (other for other in duels_of(duel.other, ends) if other.other == player)
            assert (mirror.matches, mirror.won, mirror.lost, mirror.level) == (
                duel.matches,
                duel.lost,
                duel.won,
                duel.level,
            )
            assert duel.won + duel.lost + duel.level <= duel.matches


@given(all_ends)
def test_ratings_rest_on_matches_and_get_surer(ends: Sequence[End]) -> None:
    ratings = ratings_of(ends)
    for player, rating in ratings.items():
        assert rating.matches == sum(player in end.players for end in ends if len(end.players) > 1)
        assert 0 < rating.spread < 25 / 3 + 0.1
    assert ratings_of(ends) == ratings, "the same matches give the same ratings"


@given(all_ends.filter(bool))
def test_winning_raises_and_losing_lowers_a_rating(ends: Sequence[End]) -> None:
    last = ends[-1]
    before, after = ratings_of(ends[:-1]), ratings_of(ends)
    for player in last.players if 0 < len(last.winners) < len(last.players) else ():
        was = before[player].mean if player in before else 25.0
        if len(last.winners) == 1 and player in last.winners:
            assert after[player].mean > was
        if len(last.players) == 2 and player not in last.winners:
            assert after[player].mean < was


def test_everybody_begins_alike_and_a_draw_between_equals_changes_nothing() -> None:
    draw = End(game="bounce-21", players=("Ann", "Bob"), winners=())
    ratings = ratings_of([draw])
    assert ratings["Ann"] == ratings["Bob"]
    assert ratings["Ann"].mean == pytest.approx(25.0)
    assert Rating(mean=25, spread=25 / 3, matches=0).sure == pytest.approx(0.0)
    assert ratings_of([End(game="hit-66", players=("Ann",), winners=("Ann",))]) == {}


def test_ratings_are_those_of_the_published_model() -> None:
    """Weng and Lin, Algorithm 4 with two players of 25 and 25/3, after the variance has grown by (25/300)^2."""
    ratings = ratings_of([End(game="hit-66", players=("Ann", "Bob"), winners=("Bob",))])
    variance, beta = (25 / 3) ** 2 + (25 / 300) ** 2, 25 / 6
    c = (2 * variance + 2 * beta**2) ** 0.5
    assert ratings["Bob"].mean == pytest.approx(25 + variance / c * 0.5)
    assert ratings["Ann"].mean == pytest.approx(25 - variance / c * 0.5)


def read(catalogue: Catalogue) -> tuple[Record, ...]:
    entries = catalogue.listing().entries
    names = names_in(entries)
    played = read_played(catalogue.store, entries, names, lambda done: None).played
    return records_of(names, entries, played)


def test_a_record_over_several_matches(catalogue: Catalogue, tmp_path: Path) -> None:
    drop(tmp_path / "data", "20260101-120000-abcd", whole_match())
    drop(tmp_path / "data", "20260102-120000-abcd", whole_match()[:3], header("Bob", "Ann"))
    drop(tmp_path / "data", "20260103-120000-abcd", whole_match()[:1], header("ann", "Bob"))
    records = {record.player: record for record in read(catalogue)}
    assert records.keys() == {"Ann", "Bob", "ann"}
    ann = records["Ann"]
    assert (ann.matches, ann.finished) == (2, 1)
    assert ann.won + records["Bob"].won == 1
    # Of the second match only the first throw counts: red is Bob's there, then it is Ann's turn, who has blue.
    assert (ann.shots, ann.hits) == (7, 7)
    assert records["Bob"].shots == 6 + 2
    assert records["ann"].shots == 1
    assert [(duel.other, duel.matches) for duel in ann.duels] == [("Bob", 1)]
    assert ann.games[0].game == "bounce-em-all"
    assert records["ann"].rating is None
    assert list(records)[-1] == "ann", "who was never rated comes last"
    assert dict(ann.heat[0].holes)["A1"] == 1


@settings(deadline=None, max_examples=25)
@given(events=st.lists(st.sampled_from([*whole_match(), Note(text="x")]), min_size=1, max_size=12), data=st.data())
def test_striking_a_throw_counts_as_never_having_had_it(events: list[Event], data: st.DataObject) -> None:
    line = data.draw(st.integers(1, len(events)))
    struck = [*events, Ruling(event=line, replace=None)]
    never = [*events[: line - 1], Note(text="nothing"), *events[line:]]
    head, board = ANN_AND_BOB, layout_of(ANN_AND_BOB, Path())
    assert tell_deeds(Match.of(head, board, struck), "x") == tell_deeds(Match.of(head, board, never), "x")


def test_a_ball_taken_off_by_hand_is_no_throw() -> None:
    assert throws_in(game_header(starter="Ann"), shot("red", "A1"), removed(("red", "A1"))) == [("Ann", True, "A1")]


def test_the_table_of_everybody(referee: Referee, catalogue: Catalogue, tmp_path: Path) -> None:
    assert "no matches are stored" in referee("stats").output
    play(catalogue.store, whole_match())
    broken = drop(tmp_path / "data", "20260102-120000-abcd")
    (broken / "events.jsonl").write_text("nothing\n")
    ending = referee("stats")
    assert ending.status == 0
    assert [line.split()[0] for line in ending.output.splitlines()] == ["player", "Ann", "Bob"] or [
        line.split()[0] for line in ending.output.splitlines()
    ] == ["player", "Bob", "Ann"]
    assert "6 (100%)" in ending.output
    assert len(ending.complaints) == 1
    assert "20260102-120000-abcd is left out" in ending.complaints[0]


def test_all_about_one(referee: Referee, catalogue: Catalogue) -> None:
    play(catalogue.store, [*whole_match()[:2], replace(throw("red", "C3", 3.0), table_bounces=2)])
    output = referee("stats", "--player", "Ann").output
    assert output.splitlines()[:3] == [
        "Ann: 1 match, 0 finished, 0 won",
        "  shots    2, hits 1 (50%)",
        "  fouls    double bounce 1",
    ]
    assert "Bounce-Em-All: 1 match" in output
    assert "most often on grid-7x7: A1 1" in output
    said = json.loads(referee("stats", "--player", "Ann", "--json").output)
    (ann,) = said["players"]
    assert said["matches"] == 1
    assert (ann["name"], ann["shots"], ann["hits"], ann["fouls"]) == ("Ann", 2, 1, {"double_bounce": 1})
    assert ann["heat"] == [{"board": "grid-7x7", "holes": {"A1": 1}, "bin_mm": 50, "bounces": []}]
    assert ann["rating"] is None
    assert ann["games"]["bounce-em-all"]["matches"] == 1
    assert [player["name"] for player in json.loads(referee("stats", "--json").output)["players"]] == ["Ann", "Bob"]


def test_all_about_one_in_a_game_of_cards_and_one_of_balls(referee: Referee, tmp_path: Path) -> None:
    for number, path in enumerate(GOLDEN):
        if path.stem in ("bouncers", "hit-66-three-players"):
            folder = drop(tmp_path / "data", f"202601{number + 1:02d}-120000-abcd")
            (folder / "events.jsonl").write_bytes(path.read_bytes())
    lines = referee("stats", "--player", "Ann").output.splitlines()
    kinds = [line.split()[0] for line in lines[1:]]
    assert kinds[:5] == ["shots", "fouls", "balls", "tricks", "rating"]
    assert lines[-3:][0].startswith("  against Bob: 2 matches, 0 won, ")
    assert lines[-1].startswith("  most often on ")
    assert any(line.startswith("  Bouncers: 1 match, ") and ", rating " in line for line in lines)


def test_a_board_that_is_not_here_is_no_hindrance_where_nobody_needs_it(tmp_path: Path) -> None:
    head = {
        "type": "match",
        "version": 1,
        "game": "bounce-it",
        "layout": "gone.json",
        "players": [{"name": "Ann"}, {"name": "Bob"}],
    }
    match = Match.of(start(head), None)
    assert board_name(match, partial(layout_of, folder=tmp_path)) == "none"


def test_matches_that_fail_while_they_are_counted_are_left_out(
    referee: Referee, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(catalogue.store, whole_match())
    for error, said in ((ZeroDivisionError(), "its rules failed"), (BadLog("torn"), "left out, torn")):

        def fails(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr("referee.stats.reading.deeds_of", fails)
        ending = referee("stats")
        assert (ending.status, len(ending.complaints)) == (0, 1)
        assert said in ending.complaints[0]


def test_bounces_are_in_the_json(referee: Referee, catalogue: Catalogue) -> None:
    seen = event_from_json(bounce(1.1, -10, -310))
    assert isinstance(seen, SeenBounce)
    play(catalogue.store, [seen, throw("red", "A1", 1.0)])
    (ann,) = json.loads(referee("stats", "--player", "Ann", "--json").output)["players"]
    assert ann["heat"][0]["bounces"] == [{"mm": [-25, -325], "count": 1}]


def test_a_name_that_nobody_has_is_said(referee: Referee, catalogue: Catalogue) -> None:
    play(catalogue.store)
    for name, said in (("ann", "did you mean Ann?"), ("Zoë", "see referee stats for all names")):
        ending = referee("stats", "--player", name)
        assert (ending.status, ending.output, len(ending.complaints)) == (2, "", 1)
        assert said in ending.complaints[0]
