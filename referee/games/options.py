"""House rules out of a match header; each reader raises BadHeader for a value that the rule can't have."""

import json
from collections.abc import Mapping

from referee.errors import BadHeader
from referee.events import Header, as_whole


def flag_option(header: Header, name: str, default: bool) -> bool:
    """A rule that is on or off."""
    value = header.option(name, default)
    if not isinstance(value, bool):
        raise unusable(name, value, "write true or false")
    return value


def count_option(header: Header, name: str, default: int) -> int:
    """A rule that is a whole number from 1 on."""
    value = header.option(name, default)
    number = as_whole(value)
    if number is None or number < 1:
        raise unusable(name, value, "write a whole number from 1 on")
    return number


def whole_option(header: Header, name: str, default: int) -> int:
    """A rule that is any whole number."""
    value = header.option(name, default)
    number = as_whole(value)
    if number is None:
        raise unusable(name, value, "write a whole number")
    return number


def starter_option(header: Header) -> int | None:
    """Who begins, by place in the turn order; None when the header doesn't say."""
    return player_option(header, "starter")


def player_option(header: Header, name: str) -> int | None:
    """A rule that names a player, by place in the turn order; None when the header doesn't have it."""
    value = header.option(name, None)
    if value is None and all(option.name != name for option in header.options):
        return None
    if value not in header.names:
        raise unusable(name, value, f"name one of {', '.join(header.names)}")
    return header.names.index(value)


def players_option(header: Header, name: str) -> tuple[int, ...]:
    """A rule that names several players, by place in the turn order; nobody when the header doesn't have it."""
    value = header.option(name, [])
    if not isinstance(value, list) or not all(one in header.names for one in value):
        raise unusable(name, value, f"write a list of names out of {', '.join(header.names)}")
    return tuple(header.names.index(one) for one in value)


def counts_option(header: Header, name: str, default: Mapping[str, int]) -> tuple[int, ...]:
    """A rule that counts things by kind, in the order of the default's kinds; a kind that is left out has none."""
    value = header.option(name, dict(default))
    if isinstance(value, dict) and value.keys() <= default.keys():
        counts = [as_whole(value.get(kind, 0)) for kind in default]
        usable = tuple(count for count in counts if count is not None and count >= 0)
        if len(usable) == len(counts):
            return usable
    raise unusable(name, value, f"write how many of each: {json.dumps(default)}")


def unusable(name: str, value: object, remedy: str) -> BadHeader:
    """The error for a house rule whose value can't be used."""
    return BadHeader(f"the option {name} can't be {json.dumps(value)}", "match header", remedy)
