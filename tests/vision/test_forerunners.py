"""Balls that were in flight before the track in which their throw is read."""

from dataclasses import replace

from referee.vision.blobs import Blob
from referee.vision.forerunners import Forerunners
from referee.vision.tracks import Sighting, Track


def track(start_s: float, count: int, x_px: float, *, share: float = 1.0, colour: str = "red") -> Track:
    """Sightings at 60 frames a second that move 10 px from one to the next."""
    sightings = [
        Sighting(
            index=k,
            t_s=start_s + k / 60,
            blob=Blob(
                colour=colour,
                x_px=x_px + 10.0 * k,
                y_px=100.0,
                radius_px=12.0,
                length_px=12.0,
                width_px=12.0,
                share=share,
                at_border=False,
            ),
        )
        for k in range(count)
    ]
    found = Track(sightings[0], lay_before=False)
    found.sightings = sightings
    return found


def has(earlier: Track, later: Track) -> bool:
    forerunners = Forerunners()
    forerunners.add(earlier)
    return forerunners.has(later)


def test_a_track_that_begins_where_a_ball_was_lost_goes_on_with_it() -> None:
    assert has(track(1.0, 10, 100.0), track(1.25, 20, 250.0))


def test_a_track_elsewhere_or_later_or_of_another_ball_does_not() -> None:
    earlier = track(1.0, 10, 100.0)
    assert not has(earlier, track(1.25, 20, 700.0))
    assert not has(earlier, track(1.8, 20, 250.0))
    assert not has(earlier, track(1.25, 20, 250.0, colour="blue"))


def test_a_hand_before_a_throw_is_no_forerunner() -> None:
    assert not has(track(1.0, 10, 100.0, share=0.0), track(1.25, 20, 250.0))


def test_a_small_ball_may_be_lost_for_a_whole_hop() -> None:
    later = track(1.5, 20, 250.0)
    assert has(track(1.0, 10, 100.0), later)
    # What may have been a hand now and then isn't waited for as long.
    mostly = track(1.0, 10, 100.0)
    mostly.sightings[0] = replace(mostly.sightings[0], blob=replace(mostly.sightings[0].blob, share=0.0))
    assert not has(mostly, later)


def test_only_a_track_in_which_no_throw_was_read_is_taken_up_by_another() -> None:
    for is_read in (True, False):
        forerunners, earlier = Forerunners(), track(1.0, 10, 100.0)
        forerunners.add(earlier, is_read=is_read)
        assert forerunners.unread_before(track(1.25, 20, 250.0)) is (None if is_read else earlier)


def test_joined_tracks_have_each_picture_once() -> None:
    joined = Track.joined(track(1.0, 10, 100.0), track(1.1, 20, 160.0))
    times = [sighting.t_s for sighting in joined.sightings]
    assert times == sorted(set(times))
    assert not joined.lay_before


def test_a_patch_that_keeps_its_place_is_no_ball_in_flight() -> None:
    earlier = track(1.0, 10, 100.0)
    for k in (5, 6, 7, 8, 9):
        blob = replace(earlier.sightings[k].blob, x_px=170.3 if k == 8 else 170.0)
        earlier.sightings[k] = replace(earlier.sightings[k], blob=blob)
    assert not has(earlier, track(1.2, 20, 175.0))
    earlier.sightings[7] = replace(earlier.sightings[7], blob=replace(earlier.sightings[7].blob, x_px=166.0))
    assert has(earlier, track(1.2, 20, 175.0))
