"""How a page looks to people: on screens of all sizes, and to those who can't see it."""

from collections.abc import Iterator
from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@contextmanager
def looking(chromium: Browser, scheme: str, width: int, height: int) -> Iterator[Page]:
    """A page on a screen of that size."""
    context = chromium.new_context(
        color_scheme="dark" if scheme == "dark" else "light", viewport={"width": width, "height": height}
    )
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


def barriers(page: Page) -> list[str]:
    """What shuts people out of a page."""
    results = Axe().run(page, options={"runOnly": STANDARDS})
    assert "color-contrast" in {rule["id"] for rule in results.response["passes"]}, "nothing was looked at"
    return [
        f"{violation['id']}: {[node['html'][:120] for node in violation['nodes']]}"
        for violation in results.response["violations"]
    ]
