"""Colours follow the balls that lie while the light turns, but no farther than light turns them."""

from referee.vision.colours import known_colours
from referee.vision.palette import APART_DEG, FARTHEST_DEG, Palette


def hue(palette: Palette, name: str) -> float:
    return next(colour.hue_deg for colour in palette.colours if colour.name == name)


def drift(palette: Palette, name: str, *, to_deg: float, steps: int = 60) -> None:
    begin = hue(palette, name)
    for step in range(1, steps + 1):
        palette.learn({name: begin + (to_deg - begin) * step / steps})


def test_a_colour_follows_its_balls() -> None:
    palette = Palette(known_colours(["red", "blue"]))
    drift(palette, "blue", to_deg=12.0)
    assert abs(hue(palette, "blue") - 12.0) < 5.0
    assert hue(palette, "red") == 103.0


def test_a_jump_is_another_ball() -> None:
    palette = Palette(known_colours(["blue"]))
    assert not palette.learn({"blue": 20.0})
    assert hue(palette, "blue") == -18.0


def test_colours_stay_apart() -> None:
    palette = Palette(known_colours(["red", "orange"]))
    drift(palette, "red", to_deg=125.0)
    assert hue(palette, "orange") - hue(palette, "red") >= APART_DEG - 1.0


def test_no_light_makes_blue_green() -> None:
    palette = Palette(known_colours(["blue"]))
    drift(palette, "blue", to_deg=-120.0, steps=300)
    assert abs(hue(palette, "blue") + 18.0) <= FARTHEST_DEG
