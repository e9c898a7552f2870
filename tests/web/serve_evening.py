"""Serves the evening match on a port until it is ended: for tests that need a process of its own."""

import sys
from functools import partial

from calibration.layout import load_layout
from tests.web.fake import FakeDesk, evening, header_of
from web import create_app
from web.serving import serve

if __name__ == "__main__":
    desk = FakeDesk(header_of("Ann", "Bob"), load_layout("grid-7x7"), evening())
    app = create_app({"evening": desk}, heartbeat_s=0.5)
    serve(app, host="127.0.0.1", port=int(sys.argv[1]), announce=partial(print, flush=True))
    print("ended")
