"""The server as a process: its address, a taken port, and an end without ado."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from threading import Event, Thread

import pytest
from flask import Flask

from tests.web.fake import FakeDesk
from web import create_app
from web.serving import CannotServe, address_words, lan_address, open_socket, serve
from web.site import site_of

ROOT = Path(__file__).parents[2]


def test_a_taken_port_is_an_error_with_a_remedy() -> None:
    with open_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=rf"the port is in use \(127.0.0.1:{port}\): .*--port"):
            open_socket("127.0.0.1", port)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.77", 8000), ("127.0.0.1", 70000), ("no such host", 8000)])
def test_an_address_that_cannot_be_had_is_an_error_with_a_remedy(host: str, port: int) -> None:
    with pytest.raises(CannotServe, match=r"\(.*\): "):
        open_socket(host, port)


def test_nothing_is_started_when_the_port_is_taken(app: Flask) -> None:
    started = []
    with open_socket("127.0.0.1", 0) as taken, pytest.raises(CannotServe):
        serve(app, host="127.0.0.1", port=taken.getsockname()[1], on_start=lambda: started.append(1))
    assert started == []


def test_the_address_is_one_that_people_can_type() -> None:
    assert address_words("127.0.0.1", 8000).startswith("Open http://127.0.0.1:8000/ ")
    assert address_words("::1", 8000).startswith("Open http://[::1]:8000/ ")
    everywhere = address_words("0.0.0.0", 8000)
    assert everywhere.startswith("Open http://localhost:8000/ ")
    lan = lan_address()
    assert lan is None or f"http://{lan}:8000/" in everywhere


def test_the_table_is_started_once_the_address_is_known(desk: FakeDesk) -> None:
    app = create_app({"evening": desk})
    said: list[str] = []
    started = Event()

    def run() -> None:
        serve(app, host="127.0.0.1", port=0, on_start=started.set, announce=said.append)

    thread = Thread(target=run)
    thread.start()
    assert started.wait(10)
    assert said[0].startswith("Open http://127.0.0.1:")
    site_of(app).closing.set()
    thread.join()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_at_once_though_viewers_look_on(number: signal.Signals) -> None:
    script = ROOT / "tests" / "web" / "serve_evening.py"
    with subprocess.Popen(
        [sys.executable, str(script), "0"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().split()[1]
        with urllib.request.urlopen(f"{address}match/evening/stream", timeout=10) as stream:
            assert stream.readline().startswith(b"retry")
            process.send_signal(number)
            # Far less than a polite wait for streams that never end of themselves.
            assert process.wait(timeout=10) == 0
        assert process.stdout.read() == "ended\n"
        assert process.stderr.read() == ""


def test_many_viewers_leave_room_for_pages(address: str) -> None:
    host, port = address.removeprefix("http://").split(":")
    viewers = [socket.create_connection((host, int(port)), timeout=10) for _ in range(40)]
    try:
        for viewer in viewers:
            viewer.sendall(b"GET /match/evening/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for viewer in viewers:
            assert viewer.recv(15).startswith(b"HTTP/1.1 200 OK")
        with urllib.request.urlopen(f"{address}/match/evening", timeout=10) as page:
            assert page.status == 200
    finally:
        for viewer in viewers:
            viewer.close()
