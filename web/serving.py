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
from contextlib import contextmanager, suppress
from types import FrameType

from flask import Flask
from waitress.server import BaseWSGIServer, MultiSocketServer, create_server

from hardware.errors import RefereeError
from web.site import site_of

# Every open page holds a thread for its stream; what is left over answers pages, forms and clips.
THREADS = 64


class CannotServe(RefereeError, OSError):
    """The address can't be had."""


def serve(
    app: Flask,
    *,
    host: str = "0.0.0.0",
    port: int = 8000,
    on_start: Callable[[], object] | None = None,
    announce: Callable[[str], None] = print,
) -> None:
    """Serve until Ctrl-C or SIGTERM. ``on_start`` is called once the port is ours; ``announce`` gets the address.

    Raises ``CannotServe`` when the port is taken or may not be used.
    """
    with open_socket(host, port) as listener:
        server = make_server(app, listener)
        announce(address_words(host, listener.getsockname()[1]))
        if on_start is not None:
            on_start()
        closing = site_of(app).closing
        with _ending_on_signals(closing), suppress(KeyboardInterrupt):
            server.run()
        closing.set()


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


def make_server(app: Flask, listener: socket.socket) -> BaseWSGIServer | MultiSocketServer:
    """A server on that socket that begins with ``run()``."""
    # A queue of one is no news: with many viewers a request may wait for a moment.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    return create_server(
        app,
        sockets=[listener],
        threads=THREADS,
        ident="",
        # Lets a stream see that its viewer has left.
        channel_request_lookahead=1,
        max_request_body_size=64 * 1024,
    )


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
def _ending_on_signals(closing: threading.Event) -> Iterator[None]:
    """While inside, the first Ctrl-C or SIGTERM ends the streams and the server; a second one ends the program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(signum: int, _frame: FrameType | None) -> None:
        signal.signal(signum, signal.SIG_DFL)
        closing.set()
        raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
