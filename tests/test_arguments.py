"""What people type: players, options, corners, ports."""

import pytest

from referee.commands.arguments import BadUsage, parse_corners, parse_options, parse_players, parse_port
from referee.events import Option, Player


def test_players_have_a_name_a_seat_and_colours() -> None:
    assert parse_players("Ann:south:red, Bob : North : Blue+green") == (
        Player(name="Ann", seat="south", colours=("red",)),
        Player(name="Bob", seat="north", colours=("blue", "green")),
    )


def test_colours_and_seats_may_be_left_out() -> None:
    assert parse_players("Ann:south,Bob") == (Player(name="Ann", seat="south"), Player(name="Bob"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no name"),
        ("Ann:south:red,", "no name"),
        (":south:red", "no name"),
        ("Ann:up:red", "'up' is no seat"),
        ("Ann:south:", "colour without a name"),
        ("Ann:south:red+", "colour without a name"),
        ("Ann:south:red:blue", "more than a seat and colours"),
        ("Ann:south:red,Ann:north:blue", "two players have the name 'Ann'"),
        ("Ann:south:red,Bob:south:blue", "two players have the seat 'south'"),
        ("Ann:south:red,Bob:north:red", "two players have the colour 'red'"),
    ],
)
def test_players_that_make_no_sense_are_told_how_to_write_them(text: str, message: str) -> None:
    with pytest.raises(BadUsage, match=message) as caught:
        parse_players(text)
    assert "--players" in str(caught.value)


def test_options_are_json_where_they_can_be() -> None:
    texts = ["rounds=2", "starter=Ann", "wrong_side=false", 'supply={"1": 3}', "x=a=b", "y=NaN", "rounds = 3"]
    assert parse_options(texts) == (
        Option(name="rounds", value="3"),
        Option(name="starter", value='"Ann"'),
        Option(name="wrong_side", value="false"),
        Option(name="supply", value='{"1": 3}'),
        Option(name="x", value='"a=b"'),
        Option(name="y", value='"NaN"'),
    )


@pytest.mark.parametrize("text", ["rounds", "=2", ""])
def test_an_option_needs_a_name_and_a_value(text: str) -> None:
    with pytest.raises(BadUsage, match="is no option"):
        parse_options([text])


def test_corners_are_four_places() -> None:
    assert parse_corners("1,2 3,2  3,1 1.5,1") == ((1.0, 2.0), (3.0, 2.0), (3.0, 1.0), (1.5, 1.0))


@pytest.mark.parametrize(
    "text", ["", "1,2 3,4", "1,2 3,4 5,6 7,8 9,9", "1,2 3,4 5,6 7", "a,b 1,2 3,4 5,6", "nan,1 1,2 2,3 3,4"]
)
def test_anything_else_is_no_corners(text: str) -> None:
    with pytest.raises(BadUsage, match="no four corners"):
        parse_corners(text)


def test_a_port_is_a_number_in_range() -> None:
    assert parse_port("8080") == 8080
    assert parse_port("0") == 0
    for text in ("65536", "-1", "http", "", "8_0"):
        with pytest.raises(BadUsage, match="is no port"):
            parse_port(text)
