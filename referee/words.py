"""Events and calls in people's words."""

from referee.events import Event, Header
from referee.games.game import Call


def event_words(event: Event, header: Header) -> str:
    """What happened, as a person would say it: "Red, from south: one bounce on the table, into D6"."""
    raise NotImplementedError


def call_words(call: Call) -> str:
    """What the referee says: "Ann scores 5 (D6)"."""
    raise NotImplementedError
