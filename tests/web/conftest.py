"""A match, its pages, and a browser to look at them."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache
from playwright.sync_api import Browser, BrowserContext, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from calibration.layout import Layout, load_layout
from tests.web.fake import FakeDesk, evening, header_of
from tests.web.looks import served
from web import create_app

CHROMIUM = next((path for name in ("chromium", "chromium-browser") if (path := shutil.which(name))), None)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Uneven steps of 1/90 s, as a camera that drops pictures has them.
CLIP_TICK = Fraction(1, 90)
CLIP_TICKS = tuple(sorted({0, *range(3, 150, 3)} - {30, 60, 63}))


@pytest.fixture(scope="session", autouse=True)
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Almost every test makes an application of its own; templates are compiled once for all of them."""
    cache = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": cache})
        yield


@pytest.fixture(scope="session")
def layout() -> Layout:
    return load_layout("grid-7x7")


@pytest.fixture(scope="session")
def clip_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short H.264 clip whose pictures come at uneven times."""
    path = tmp_path_factory.mktemp("clips") / "clip.mp4"
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        stream.codec_context.time_base = CLIP_TICK
        for index, tick in enumerate(CLIP_TICKS):
            shade = np.full((180, 320, 3), 20 + index * 4, dtype=np.uint8)
            frame = av.VideoFrame.from_ndarray(shade, format="rgb24").reformat(format="yuv420p")
            frame.pts, frame.time_base = tick, CLIP_TICK
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.fixture
def desk(layout: Layout, clip_file: Path) -> FakeDesk:
    return FakeDesk(header_of("Ann", "Bob"), layout, evening(), clip_file)


@pytest.fixture
def app(desk: FakeDesk) -> Flask:
    return create_app({"evening": desk}, heartbeat_s=0.05)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Where the pages are really served."""
    with served(app) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser that all tests share; those that need it are skipped where it can't be started."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with ExitStack() as stack:
        try:
            playwright = stack.enter_context(sync_playwright())
        except Exception as error:
            # What drives the browser is a program of its own, and dies where a library is missing (libatomic1, say).
            pytest.skip(f"the browser's driver can't be started: {error}")
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        except PlaywrightError as error:
            pytest.skip(f"Chromium can't be started: {error.message.splitlines()[0]}")
        stack.callback(browser.close)
        yield browser


@pytest.fixture
def browser(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser that has never been anywhere."""
    context = chromium.new_context(viewport={"width": 1920, "height": 1080})
    context.set_default_timeout(10_000)
    yield context
    context.close()
