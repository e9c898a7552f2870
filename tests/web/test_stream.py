"""What a viewer is sent, from the first message on."""

import json
from collections.abc import Iterator
from itertools import islice

from flask import Flask
from flask.testing import FlaskClient

from referee.desk import Source
from referee.events import Note
from tests.web.fake import FakeDesk, evening
from web import create_app
from web.channel import Channel
from web.site import site_of


class Viewer:
    """Reads a stream message by message."""

    def __init__(self, client: FlaskClient, path: str, **headers: str) -> None:
        self.answer = client.get(path, headers=headers, buffered=False)
        self.chunks: Iterator[bytes] = self.answer.iter_encoded()

    def message(self, kind: str) -> tuple[int, dict[str, object]]:
        """The next message of that kind: its id and its data."""
        for chunk in self.chunks:
            fields = dict(line.split(": ", 1) for line in chunk.decode().splitlines() if ": " in line)
            if fields.get("event") == kind:
                return int(fields["id"]), json.loads(fields["data"])
        raise AssertionError(f"the stream ended without a {kind}")


def parts(message: tuple[int, dict[str, object]]) -> set[str]:
    found = message[1]["parts"]
    assert isinstance(found, dict)
    return set(found)


def test_a_stream_begins_with_everything(client: FlaskClient, desk: FakeDesk) -> None:
    viewer = Viewer(client, "/match/evening/stream")
    assert viewer.answer.mimetype == "text/event-stream"
    assert viewer.answer.headers["Cache-Control"] == "no-store"
    event_id, news = viewer.message("parts")
    assert event_id == news["version"] == desk.snapshot().version
    assert {"players", "board", "calls", "source", "banner"} <= parts((event_id, news))


def test_then_come_the_parts_that_changed(client: FlaskClient, desk: FakeDesk) -> None:
    viewer = Viewer(client, "/match/evening/stream")
    viewer.message("parts")
    desk.see(source=Source(name="evening.mp4", state="playing", t_s=40.0, duration_s=94.0, message=None))
    assert parts(viewer.message("parts")) == {"source"}


def test_a_change_that_nobody_sees_is_not_sent(client: FlaskClient, desk: FakeDesk) -> None:
    viewer = Viewer(client, "/match/evening/stream")
    first, _ = viewer.message("parts")
    desk.see(Note(text="nice throw", by="Ann"))
    beat, _ = viewer.message("beat")
    assert beat == first + 1


def test_a_viewer_who_was_away_gets_what_was_missed(app: Flask, client: FlaskClient, desk: FakeDesk) -> None:
    version, _ = Viewer(client, "/match/evening/stream").message("parts")
    desk.see(*evening())
    resumed = Viewer(client, "/match/evening/stream", **{"Last-Event-ID": str(version)})
    missed = parts(resumed.message("parts"))
    assert "calls" in missed
    assert "source" not in missed


def test_a_page_goes_on_from_the_version_it_was_drawn_at(app: Flask, client: FlaskClient, desk: FakeDesk) -> None:
    boot = site_of(app).boot
    viewer = Viewer(client, f"/match/evening/stream?since={desk.snapshot().version}&boot={boot}")
    beat, _ = viewer.message("beat")
    assert beat == desk.snapshot().version, "nothing is sent twice"


def test_versions_of_another_run_of_the_server_count_for_nothing(client: FlaskClient, desk: FakeDesk) -> None:
    path = f"/match/evening/stream?since={desk.snapshot().version}&boot=before"
    assert "players" in parts(Viewer(client, path).message("parts"))


def test_a_version_from_the_future_counts_for_nothing(client: FlaskClient) -> None:
    assert "players" in parts(Viewer(client, "/match/evening/stream?since=9999").message("parts"))


def test_silence_is_filled_with_heartbeats(client: FlaskClient) -> None:
    stream = Viewer(client, "/match/evening/stream").chunks
    chunks = [chunk.decode() for chunk in islice(stream, 4)]
    assert chunks[0] == "retry: 1000\n\n"
    assert all(chunk.startswith(": still here\n") for chunk in chunks[2:])


def test_a_closing_server_ends_its_streams(app: Flask, client: FlaskClient) -> None:
    stream = Viewer(client, "/match/evening/stream").chunks
    next(stream)
    site_of(app).closing.set()
    assert list(stream) == []


def test_a_viewer_who_left_frees_the_thread(desk: FakeDesk) -> None:
    client = create_app({"evening": desk}).test_client()
    answer = client.get(
        "/match/evening/stream",
        buffered=False,
        environ_overrides={"waitress.client_disconnected": lambda: True},
    )
    assert list(answer.response) == [b"retry: 1000\n\n"]


def test_a_version_is_drawn_once_for_all(desk: FakeDesk) -> None:
    drawn = []

    def render(snapshot: object) -> dict[str, str]:
        drawn.append(snapshot)
        return {"score": "12"}

    channel = Channel(render)
    first = desk.snapshot()
    assert channel.draw(first) is channel.draw(first)
    desk.see(Note(text="nice"))
    later = channel.draw(desk.snapshot())
    assert len(drawn) == 2
    assert later.since(first.version) == {}, "the same text is not sent again"
    assert channel.draw(first) is later, "nobody is sent back"
