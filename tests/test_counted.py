"""Numbers of things in words."""

import pytest

from referee.counted import counted


@pytest.mark.parametrize(("number", "words"), [(0, "0 matches"), (1, "1 match"), (2, "2 matches")])
def test_one_match_is_no_matches(number: int, words: str) -> None:
    assert counted(number, "match", "matches") == words


def test_an_s_makes_most_words_several() -> None:
    assert (counted(1, "ball"), counted(12, "ball")) == ("1 ball", "12 balls")
