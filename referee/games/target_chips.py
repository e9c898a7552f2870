"""The target chips of Wonder Bowling: who gets which numbers, as the header gives them or its seed draws them."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from random import Random
from typing import Final

from referee.errors import BadHeader
from referee.events import Header, Option, as_whole
from referee.games.options import unusable, whole_option

NUMBERS: Final = tuple(number for number in range(2, 10) for _ in range(2))
"""What is printed on the chips: every number from 2 to 9, twice."""
TARGETS_EACH: Final = 2
PENALTIES: Final = 6
PENALTIES_OF_SIX_PLAYERS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """The numbers before each player, in turn order, and of the penalty chips, in the order in which they are taken."""

    targets: tuple[tuple[int, ...], ...]
    penalties: tuple[int, ...]


def deal(header: Header) -> Dealt:
    """Two chips for each player, then the penalty chips; what the header doesn't give is drawn. Raises BadHeader."""
    names = header.names
    penalty_count = PENALTIES if len(names) < 6 else PENALTIES_OF_SIX_PLAYERS
    targets = _given_targets(header)
    penalties = _given_penalties(header, penalty_count)
    given = Counter(chain(*targets.values(), penalties))
    too_many = sorted((given - Counter(NUMBERS)).keys())
    if too_many:
        raise BadHeader(
            f"more chips with the number {too_many[0]} are given than there are",
            "match header",
            "there are two of every number from 2 to 9",
        )
    rest = list((Counter(NUMBERS) - given).elements())
    Random(whole_option(header, "seed", 0)).shuffle(rest)
    drawn = iter(rest)
    return Dealt(
        targets=tuple(targets.get(name) or _draw(drawn, TARGETS_EACH) for name in names),
        penalties=penalties or _draw(drawn, penalty_count),
    )


def with_chips_given(header: Header) -> Header:
    """The header of a match with the chips that were drawn for it written out. Raises BadHeader."""
    dealt = deal(header)
    targets = dict(zip(header.names, map(list, dealt.targets), strict=True))
    chips = {"targets": targets, "penalty_chips": list(dealt.penalties)}
    others = (option for option in header.options if option.name not in chips)
    written = (Option(name=name, value=json.dumps(value)) for name, value in chips.items())
    return replace(header, options=(*others, *written))


def _given_targets(header: Header) -> dict[str, tuple[int, ...]]:
    value = header.option("targets", {})
    if isinstance(value, dict) and value.keys() <= set(header.names):
        numbers = {name: _numbers(chips, TARGETS_EACH) for name, chips in value.items()}
        if all(numbers.values()):
            return numbers
    raise unusable("targets", value, 'write two numbers a player, like {"Ann":[4,7]}')


def _given_penalties(header: Header, count: int) -> tuple[int, ...]:
    """The penalty chips, none when the header doesn't give them."""
    value = header.option("penalty_chips", None)
    if value is None and all(option.name != "penalty_chips" for option in header.options):
        return ()
    numbers = _numbers(value, count)
    if not numbers:
        raise unusable("penalty_chips", value, f"write a list of {count} numbers")
    return numbers


def _numbers(value: object, count: int) -> tuple[int, ...]:
    """A list of so many whole numbers, or nothing for anything else."""
    numbers = [as_whole(number) for number in value] if isinstance(value, list) else []
    usable = tuple(number for number in numbers if number is not None)
    return usable if len(numbers) == len(usable) == count else ()


def _draw(chips: Iterator[int], count: int) -> tuple[int, ...]:
    return tuple(islice(chips, count))
