"""Server-Sent Events: what changed in a match, as it changes."""

import json
import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, copy_current_request_context, request

from referee.desk import Desk, Snapshot
from web.channel import Drawing
from web.site import current_site

stream_pages = Blueprint("stream", __name__)

# How long a stream sleeps at most before it looks whether the server ends or its viewer has left.
GLANCE_S = 0.5
# At most ten messages a second: an eye sees no more, and a phone on a weak network does not fall behind.
PAUSE_S = 0.1
RECONNECT_MS = 1000


@stream_pages.get("/match/<match_id>/stream")
def stream(match_id: str) -> Response:
    """The match from the version that the viewer has (``Last-Event-ID``, or ``since`` at first), without an end.

    ``boot`` names the run of the server that drew the viewer's page: versions of another run say nothing about this
    one, so everything is sent.
    """
    site = current_site()
    desk = site.desk(match_id)
    known = request.headers.get("Last-Event-ID", type=int)
    if known is None:
        known = request.args.get("since", type=int)
    if request.args.get("boot", site.boot) != site.boot:
        known = None
    has_left: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    messages = _messages(
        desk,
        copy_current_request_context(site.channel(match_id).draw),
        known,
        heartbeat_s=site.heartbeat_s,
        is_over=lambda: site.closing.is_set() or has_left(),
        pause=site.closing.wait,
    )
    response = Response(messages, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _messages(
    desk: Desk,
    draw: Callable[[Snapshot], Drawing],
    known: int | None,
    *,
    heartbeat_s: float,
    is_over: Callable[[], bool],
    pause: Callable[[float], object],
) -> Iterator[str]:
    yield f"retry: {RECONNECT_MS}\n\n"
    snapshot = desk.snapshot()
    if known is not None and known > snapshot.version:
        known = None
    sent_s = time.monotonic()
    while not is_over():
        if known is None or snapshot.version > known:
            drawing = draw(snapshot)
            parts = drawing.all() if known is None else drawing.since(known)
            known = drawing.version
            if parts:
                yield _message("parts", {"version": known, "parts": parts}, event_id=known)
                sent_s = time.monotonic()
                pause(PAUSE_S)
        elif time.monotonic() - sent_s >= heartbeat_s:
            # The comment keeps proxies from closing the line; the event lets the page notice a line that has died.
            yield ": still here\n" + _message("beat", {"version": known}, event_id=known)
            sent_s = time.monotonic()
        snapshot = desk.wait(known, min(GLANCE_S, heartbeat_s))


def _message(event: str, data: object, *, event_id: int) -> str:
    return f"event: {event}\nid: {event_id}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"
