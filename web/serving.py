"""The web server of a running table: one process, a thread for each viewer, ended by Ctrl-C at once.

Waitress serves: it needs no second process, so a table that already runs (with OpenCV's and PyAV's threads, which don't
survive a fork) lives beside the pages, and a stream learns at once that its viewer has left.
"""

import errno
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from hardware.errors import RefereeError
from web.site import site_of

# Every open page holds a thread for its stream; what is left over answers pages, forms and clips.
THREADS = 64
# How long the server sleeps at most before it looks whether it should end.
GLANCE_S = 0.3
# What a page or a clip that is being answered gets when the server ends; streams end by themselves.
LAST_WORDS_S = 2


class CannotServe(RefereeError, OSError):
    """The address can't be had."""


def serve(
    app: Flask,
    *,
    host: str = "0.0.0.0",
    port: int = 8000,
    on_start: Callable[[], None] | None = None,
    announce: Callable[[str], None] = print,
) -> None:
    """Serve until Ctrl-C or SIGTERM. ``on_start`` is called once the port is ours; ``announce`` gets the address.

    Raises ``CannotServe`` when the port is taken or may not be used.
    """
    with open_socket(host, port) as listener:
        server = Server(app, listener)
        announce(address_words(host, listener.getsockname()[1]))
        with _stopping_on_signals(server):
            if on_start is not None:
                on_start()
            server.run()


class Server:
    """Serves an application on a socket, from ``run`` until another thread or a signal calls ``stop``."""

    def __init__(self, app: Flask, listener: socket.socket) -> None:
        # A queue of one is no news: with many viewers a request may wait for a moment.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._closing = site_of(app).closing
        self._channels: dict[int, socket.socket] = {}
        self._waitress = create_server(
            app,
            map=self._channels,
            sockets=[listener],
            threads=THREADS,
            ident="",
            # Lets a stream see that its viewer has left.
            channel_request_lookahead=1,
            max_request_body_size=64 * 1024,
        )

    def run(self) -> None:
        """Answer requests. Returns soon after ``stop``, when streams and answers under way have ended."""
        while not self._closing.is_set():
            wasyncore.loop(timeout=GLANCE_S, use_poll=True, map=self._channels, count=1)
        self._waitress.task_dispatcher.shutdown(timeout=LAST_WORDS_S)
        wasyncore.close_all(self._channels)

    def stop(self) -> None:
        self._closing.set()


def open_socket(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free one. Raises ``CannotServe``."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(64)
    except (OSError, OverflowError) as problem:
        listener.close()
        raise _refusal(problem, host, port) from problem
    return listener


def address_words(host: str, port: int) -> str:
    """Where to look, for people: this machine, and other devices in the network when it is open to them."""
    if host not in ("0.0.0.0", "::", ""):
        name = f"[{host}]" if ":" in host else host
        return f"Open http://{name}:{port}/ in a browser (Ctrl-C ends)"
    words = f"Open http://localhost:{port}/ in a browser (Ctrl-C ends)"
    lan = lan_address()
    return f"{words}\nFrom a phone or another screen in the same network: http://{lan}:{port}/" if lan else words


def lan_address() -> str | None:
    """This machine's address in the local network, or None. Nothing is sent: the system only picks the way out."""
    for target in ("192.0.2.1", "10.255.255.255", "192.168.255.255"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
                address = str(probe.getsockname()[0])
            except OSError:
                continue
        if not address.startswith(("127.", "0.")):
            return address
    return None


def _refusal(problem: Exception, host: str, port: int) -> CannotServe:
    place = f"{host}:{port}"
    match problem.errno if isinstance(problem, OSError) else None:
        case errno.EADDRINUSE:
            remedy = "end the program that uses it, or choose another with --port"
            return CannotServe("the port is in use", place, remedy)
        case errno.EACCES:
            return CannotServe("this user may not open the port", place, "choose one above 1023 with --port")
        case errno.EADDRNOTAVAIL:
            return CannotServe("this machine has no such address", place, "use 0.0.0.0 or localhost")
    return CannotServe(f"can't listen there, {problem}", place, "choose another port with --port")


@contextmanager
def _stopping_on_signals(server: Server) -> Iterator[None]:
    """While inside, the first Ctrl-C or SIGTERM stops the server; a second one ends the program as it always does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, before[signal.Signals(number)])
        server.stop()

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
