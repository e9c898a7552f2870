"""How a page looks to people: on screens of all sizes, and to those who can't see it."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, Page

from web.serving import Server, open_socket

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@contextmanager
def served(app: Flask, port: int = 0) -> Iterator[str]:
    """The address under which pages are really served; port 0 is any free one."""
    with open_socket("127.0.0.1", port) as listener:
        server = Server(app, listener)
        thread = Thread(target=server.run)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.stop()
            thread.join()


@contextmanager
def looking(chromium: Browser, scheme: str, width: int, height: int) -> Iterator[Page]:
    """A page on a screen of that size."""
    context = chromium.new_context(
        color_scheme="dark" if scheme == "dark" else "light", viewport={"width": width, "height": height}
    )
    context.set_default_timeout(10_000)
    try:
        yield context.new_page()
    finally:
        context.close()


def barriers(page: Page) -> list[str]:
    """What shuts people out of a page."""
    results = Axe().run(page, options={"runOnly": STANDARDS})
    assert "color-contrast" in {rule["id"] for rule in results.response["passes"]}, "nothing was looked at"
    return [
        f"{violation['id']}: {[node['html'][:120] for node in violation['nodes']]}"
        for violation in results.response["violations"]
    ]
