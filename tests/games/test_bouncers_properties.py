"""What holds for every match of Bouncers, whatever is in its log."""

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.bouncers import GAME, Bouncers
from referee.match import Match, Standing
from tests.games.lines import accepted, begin, grown, logs, match_of, played_out

POINTS = {**{str(number): number for number in range(2, 10)}, "T": 10, "A": 11}
BOUNCERS = set("JQK")


def state_of(match: Match) -> Bouncers:
    state = match.now.state
    assert isinstance(state, Bouncers)
    return state


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """A match somewhere in its first deals, without a slip."""
    rnd = random.Random(draw(st.integers(0, 2**32)))
    options = draw(st.fixed_dictionaries({"show_upcoming": st.booleans(), "special_bouncers": st.booleans()}))
    match = begin(GAME, match_of(GAME, **options))
    for _ in range(draw(st.integers(0, 80))):
        match = accepted(GAME, match, rnd)
    return match


@given(matches() | logs(GAME, most=60).map(lambda lines: grown(begin(GAME), *lines)))
def test_cards_are_neither_lost_nor_made(match: Match) -> None:
    deal = state_of(match).deal
    played = [card for trick in (*deal.tricks, deal.trick) for card in trick]
    assert len({card.card for card in played}) == len(played)
    assert all(card.card[1] != "H" for card in played)
    points = [*deal.turned_up, *(card for cards in deal.taken for card in cards)]
    assert len(set(points)) == len(points)
    assert all(card[1] == "H" for card in points)
    assert sum(map(len, deal.taken)) == len(deal.tricks) <= 13
    assert all({card.player for card in trick} == {0, 1, 2} for trick in deal.tricks)
    assert len(deal.trick) < 3


@given(matches())
def test_every_trick_has_one_winner_who_leads_the_next(match: Match) -> None:
    tricks = [call for call in match.standing().calls if call.call == "trick"]
    deal = state_of(match).deal
    assert len(tricks) == 13 * len(state_of(match).deal_scores) + len(deal.tricks)
    if deal.tricks:
        assert tricks[-1].player == state_of(match).setup.names[deal.leader]


def lowest_cost(taken: list[str]) -> int:
    """By the rulebook's own idea: bouncers undo whatever is best, each one numeral, and idle ones cost."""
    numerals = [POINTS[card[0]] for card in taken if card[0] not in BOUNCERS]
    bouncers = len(taken) - len(numerals)
    undone = min(bouncers, len(numerals))
    best = max((sum(some) for some in combinations(numerals, undone)), default=0)
    return sum(numerals) - best + 25 * (bouncers - undone)


def special_cost(taken: list[str]) -> int:
    """Each bouncer on its own: what it undoes, and whether another did so before."""
    numerals = sorted((POINTS[card[0]], card) for card in taken if card[0] not in BOUNCERS)
    undone: list[str] = []
    for place, card in enumerate(taken):
        if card[0] == "K" and numerals:
            undone.append(numerals[-1][1])
        if card[0] == "J" and numerals:
            undone.append(numerals[0][1])
        if card[0] == "Q" and place and taken[place - 1][0] not in BOUNCERS:
            undone.append(taken[place - 1])
    bouncers = sum(card[0] in BOUNCERS for card in taken)
    return sum(points for points, card in numerals if card not in undone) + 25 * (bouncers - len(set(undone)))


@given(matches())
def test_the_tentative_score_is_what_the_rulebook_says(match: Match) -> None:
    state = state_of(match)
    cost = special_cost if state.setup.has_special_bouncers else lowest_cost
    assert state.tentative == tuple(cost(list(cards)) for cards in state.deal.taken)


@pytest.mark.parametrize("special", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_scores_are_those_of_the_cards_called(seed: int, special: bool) -> None:
    """Reckoned from the calls alone: who took which card, deal by deal."""
    standing = played_out(GAME, seed, special_bouncers=special).standing()
    deals: list[dict[str, list[str]]] = [{}]
    for call in standing.calls:
        if call.call == "trick":
            deals[-1].setdefault(str(call.player), []).append(str(call.reason))
        if call.call == "round":
            deals.append({})
    cost = special_cost if special else lowest_cost
    totals = {name: sum(cost(deal.get(name, [])) for deal in deals) for name in standing.header.names}
    assert dict(standing.scores) == totals
    assert max(totals.values()) >= 100
    assert set(standing.winners) == {name for name, total in totals.items() if total == min(totals.values())}
    assert max(before(standing, len(deals)).values(), default=0) < 100


def before(standing: Standing, deals: int) -> dict[str, int]:
    """The totals before the last deal."""
    scored = [call for call in standing.calls if call.call == "score"][: 3 * (deals - 1)]
    totals: dict[str, int] = {}
    for call in scored:
        totals[str(call.player)] = totals.get(str(call.player), 0) + (call.points or 0)
    return totals


@given(matches())
def test_reneges_are_those_that_hindsight_shows(match: Match) -> None:
    """Every trick not followed by somebody who played its suit later in the deal is flagged once, and no other."""
    deal = state_of(match).deal
    flagged = [call for call in match.standing().calls if call.call == "renege"]
    names = state_of(match).setup.names
    expected = set()
    for number, trick in enumerate(deal.tricks, start=1):
        suit = trick[0].card[1]
        for own in trick:
            later = [
                after
                for after, other in enumerate((*deal.tricks, deal.trick), start=1)
                if after > number and any(card.player == own.player and card.card[1] == suit for card in other)
            ]
            if own.card[1] != suit and later:
                expected.add((names[own.player], f"{number},{later[0]}"))
    rounds = [call.event for call in match.standing().calls if call.call == "round"]
    present = [(str(call.player), call.reason) for call in flagged if not rounds or call.event > rounds[-1]]
    assert sorted(present) == sorted(expected)
