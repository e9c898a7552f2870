"""Throws simulated by the laws of flight, read back from noisy pixels."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.vision import segments, sifting
from referee.vision.ballistics import make_samples
from referee.vision.chain import fit_chains
from referee.vision.contacts import CouldHide
from referee.vision.flight import Flight, read_flights
from referee.vision.footing import level
from referee.vision.ground import Ground
from referee.vision.search import Found, Reading, Search
from referee.vision.segments import Motion, Piece, cut
from referee.vision.stretches import airborne
from referee.vision.told import Told
from referee.vision.touchable import Touchable
from tests.vision.scene import RADIUS_MM, TOP_MM, Throw, Thrown, samples, table, throw

ONE_BOUNCE: Thrown = {"start_mm": (60.0, -420.0, 250.0), "speed_mm_s": (-60.0, 720.0, -1200.0)}
STRAIGHT: Thrown = {"start_mm": (60.0, -420.0, 250.0), "speed_mm_s": (-60.0, 1150.0, 600.0)}
TWO_BOUNCES: Thrown = {"start_mm": (60.0, -420.0, 200.0), "speed_mm_s": (-60.0, 560.0, -200.0)}


def in_plain_view(t_s: float, x_px: float, y_px: float) -> bool:
    return False


def behind_a_hand(t_s: float, x_px: float, y_px: float) -> bool:
    return True


def read(thrown: Throw, *, noise_px: float = 0.4, seed: int = 0, could_hide: CouldHide = in_plain_view) -> Flight:
    scene = table()
    seen = samples(thrown, scene, noise_px=noise_px, seed=seed)
    flight = next(read_flights(seen, scene, RADIUS_MM, could_hide), None)
    assert flight is not None
    return flight


def bounces(thrown: Throw) -> int:
    surfaces = [surface for _, surface, _, _ in thrown.contacts]
    return surfaces.index("board") if "board" in surfaces else len(surfaces)


def test_a_bounce_seen_is_no_rival_of_the_same_one_unseen() -> None:
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=1.1)
    seen = samples(thrown, table(), noise_px=2.0, seed=3)
    first = int(np.searchsorted(seen.t_s, thrown.contacts[0][0])) - 1
    flight = next(read_flights(seen.part(first, len(seen)), table(), RADIUS_MM, in_plain_view))
    assert flight.table_bounces == 1
    assert flight.rival_bounces is None


@pytest.mark.parametrize(("how", "expected"), [(STRAIGHT, 0), (ONE_BOUNCE, 1), (TWO_BOUNCES, 2)])
def test_one_sighting_of_the_hand_elsewhere_before_a_throw_spoils_nothing(how: Thrown, expected: int) -> None:
    scene, thrown = table(), throw(**how, rate_hz=60.0, duration_s=1.1)
    first = int(np.searchsorted(thrown.t_s, thrown.contacts[0][0])) - 4
    ball = np.arange(first, len(thrown.t_s))
    seen = np.concatenate([[first], ball])
    times, is_whole = thrown.t_s[seen], np.arange(len(seen)) > 0
    times[0] -= 2 / 60
    px = scene.camera.to_px(thrown.places_mm[seen])
    px[0] += (80.0, 120.0)
    depth_mm = scene.camera.depth_mm(thrown.places_mm[seen])
    sightings = make_samples(scene.camera, times, px, depth_mm, np.where(is_whole, 0.4, 2.0), is_whole)
    flight = next(read_flights(sightings, scene, RADIUS_MM, in_plain_view))
    assert flight.start_s == pytest.approx(thrown.t_s[first])
    assert flight.table_bounces == expected


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_flight_from_under_the_table_is_no_rival_of_a_bounce(seed: int) -> None:
    # Noisy, and first seen two pictures before the bounce: little tells of it but that no ball comes from down there.
    thrown = throw(**ONE_BOUNCE, rate_hz=120.0, duration_s=1.1)
    seen = samples(thrown, table(), noise_px=2.0, seed=seed)
    first = int(np.searchsorted(seen.t_s, thrown.contacts[0][0])) - 2
    flight = next(read_flights(seen.part(first, len(seen)), table(), RADIUS_MM, in_plain_view))
    assert flight.table_bounces == 1
    assert flight.rival_bounces is None


@pytest.mark.parametrize("rate_hz", [50.0, 100.0])
@pytest.mark.parametrize(("how", "expected"), [(STRAIGHT, 0), (ONE_BOUNCE, 1), (TWO_BOUNCES, 2)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_table_bounces_before_the_board_are_counted(how: Thrown, expected: int, rate_hz: float, seed: int) -> None:
    thrown = throw(**how, rate_hz=rate_hz, duration_s=1.1)
    assert bounces(thrown) == expected
    flight = read(thrown, seed=seed)
    assert flight.table_bounces == expected
    assert flight.touched_board


def test_contacts_are_timed_between_frames_and_placed_in_millimetres() -> None:
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=1.0)
    flight = read(thrown, noise_px=0.3)
    for contact, (t_s, surface, x_mm, y_mm) in zip(flight.contacts[:2], thrown.contacts, strict=False):
        assert contact.surface == surface
        assert contact.t_s == pytest.approx(t_s, abs=0.003)
        assert (contact.x_mm, contact.y_mm) == pytest.approx((x_mm, y_mm), abs=6.0)


def test_a_ball_that_misses_keeps_bouncing_until_it_rolls() -> None:
    thrown = throw(
        start_mm=(-220.0, -400.0, 200.0), speed_mm_s=(-80.0, 250.0, 0.0), rate_hz=60.0, duration_s=2.6, restitution=0.6
    )
    flight = read(thrown)
    assert not flight.touched_board
    # Contacts down to a hop of 0.2 mm: those of an impact above 63 mm/s.
    seen = [contact for contact in flight.contacts if not contact.is_inferred]
    assert len(seen) >= 3
    assert flight.table_bounces == pytest.approx(8, abs=1)


def test_a_bounce_behind_the_hand_is_inferred_from_the_flight_after_it() -> None:
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=1.0)
    bounce_s = thrown.contacts[0][0]
    late = thrown.t_s > bounce_s + 0.06
    hidden = Throw(t_s=thrown.t_s[late], places_mm=thrown.places_mm[late], contacts=thrown.contacts)
    flight = read(hidden, could_hide=behind_a_hand)
    assert flight.table_bounces == 1
    assert flight.contacts[0].is_inferred
    assert flight.contacts[0].t_s == pytest.approx(bounce_s, abs=0.01)
    assert flight.contacts[0].x_mm == pytest.approx(thrown.contacts[0][2], abs=15.0)


def test_a_toss_that_rises_in_plain_view_had_no_bounce() -> None:
    thrown = throw(**STRAIGHT, rate_hz=60.0, duration_s=1.0)
    assert read(thrown).table_bounces == 0
    # With a hand over the table before them the same pixels leave it open.
    hidden = read(thrown, could_hide=behind_a_hand)
    assert hidden.table_bounces == 0
    assert hidden.is_start_open


def test_a_ball_seen_in_the_hand_that_threw_it_did_not_bounce_before() -> None:
    thrown = throw(**STRAIGHT, rate_hz=60.0, duration_s=1.0)
    hand = thrown.places_mm[0] + np.array([60.0, -60.0, 0.0]) * np.arange(8, 0, -1)[:, None] / 8
    held = Throw(
        t_s=np.concatenate([thrown.t_s[0] - np.arange(8, 0, -1) / 60, thrown.t_s]),
        places_mm=np.concatenate([hand, thrown.places_mm]),
        contacts=thrown.contacts,
    )
    scene, left_s = table(), float(thrown.t_s[0])
    seen = samples(held, scene, noise_px=0.4)
    flight = next(read_flights(seen, scene, RADIUS_MM, behind_a_hand, lambda t_s, x, y, size: t_s < left_s))
    assert flight.table_bounces == 0
    assert not flight.is_start_open


def test_a_ball_seen_in_plain_motion_before_its_flight_is_asked_about() -> None:
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=0.9)
    # A lens that nobody knows may bend the picture's edge: there the ball keeps to no flight.
    lead = (
        thrown.places_mm[0]
        + np.array([[0.0, -150.0, 40.0 * (-1) ** k] for k in range(18)]) * np.arange(18, 0, -1)[:, None] / 18
    )
    bent = Throw(
        t_s=np.concatenate([thrown.t_s[0] - np.arange(18, 0, -1) / 60, thrown.t_s]),
        places_mm=np.concatenate([lead, thrown.places_mm]),
        contacts=thrown.contacts,
    )
    flight = read(bent)
    assert flight.table_bounces == 1
    assert flight.is_start_open
    assert not read(thrown).is_start_open


def test_one_sighting_of_something_else_makes_no_bounce_before_a_throw() -> None:
    thrown = throw(**STRAIGHT, rate_hz=60.0, duration_s=1.0)
    seen = samples(thrown, table(), noise_px=0.4)
    # A patch of the hand, a tenth of a second before the ball and beside it.
    seen.t_s[0] -= 0.1
    seen.px[0] += (40.0, -60.0)
    seen.offsets[0] += 60.0
    seen.is_whole[0] = False
    flight = next(read_flights(seen, table(), RADIUS_MM, in_plain_view))
    assert flight.table_bounces == 0


def test_however_short_a_flight_is_it_is_looked_into() -> None:
    flying = Piece(start=0, stop=4, motion=Motion.FLYING, cost=0.0)
    rolling = Piece(start=4, stop=20, motion=Motion.ROLLING, cost=0.0)
    assert [(stretch.breaks, stretch.stop) for stretch in airborne((flying, rolling))] == [((4,), 10)]
    assert not list(airborne((rolling,)))


def test_a_ball_carried_at_a_steady_speed_is_no_flight() -> None:
    scene = table()
    slow = throw(start_mm=(-200.0, -300.0, 120.0), speed_mm_s=(200.0, 50.0, 0.0), rate_hz=60.0, duration_s=1.0)
    level = slow.places_mm.copy()
    level[:, 2] = 120.0
    carried = Throw(t_s=slow.t_s, places_mm=level, contacts=())
    flight = next(read_flights(samples(carried, scene, noise_px=0.4), scene, RADIUS_MM, in_plain_view), None)
    assert flight is None or not flight.touched_board


def test_a_track_is_cut_where_the_ball_bounced() -> None:
    scene = table()
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=0.75)
    pieces = cut(samples(thrown, scene, noise_px=0.3), rest_z_mm=(RADIUS_MM, TOP_MM + RADIUS_MM))
    assert [piece.motion for piece in pieces[:2]] == [Motion.FLYING, Motion.FLYING]
    assert thrown.t_s[pieces[1].start - 1] <= thrown.contacts[0][0] + 1 / 60 <= thrown.t_s[pieces[1].start] + 2 / 60


def test_too_short_a_track_has_no_pieces() -> None:
    scene = table()
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=0.04)
    assert cut(samples(thrown, scene, noise_px=0.3), rest_z_mm=(RADIUS_MM,)) == ()


def test_the_wrong_surface_costs_more() -> None:
    scene = table()
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=0.6)
    seen = samples(thrown, scene, noise_px=0.3)
    times = [contact[0] for contact in thrown.contacts[:2]]
    table_top, board_top = level(RADIUS_MM), level(TOP_MM + RADIUS_MM)
    right, wrong = fit_chains(Told.by(seen), [times, times], [[table_top, board_top], [board_top, board_top]])
    assert right.cost / right.samples < 2.5
    assert wrong.cost > right.cost + 40.0


def test_chains_fitted_side_by_side_are_as_those_fitted_alone() -> None:
    scene = table()
    thrown = throw(**TWO_BOUNCES, rate_hz=60.0, duration_s=1.1)
    *times, fourth_s = (contact[0] for contact in thrown.contacts[:4])
    seen = samples(thrown, scene, noise_px=0.3).part(0, int(np.searchsorted(thrown.t_s, fourth_s)))
    starts = [times, [t_s + 0.02 for t_s in times], [times[0] - 0.03, *times[1:]], times[:2], times[2:]]
    low, top = level(RADIUS_MM), level(TOP_MM + RADIUS_MM)
    footings = [[low, low, top], [low, top, top], [low, low, low], [low, low], [top]]
    chains = fit_chains(Told.by(seen), starts, footings)
    cheapest = min(chain.cost for chain in chains)
    exact = 0
    for chain, start, feet in zip(chains, starts, footings, strict=True):
        (alone,) = fit_chains(Told.by(seen), [start], [feet])
        # What is dearer than others beside it is bettered less.
        assert alone.cost - 1e-6 <= chain.cost <= alone.cost + 0.25 * (chain.cost - cheapest) + 1e-6
        if chain.cost == pytest.approx(alone.cost, rel=1e-9):
            exact += 1
            assert chain.t_s == pytest.approx(alone.t_s, abs=1e-7)
            assert chain.places_mm == pytest.approx(alone.places_mm, abs=1e-3)
            assert chain.after_mm_s == pytest.approx(alone.after_mm_s, abs=1e-1)
            assert chain.fits_from_s == pytest.approx(alone.fits_from_s, abs=1e-9)
    assert exact >= 3


def test_a_track_is_cut_where_nothing_can_roll() -> None:
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=0.6)
    pieces = cut(samples(thrown, table(), noise_px=0.3), rest_z_mm=())
    assert {piece.motion for piece in pieces} == {Motion.FLYING}


def test_spans_that_no_piece_contains_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    thrown = throw(**TWO_BOUNCES, rate_hz=60.0, duration_s=2.5)
    seen, heights = samples(thrown, table(), noise_px=0.3), (RADIUS_MM, TOP_MM + RADIUS_MM)
    pieces = cut(seen, rest_z_mm=heights)
    monkeypatch.setattr(segments, "HALVES", np.array([len(seen)]))
    assert cut(seen, rest_z_mm=heights) == pieces
    assert len(pieces) > 3


@given(
    st.lists(
        st.tuples(st.integers(1, 8), st.floats(-60.0, 700.0), st.floats(-60.0, 420.0), st.booleans()),
        min_size=1,
        max_size=40,
    )
)
def test_no_track_is_too_odd_to_be_read(points: list[tuple[int, float, float, bool]]) -> None:
    scene = table()
    frames = np.cumsum([gap for gap, _, _, _ in points])
    seen = make_samples(
        scene.camera,
        frames / 60.0,
        np.array([(x, y) for _, x, y, _ in points]),
        np.full(len(points), 900.0),
        np.full(len(points), 0.7),
        np.array([whole for _, _, _, whole in points]),
    )
    flight = next(read_flights(seen, scene, RADIUS_MM, behind_a_hand), None)
    assert flight is None or all(np.isfinite((c.t_s, c.x_mm, c.y_mm)).all() for c in flight.contacts)


@pytest.mark.parametrize(("how", "expected"), [(STRAIGHT, 0), (ONE_BOUNCE, 1), (TWO_BOUNCES, 2)])
@pytest.mark.parametrize("seed", [1, 2])
def test_thirty_frames_a_second_are_enough(how: Thrown, expected: int, seed: int) -> None:
    flight = read(throw(**how, rate_hz=30.0, duration_s=1.1), seed=seed)
    assert flight.table_bounces == expected
    assert flight.margin > 10.0


def test_a_bounce_between_two_pictures_counts_though_nothing_hid_it() -> None:
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=1.0)
    bounce_s = thrown.contacts[0][0]
    late = thrown.t_s > bounce_s
    flight = read(Throw(t_s=thrown.t_s[late], places_mm=thrown.places_mm[late], contacts=thrown.contacts))
    assert flight.table_bounces == 1
    assert flight.contacts[0].is_inferred
    assert not flight.is_start_open


@pytest.mark.parametrize(("late_s", "is_open"), [(0.03, True), (0.06, False)])
def test_a_ball_that_comes_into_view_rising_did_not_bounce_where_it_would_have_been_seen(
    late_s: float, is_open: bool
) -> None:
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=1.0)
    late = thrown.t_s > thrown.contacts[0][0] + late_s
    flight = read(Throw(t_s=thrown.t_s[late], places_mm=thrown.places_mm[late], contacts=thrown.contacts))
    assert flight.table_bounces == 0
    assert flight.is_start_open == is_open


@pytest.mark.parametrize("is_held", [False, True], ids=["out of the hand", "in a hand"])
def test_a_bounce_right_after_a_ball_came_into_view_is_seen_unless_a_hand_was_at_it(is_held: bool) -> None:
    thrown = throw(**ONE_BOUNCE, rate_hz=60.0, duration_s=1.0)
    bounce_s = thrown.contacts[0][0]
    first = int(np.searchsorted(thrown.t_s, bounce_s)) - 2
    seen = samples(thrown, table(), noise_px=0.4, seed=0).part(first, len(thrown.t_s))
    seen = replace(seen, is_whole=np.arange(len(seen)) > 0)
    read_by = read_flights(seen, table(), RADIUS_MM, in_plain_view, lambda t_s, *_: is_held and t_s < bounce_s)
    flight = next(read_by, None)
    assert flight is not None
    assert flight.seen_bounces == (0 if is_held else 1)


def test_what_comes_after_the_knocks_that_decide_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[float] = []
    best = Search.best

    def noted(search: Search, start: Reading) -> Found:
        ends.append(float(search.samples.t_s[-1]))
        return best(search, start)

    monkeypatch.setattr(Search, "best", noted)
    thrown = throw(**TWO_BOUNCES, rate_hz=60.0, duration_s=1.6)
    flight = read(thrown)
    knocks = [contact[0] for contact in thrown.contacts]
    assert len(knocks) > flight.table_bounces + 3
    assert ends
    assert max(ends) < knocks[flight.table_bounces + 2] + 0.01


def test_a_search_that_finds_what_was_taken_away_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = 0

    def same_again(search: Search, start: Reading) -> Found:
        nonlocal rounds
        rounds += 1
        return found

    scene = table()
    seen = samples(throw(**TWO_BOUNCES, rate_hz=60.0, duration_s=1.1), scene, noise_px=0.4, seed=0)
    terrain = Ground(table=scene, radius_mm=RADIUS_MM).terrain()
    search = Search(samples=seen, touchable=Touchable(samples=seen, terrain=terrain, camera=scene.camera))
    found = search.best(search.start([0.3, 0.6]))
    monkeypatch.setattr(Search, "best", same_again)
    monkeypatch.setattr(sifting, "_since", lambda samples, t_s: samples)
    monkeypatch.setattr(sifting, "is_early", lambda samples, reading: reading is found.reading)
    assert list(read_flights(seen, scene, RADIUS_MM, in_plain_view)) == []
    assert 1 < rounds < 100
