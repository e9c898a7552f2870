"""House rules out of a match header; each reader raises BadHeader for a value that the rule can't have."""

import json

from referee.errors import BadHeader
from referee.events import Header, as_whole


def flag_option(header: Header, name: str, default: bool) -> bool:
    """A rule that is on or off."""
    value = header.option(name, default)
    if not isinstance(value, bool):
        raise _unusable(name, value, "write true or false")
    return value


def count_option(header: Header, name: str, default: int) -> int:
    """A rule that is a whole number from 1 on."""
    value = header.option(name, default)
    number = as_whole(value)
    if number is None or number < 1:
        raise _unusable(name, value, "write a whole number from 1 on")
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
        raise _unusable(name, value, f"name one of {', '.join(header.names)}")
    return header.names.index(value)


def _unusable(name: str, value: object, remedy: str) -> BadHeader:
    return BadHeader(f"the option {name} can't be {json.dumps(value)}", "match header", remedy)
