"""What every request may reach: the matches, and one channel for each of them."""

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from flask import Flask, current_app
from werkzeug.exceptions import NotFound

from referee.desk import Desk, Snapshot
from referee.stats.almanac import Almanac
from web.channel import Channel

Render = Callable[[Snapshot], Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Site:
    """``closing`` is set when the server ends, so that no stream holds it up; ``boot`` names this run of the server.

    ``almanac``: all stored matches in short, where these are what is shown.
    """

    desks: Mapping[str, Desk]
    render: Render
    heartbeat_s: float
    almanac: Almanac | None = None
    closing: threading.Event = field(default_factory=threading.Event)
    boot: str = field(default_factory=lambda: secrets.token_hex(4))
    _channels: dict[str, tuple[Desk, Channel]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def desk(self, match_id: str) -> Desk:
        """The match of that name; raises ``NotFound`` with words for the page."""
        desk = self.desks.get(match_id)
        if desk is None:
            raise NotFound(f"There is no match “{match_id}” here.")
        return desk

    def channel(self, match_id: str) -> Channel:
        """The one place where this match is drawn for all who follow it."""
        desk = self.desk(match_id)
        with self._lock:
            known = self._channels.get(match_id)
            if known is None or known[0] is not desk:
                known = (desk, Channel(self.render))
                self._channels[match_id] = known
            return known[1]


def install_site(app: Flask, site: Site) -> None:
    app.extensions["referee-site"] = site


def site_of(app: Flask) -> Site:
    return cast(Site, app.extensions["referee-site"])


def current_site() -> Site:
    """The site of the request being answered."""
    return cast(Site, current_app.extensions["referee-site"])
